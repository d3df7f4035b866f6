"""`gpuplan serve` as a process, for the tests that start and stop the product as people do."""

import os
import socket
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import psutil

from tests.architecture.source import ROOT

START_WITHIN_S = 90.0


def surroundings() -> dict[str, str]:
    """The environment without anything that GPU Plan would read."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GPUPLAN_") and name not in ("PORT", "DATABASE_URL")}


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Serve:
    """One data directory and port, started and stopped several times."""

    def __init__(self, data_dir: Path, gpuplan: tuple[str, ...] = (sys.executable, "-m", "app.cli"), folder: Path = ROOT) -> None:
        self.data_dir = data_dir
        self.gpuplan = gpuplan
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None

    def command(self) -> subprocess.Popen[str]:
        kept = surroundings()
        if self.folder != ROOT:
            kept.pop("PYTHONPATH", None)
        options = ("--port", str(self.port), "--data-dir", str(self.data_dir))
        return subprocess.Popen(
            (*self.gpuplan, "serve", *options),
            env=kept,
            cwd=self.folder,
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


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    return psutil.wait_procs(processes, timeout=15)[1]
