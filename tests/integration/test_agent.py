"""The agent as a process against a server and a worker as processes: whatever is killed, nothing is lost and nothing counts twice."""

import gzip
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import UUID

import psutil
import psycopg
import pytest

from app.db import schema
from app.db.engine import Database, connect
from app.domain.money import Currency
from app.services import accounts, projects, telemetry, tokens
from app.services.projects import SaveProject
from app.storage import DatabaseStorage
from tests.architecture.source import ROOT
from tests.factories.dmon import header, row
from tests.integration.serving import free_port, surroundings

AGENT = ROOT / "app" / "agent.py"
GPUPLAN = (sys.executable, "-m", "app.cli")


def a_log(cycles: int, gpus: int = 4) -> bytes:
    """A log in which no two rows are the same."""
    lines = []
    for number in range(cycles * gpus):
        if number % 44 == 0:
            lines.append(header())
        lines.append(row(number % gpus, {"pwr": 100 + number % 300, "sm": number % 101, "mem": 7, "mclk": number, "pclk": 1410}))
    return "".join(lines).encode()


def rows_of(text: bytes) -> Counter[bytes]:
    return Counter(line for line in text.splitlines() if not line.startswith(b"#"))


def ended(process: subprocess.Popen[bytes], within_s: float = 60) -> int:
    process.communicate(timeout=within_s)
    return process.returncode


def agent(spool: Path, url: str, *options: str, token: str = "t", **pipes: int) -> subprocess.Popen[bytes]:  # noqa: S107
    command = (sys.executable, str(AGENT), "--server", url, "--spool", str(spool), "--name", "node-1", *options)
    pipes.setdefault("stderr", subprocess.DEVNULL)
    return subprocess.Popen(command, env=surroundings() | {"GPUPLAN_TOKEN": token}, **pipes)  # type: ignore[call-overload, no-any-return]


@pytest.fixture
def address(server_url: str) -> str:
    """A database of this test's own: processes see only what is committed."""
    name = f"agents_{os.getpid()}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server_url.replace("/gpuplan?", f"/{name}?")


@pytest.fixture
def stored(address: str) -> Iterator[Database]:
    found = connect(address, pool_size=4)
    schema.migrate(found)
    yield found
    found.close()


class Product:
    """A server and a worker that can be killed and started again."""

    def __init__(self, database_url: str, folder: Path) -> None:
        self.port, self.environment = free_port(), surroundings() | {"DATABASE_URL": database_url}
        self.log = (folder / "product.log").open("ab")
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str) -> None:
        command = (*GPUPLAN, "web", "--port", str(self.port)) if name == "web" else (*GPUPLAN, "worker")
        self.running[name] = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=self.log, stderr=self.log)

    def kill(self, name: str) -> None:
        whole = psutil.Process(self.running[name].pid)
        for process in (*whole.children(recursive=True), whole):
            process.kill()
        self.running.pop(name).wait()

    def end(self) -> None:
        for name in tuple(self.running):
            self.kill(name)
        self.log.close()


def test_kills_lose_nothing_and_count_nothing_twice(stored: Database, address: str, tmp_path: Path) -> None:
    chance, log = random.Random(20261201), tmp_path / "dmon.log"  # noqa: S311
    log.write_bytes(a_log(6000))
    with stored.write() as session:
        user = accounts.add_user(session, accounts.NewUser("agent", accounts.UserRole.ADMIN))
        project_id = projects.start_project(session, SaveProject(name="Kills", currency=Currency.USD), user.id)
        token = tokens.new_token(session, user.id, "agent", project_id).secret
    product, sender = Product(address, tmp_path), None
    options = ("--replay", str(log), "--chunk-kb", "8", "--spool-mb", "0.02")
    try:
        for name in ("web", "worker"):
            product.start(name)
        kills = Counter[str]()
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if sender is None or sender.poll() is not None:
                if sender is not None and sender.returncode == 0 and sum(kills.values()) >= 12:
                    break
                sender = agent(tmp_path / "spool", f"http://127.0.0.1:{product.port}", *options, token=token)
            time.sleep(chance.uniform(0.05, 0.6))
            victim = chance.choice(("agent", "agent", "web", "worker"))
            if sum(kills.values()) < 20 and (victim != "web" or kills["web"] < 3):
                kills[victim] += 1
                if victim == "agent":
                    sender.kill()
                    sender.wait()
                else:
                    product.kill(victim)
                    product.start(victim)
        assert sender is not None
        assert sender.returncode == 0, "the log was not sent to its end"
        uploads = settled(stored, project_id)
        text = b"".join(piece for upload in uploads for piece in DatabaseStorage(stored).read(upload.content_hash))
        assert rows_of(text) == rows_of(log.read_bytes())
        assert [upload.sample_count for upload in uploads] == [24000]
        assert min(kills.values()) > 0, kills
    finally:
        if sender is not None and sender.poll() is None:
            sender.kill()
            sender.wait()
        product.end()


