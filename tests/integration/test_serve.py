"""`gpuplan serve` as people run it: starts, stops on a signal leaving nothing, starts again, recovers from SIGKILL with orphans."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.architecture.source import ROOT
from tests.integration.serving import Serve, alive


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    serve = Serve(tmp_path / "var")
    yield serve
    if serve.process is not None and serve.process.poll() is None:
        serve.end(signal.SIGTERM)


def test_start_stop_kill_and_start_again(serve: Serve) -> None:
    link = serve.start()
    assert serve.status("/readyz") == 200
    assert f":{serve.port}/sign-in?token=" in link
    children = serve.children()
    assert {process.name() for process in children} >= {"postgres"}

    second = serve.command()
    _, said = second.communicate(timeout=60)
    assert second.returncode == 1
    assert "already running" in said

    assert serve.end(signal.SIGINT) == 0
    assert alive(children) == []
    assert not (serve.data_dir / "processes.json").exists()

    serve.start()
    children = serve.children()
    assert serve.end(signal.SIGKILL) == -signal.SIGKILL
    serve.start()
    assert serve.status("/readyz") == 200
    assert alive(children) == []
    children = serve.children()
    assert serve.end(signal.SIGTERM) == 0
    assert alive(children) == []


def test_orphan_that_holds_the_port_is_stopped(serve: Serve) -> None:
    listening = "import socket, time; s = socket.create_server(('127.0.0.1', {port})); print('up', flush=True); time.sleep(600)"
    orphan = subprocess.Popen((sys.executable, "-c", listening.format(port=serve.port)), stdout=subprocess.PIPE, text=True)
    assert orphan.stdout is not None
    assert orphan.stdout.readline() == "up\n"
    serve.data_dir.mkdir()
    started = psutil.Process(orphan.pid).create_time()
    (serve.data_dir / "processes.json").write_text(f'[{{"pid": {orphan.pid}, "started": {started}}}]')
    serve.start()
    assert orphan.wait(10) == -signal.SIGTERM
    orphan.stdout.close()
    assert serve.status("/healthz") == 200


def test_port_of_somebody_else_is_a_clear_message(serve: Serve) -> None:
    with socket.create_server(("127.0.0.1", serve.port)):
        process = serve.command()
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"Port {serve.port}" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("value", ["0", "70000", "eighty"])
def test_port_that_is_none_is_named(value: str) -> None:
    command = (sys.executable, "-m", "app.cli", "serve", "--port", value)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "port" in done.stderr
    assert "Traceback" not in done.stderr
