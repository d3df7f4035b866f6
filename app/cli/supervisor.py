"""`gpuplan serve`: starts the database, one worker and the web server as its children, keeps them running, and stops them in order."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from types import FrameType

import psutil
import typer

from app.cli.opening import embedded, held, stop
from app.embedded import EmbeddedPostgres, PostgresFailed, ends_with_parent, stop_process
from app.logs import logger
from app.settings import Settings

READY_WITHIN_S = 60.0
LOOK_EVERY_S = 0.5
RESTART_AFTER_S = 2.0
_log = logger(__name__)


class Supervisor:
    """The children of one `gpuplan serve`, noted in a file so that the next start finds those which outlived a SIGKILL."""

    def __init__(self, settings: Settings, *, with_worker: bool) -> None:
        self.settings = settings
        self.with_worker = with_worker
        self.data_dir = settings.data_dir.absolute()
        self.postgres: EmbeddedPostgres | None = None if settings.database_url is not None else embedded(settings)
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.is_asked_to_stop = False

    def run(self, prepare: Callable[[str, bool], str]) -> int:
        """Starts everything, prints where to go, and returns the exit status after everything has stopped.

        `prepare` gets the database's address and whether it is the bundled one; it migrates and seeds, and returns a sign-in token."""
        for asked in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(asked, self._ask_to_stop)
        with held(self.data_dir):
            self._stop_leftovers()
            self._check_port()
            try:
                return self._run(prepare)
            finally:
                self._stop()

    def _run(self, prepare: Callable[[str, bool], str]) -> int:
        url = self._start_database()
        token = prepare(url, self.postgres is not None)
        if self.is_asked_to_stop:
            return 0
        for name in ("web", "worker") if self.with_worker else ("web",):
            self._start(name, url)
        if not self._is_ready():
            return 0 if self.is_asked_to_stop else _failed("The web server did not start; its messages stand above.")
        self._greet(token)
        while not self.is_asked_to_stop:
            time.sleep(LOOK_EVERY_S)
            self.is_asked_to_stop |= _is_make_interrupted()
            if self.postgres is not None and not self.postgres.is_alive():
                return _failed("The database stopped by itself. The end of its log is in postgres.log in the data directory.")
            for name in [name for name, child in self.children.items() if child.poll() is not None]:
                _log.error("supervisor.child.ended", child=name, status=self.children[name].returncode)
                time.sleep(RESTART_AFTER_S)
                self._start(name, url)
        return 0

    def _start_database(self) -> str:
        if self.postgres is None:
            assert self.settings.database_url is not None
            return self.settings.database_url.get_secret_value()
        if not self.postgres.is_initialised():
            typer.echo(f"Setting up a database in {self.postgres.directory} …")
        try:
            self.postgres.start()
        except PostgresFailed as error:
            stop(str(error))
        self._note()
        return self.postgres.url

    def _start(self, name: str, url: str) -> None:
        self.children[name] = subprocess.Popen(
            (sys.executable, "-m", "app.cli", name),
            env={**os.environ, **_environment(self.settings), "DATABASE_URL": url},
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for this process, which stops its children in order
            preexec_fn=ends_with_parent(signal.SIGTERM),  # noqa: PLW1509 -- one system call, and this process has no threads
        )
        self._note()

    def _is_ready(self) -> bool:
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline and not self.is_asked_to_stop and self.children["web"].poll() is None:
            with suppress(OSError):
                connection = HTTPConnection(self.settings.host, self.settings.port, timeout=2)
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    return True
            time.sleep(0.1)
        return False

    def _greet(self, token: str) -> None:
        typer.echo(f"GPU Plan runs at {self.settings.site}")
        typer.echo(f"Sign in with this link; it works once, within 24 hours:\n  {self.settings.site}/sign-in?token={token}")
        typer.echo("Ctrl-C stops everything.")
        sys.stdout.flush()

    def _check_port(self) -> None:
        family = socket.AF_INET6 if ":" in self.settings.host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.settings.host, self.settings.port))
            except OSError as error:
                stop(
                    f"Port {self.settings.port} on {self.settings.host} cannot be used ({error.strerror}). "
                    f"Choose another one: `gpuplan serve --port N`, or `PORT=N make run`."
                )

    def _stop(self) -> None:
        for name in ("web", "worker"):
            if (child := self.children.get(name)) is not None and child.poll() is None:
                stop_process(psutil.Process(child.pid))
                child.wait()
        if self.postgres is not None:
            self.postgres.stop()
        self._notes.unlink(missing_ok=True)

    def _ask_to_stop(self, _signal: int, _frame: FrameType | None) -> None:
        self.is_asked_to_stop = True

    @property
    def _notes(self) -> Path:
        return self.data_dir / "processes.json"

    def _note(self) -> None:
        noted = []
        for child in self.children.values():
            with suppress(psutil.NoSuchProcess):
                noted.append({"pid": child.pid, "started": psutil.Process(child.pid).create_time()})
        self._notes.write_text(json.dumps(noted))

    def _stop_leftovers(self) -> None:
        """Stops the children of a supervisor that was killed; the start time tells them from strangers who got their numbers."""
        try:
            noted = json.loads(self._notes.read_text())
        except (OSError, ValueError):
            return
        for item in noted:
            with suppress(psutil.Error):
                process = psutil.Process(item["pid"])
                if abs(process.create_time() - item["started"]) < 1:
                    stop_process(process)


def _environment(settings: Settings) -> Mapping[str, str]:
    shown = {name: value for name, value in settings.model_dump(mode="json").items() if name != "database_url" and value is not None}
    return {f"GPUPLAN_{name.upper()}": str(value) for name, value in shown.items()}


def _is_make_interrupted() -> bool:
    """Whether `make run` got SIGINT by its own process number: it then waits for its children without telling them, the signal blocked."""
    if "MAKELEVEL" not in os.environ:
        return False
    try:
        status = Path(f"/proc/{os.getppid()}/status").read_text()
    except OSError:
        return False
    blocked = re.search(r"^SigBlk:\s*([0-9a-f]+)", status, re.MULTILINE)
    return blocked is not None and bool(int(blocked[1], 16) & (1 << (signal.SIGINT - 1)))


def _failed(text: str) -> int:
    typer.echo(text, err=True)
    return 1