def settled(database: Database, project_id: UUID) -> tuple[telemetry.UploadRow, ...]:
    """The uploads once their last reading is done."""
    deadline = time.monotonic() + 60
    while True:
        with database.read() as session:
            uploads = telemetry.uploads_of(session, project_id)
        if uploads and all(upload.sample_count == 24000 for upload in uploads):
            return uploads
        if time.monotonic() > deadline:
            return uploads
        time.sleep(0.2)


class Receiver:
    """A server that only remembers; `answer` says with what status a chunk is met."""

    def __init__(self, answer: Callable[[int], int]) -> None:
        self.pieces: dict[tuple[str, int], bytes] = {}
        self.count = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = answer(outer.count)
                outer.count += 1
                if status == 200:
                    key = (self.headers["Upload-Id"], int(self.headers["Chunk-Seq"]))
                    text = gzip.decompress(body) if body else b""
                    assert outer.pieces.setdefault(key, text) == text
                said = b'{"server_time": %d}' % time.time()
                self.send_response(status)
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    @property
    def text(self) -> bytes:
        return b"".join(self.pieces[key] for key in sorted(self.pieces))


@contextmanager
def receiver(answer: Callable[[int], int] = lambda _: 200) -> Iterator[Receiver]:
    found = Receiver(answer)
    thread = threading.Thread(target=found.server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield found
    finally:
        found.server.shutdown()
        thread.join()
        found.server.server_close()


def test_a_pipe_is_sent_to_its_end(tmp_path: Path) -> None:
    log = a_log(300)
    with receiver() as there:
        process = agent(tmp_path, there.url, "--chunk-kb", "4", "-", stdin=subprocess.PIPE)
        process.communicate(log, timeout=60)
    assert process.returncode == 0
    assert rows_of(there.text) == rows_of(log)
    assert all(piece.startswith(b"#") for piece in there.pieces.values() if piece)  # each can be read by itself
    assert there.pieces[max(there.pieces)] == b""


def test_what_a_killed_agent_read_from_a_pipe_is_sent_by_the_next(tmp_path: Path) -> None:
    log = a_log(300)
    with receiver(lambda _: 503) as there:
        process = agent(tmp_path, there.url, "--chunk-kb", "4", "-", stdin=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(log)
        process.stdin.flush()
        deadline = time.monotonic() + 30
        while sum(file.stat().st_size for file in tmp_path.rglob("*.open")) + len(list(tmp_path.rglob("*.gz"))) * 4096 < len(log) - 4096:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(0.5)
        process.kill()
        process.stdin.close()
        process.wait()
    with receiver() as there:
        assert ended(agent(tmp_path, there.url, "-", stdin=subprocess.DEVNULL)) == 0
        assert rows_of(there.text) == rows_of(log)


def test_refusals_are_tried_again_and_a_conflict_begins_another_log(tmp_path: Path) -> None:
    log = tmp_path / "dmon.log"
    log.write_bytes(a_log(300))
    with receiver(lambda count: {1: 500, 2: 409, 4: 503}.get(count, 200)) as there:
        assert ended(agent(tmp_path / "spool", there.url, "--replay", str(log), "--chunk-kb", "8")) == 0
    assert rows_of(there.text) == rows_of(log.read_bytes())
    assert len({upload_id for upload_id, _ in there.pieces}) == 2


def test_a_file_goes_on_where_it_was(tmp_path: Path) -> None:
    log = tmp_path / "dmon.log"
    log.write_bytes(a_log(400))
    with receiver(lambda count: 200 if count < 3 else 503) as there:
        first = agent(tmp_path / "spool", there.url, "--replay", str(log), "--chunk-kb", "4")
        deadline = time.monotonic() + 30
        while there.count < 4:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
        first.wait()
        sent = dict(there.pieces)
    with receiver() as there:
        assert ended(agent(tmp_path / "spool", there.url, "--replay", str(log), "--chunk-kb", "4")) == 0
        assert not sent.keys() & there.pieces.keys()
        there.pieces |= sent
        assert rows_of(there.text) == rows_of(log.read_bytes())
        assert ended(agent(tmp_path / "spool", there.url, "--replay", str(log))) == 0
        assert rows_of(there.text) == rows_of(log.read_bytes())  # sent already: nothing comes twice


def test_the_spool_stays_within_its_size(tmp_path: Path) -> None:
    log = tmp_path / "dmon.log"
    log.write_bytes(a_log(8000))
    spool = tmp_path / "spool"
    with receiver(lambda _: 503) as there:
        process = agent(spool, there.url, "--replay", str(log), "--chunk-kb", "16", "--spool-mb", "0.05")
        time.sleep(3)
        size = sum(file.stat().st_size for file in spool.rglob("*") if file.is_file())
        status = subprocess.run((sys.executable, str(AGENT), "--status", "--spool", str(spool)), capture_output=True, text=True, check=True)
        process.terminate()
        assert ended(process) == 1
    assert size < 0.05e6 + 2 * 16 * 1024
    assert "the spool is full, not reading" in status.stdout or "503" in status.stdout
    with receiver() as there:
        assert ended(agent(spool, there.url, "--replay", str(log), "--chunk-kb", "16")) == 0
        assert rows_of(there.text) == rows_of(log.read_bytes())


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    disk, log = tmp_path / "disk", tmp_path / "dmon.log"
    disk.mkdir()
    log.write_bytes(a_log(4000))
    if subprocess.run(("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)), capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        refusing = threading.Event()
        with receiver(lambda _: 200 if refusing.is_set() else 503) as there:
            process = agent(disk / "spool", there.url, "--replay", str(log), "--chunk-kb", "16")
            time.sleep(3)
            assert process.poll() is None
            refusing.set()
            assert ended(process, 90) == 0
            assert rows_of(there.text) == rows_of(log.read_bytes())
    finally:
        subprocess.run(("umount", "-l", str(disk)), check=True)


def test_it_is_quiet_where_nothing_happens(tmp_path: Path) -> None:
    with receiver() as there:
        process = agent(tmp_path, there.url, "-", stdin=subprocess.PIPE)
        time.sleep(1)
        begun = psutil.Process(process.pid).cpu_times()
        time.sleep(3)
        spent = psutil.Process(process.pid).cpu_times()
        process.communicate(timeout=30)
    assert spent.user + spent.system - begun.user - begun.system <= 0.1  # a busy loop would take the whole three seconds


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--server", "gpuplan.example.com", "-"), "--server"),
        (("--server", "http://127.0.0.1:1", "--command", "no-such-tool dmon"), "--command"),
        (("--server", "http://127.0.0.1:1", "--chunk-kb", "0", "-"), "--chunk-kb"),
        (("--server", "http://127.0.0.1:1", "--replay", "/no/such/file"), "/no/such/file"),
        (("--server", "http://127.0.0.1:1", "--token-file", "/no/token", "-"), "/no/token"),
    ],
)
def test_a_wrong_call_is_one_line(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    command = (*GPUPLAN, "agent", "--spool", str(tmp_path), *options)
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings() | {"GPUPLAN_TOKEN": "t"}, check=False, cwd=ROOT)
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (2, 1)
    assert said in done.stderr


def test_the_agent_runs_on_old_pythons() -> None:
    done = subprocess.run(
        (str(Path(sys.executable).with_name("vermin")), "-t=3.6-", "--no-tips", str(AGENT)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
