"""`gpuplan serve` as people run it: starts, stops on a signal leaving nothing, starts again, recovers from SIGKILL with orphans."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import psutil
import pytest

from tests.architecture.source import ROOT

START_WITHIN_S = 90.0


class Serve:
    """One data directory and port, started and stopped several times."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process: subprocess.Popen[str] | None = None

    def command(self) -> subprocess.Popen[str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith("GPUPLAN_") and name not in ("PORT", "DATABASE_URL")
        }
        options = ("--port", str(self.port), "--data-dir", str(self.data_dir))
        return subprocess.Popen(
            (sys.executable, "-m", "app.cli", "serve", *options),
            env=kept,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def start(self) -> str:
        """Starts, waits for the greeting, returns the sign-in link."""
        self.process = self.command()
        assert self.process.stdout is not None
        link = ""
        deadline = time.monotonic() + START_WITHIN_S
        while "Ctrl-C" not in (line := self.process.stdout.readline()):
            assert line, self.process.stderr.read() if self.process.stderr else ""
            assert time.monotonic() < deadline
            link = line.strip() if "token=" in line else link
        return link

    def end(self, asked: int) -> int:
        assert self.process is not None
        self.process.send_signal(asked)
        self.process.communicate(timeout=60)
        return self.process.returncode

    def children(self) -> list[psutil.Process]:
        assert self.process is not None
        return psutil.Process(self.process.pid).children(recursive=True)

    def status(self, path: str) -> int:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("GET", path)
            with connection.getresponse() as response:
                return response.status


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    serve = Serve(tmp_path / "var")
    yield serve
    if serve.process is not None and serve.process.poll() is None:
        serve.end(signal.SIGTERM)


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    return psutil.wait_procs(processes, timeout=15)[1]


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
