#!/usr/bin/env python3
"""Uploads GPU telemetry from a node to GPU Plan. One file, nothing to install: Python 3.6 or newer and nvidia-smi.

    GPUPLAN_TOKEN=gpuplan_... python3 agent.py --server https://gpuplan.example.com
    nvidia-smi dmon -s pucvmet -o DT | python3 agent.py --server https://gpuplan.example.com -
    python3 agent.py --server https://gpuplan.example.com --replay dmon.log

What is read goes to a folder on disk (the spool) before it goes anywhere else, in numbered chunks. A chunk leaves the spool when the server has
answered that it is stored; until then it is sent again, after a lost network, a restarted server, a reboot. The server counts a number once. When
the spool or the disk is full, reading waits: the gap shows in the log's own clock, nothing that was read is thrown away.

A spool holds a folder a stream, `<time>-<stream>`, with `NNN.open` (being written), `NNN-OFFSET.gz` (waiting) and `NNN-OFFSET.sent` (the newest
that was acknowledged: where to go on). An empty chunk ends a stream. `gpuplan agent` runs this same file."""

import argparse
import errno
import fcntl
import gzip
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timezone
from typing import IO, Any, Dict, Iterator, List, Optional, Tuple

VERSION = "1"
COMMAND = "nvidia-smi dmon -s pucvmet -o DT -d 1"
QUERY = "index,uuid,name,driver_version,memory.total,power.limit,pcie.link.gen.max,pcie.link.width.max"
TABLE_HEAD = re.compile(rb"\s*#\s*(gpu|npu|idx|date|time|entity|yyyymmdd|hh:mm:ss)\b", re.IGNORECASE)
CSV_HEAD = re.compile(rb"[A-Za-z_#][^,\n]*,.*[A-Za-z]")
LONGEST_LINE = 64 * 1024
LOOK_BACK = 256 * 1024
FIRST_WAIT_S, LONGEST_WAIT_S, RETRY_DISK_S = 1.0, 60.0, 0.5
LAST_TRY_S = 8.0
IDLE_S = 0.2
SAY_EVERY_S = 60.0


class Stopped(Exception):
    """The agent was asked to end."""


class Node:
    """What is known of the machine; goes with every chunk."""

    def __init__(self, name: str) -> None:
        self.facts: Dict[str, Any] = {"agent": VERSION, "host": socket.gethostname(), "name": name, "driver": None, "gpus": []}
        self._offset: Optional[Tuple[float, float]] = None

    def ask_driver(self) -> None:
        """Driver and boards, where nvidia-smi is there; a node without it can still send a file."""
        try:
            text = subprocess.check_output(
                ["nvidia-smi", "--query-gpu=" + QUERY, "--format=csv,noheader,nounits"], timeout=60, stderr=subprocess.DEVNULL
            )
        except (OSError, subprocess.SubprocessError):
            return
        for line in text.decode("utf-8", "replace").splitlines():
            cells = [cell.strip() for cell in line.split(",")]
            if len(cells) == len(QUERY.split(",")):
                self.facts["driver"] = cells[3]
                keys = ("index", "uuid", "name", "", "memory_mib", "power_limit_w", "pcie_gen", "pcie_width")
                self.facts["gpus"].append({key: cell for key, cell in zip(keys, cells) if key})

    def note_clock(self, server_time: Any, sent: float, answered: float) -> None:
        """How far the server's clock is ahead of ours: the answer with the shortest way tells it best."""
        if not isinstance(server_time, (int, float)):
            return
        way = answered - sent
        if self._offset is None or way <= self._offset[0] * 1.5:
            self._offset = (way, round(server_time - (sent + answered) / 2, 3))

    def header(self) -> str:
        """One line of ASCII for a request header."""
        shown = dict(self.facts)
        shown["utc_offset_s"] = int(time.localtime().tm_gmtoff)
        shown["clock_offset_s"] = None if self._offset is None else self._offset[1]
        return json.dumps(shown, separators=(",", ":"))


class Chunk:
    """A sealed file of the spool."""

    def __init__(self, folder: str, name: str) -> None:
        self.folder, self.name = folder, name
        stem, self.state = name.rsplit(".", 1)
        number, _, offset = stem.partition("-")
        self.number, self.offset = int(number), int(offset or 0)

    @property
    def path(self) -> str:
        return os.path.join(self.folder, self.name)


class Stream:
    """One folder of the spool. `kept`: of a file that can be read again, so its folder stays as the mark of what was sent."""

    def __init__(self, folder: str, source: str = "") -> None:
        self.folder = folder
        self.source = source
        self.lock = threading.RLock()
        self.head: List[bytes] = []
        self._in_head = False
        self._file: Optional[int] = None
        self._size = 0
        self._began = 0.0
        self._offset = 0
        chunks = self.chunks()
        self.next_number = chunks[-1].number + 1 if chunks else 0
        self.resume_at = chunks[-1].offset if chunks else 0

    @classmethod
    def begin(cls, spool: str, source: str) -> "Stream":
        """A new folder. The name gives the order; what it is about is written before it gets that name."""
        name = "%013d-%s" % (int(time.time() * 1000), uuid.uuid4())
        folder, passing = os.path.join(spool, name), os.path.join(spool, "new-" + name)
        os.makedirs(passing)
        write_whole(os.path.join(passing, "source"), source.encode())
        os.rename(passing, folder)
        sync_folder(spool)
        return cls(folder, source)

    @property
    def id(self) -> str:
        return os.path.basename(self.folder).split("-", 1)[1]

    def chunks(self) -> List[Chunk]:
        """Sealed chunks in order, sent ones included."""
        names = [name for name in os.listdir(self.folder) if name.endswith((".gz", ".sent"))]
        return sorted((Chunk(self.folder, name) for name in names), key=lambda chunk: chunk.number)

    def waiting(self) -> List[Chunk]:
        return [chunk for chunk in self.chunks() if chunk.state == "gz"]

    @property
    def is_ended(self) -> bool:
        return os.path.exists(os.path.join(self.folder, "ended"))

    def add(self, line: bytes, offset: int) -> None:
        """Appends a line to the chunk that is open. OSError: the disk is full; then nothing of the line is there."""
        with self.lock:
            is_head = TABLE_HEAD.match(line) is not None
            head = [] if is_head and not self._in_head else self.head
            text = line if self._file is not None else b"".join(head) + line
            self._write(text)
            if is_head:
                head = (head + [line])[-2:]
            elif not head and self.next_number == 0 and self._size == len(line) and CSV_HEAD.match(line):
                head = [line]
            self.head, self._in_head, self._offset = head, is_head, offset

    def _write(self, text: bytes) -> None:
        if self._file is None:
            path = os.path.join(self.folder, "%010d.open" % self.next_number)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            self._size, self._began = 0, time.monotonic()
        try:
            done = os.write(self._file, text)
            if done != len(text):
                raise OSError(errno.ENOSPC, "disk full")
        except OSError:
            os.ftruncate(self._file, self._size)
            os.lseek(self._file, self._size, os.SEEK_SET)
            raise
        self._size += len(text)

    def is_due(self, size: int, age_s: float) -> bool:
        with self.lock:
            return self._file is not None and self._size > 0 and (self._size >= size or time.monotonic() - self._began >= age_s)

    def seal(self) -> None:
        """Makes the open chunk one that can be sent, whole or not at all."""
        with self.lock:
            path = os.path.join(self.folder, "%010d.open" % self.next_number)
            if self._file is None and not os.path.exists(path):
                return
            with open(path, "rb") as file:
                text = file.read()
            text = text[: text.rfind(b"\n") + 1]  # a line that a killed agent left half written
            if text:
                self._put(text)
            if self._file is not None:
                os.close(self._file)
                self._file = None
            os.unlink(path)

    def end(self) -> None:
        """Seals what is open and adds the empty chunk."""
        with self.lock:
            self.seal()
            if not self.is_ended:
                if self.next_number:
                    self._put(b"")
                write_whole(os.path.join(self.folder, "ended"), b"")

    def _put(self, text: bytes) -> None:
        name = "%010d-%015d.gz" % (self.next_number, self._offset)
        write_whole(os.path.join(self.folder, name), gzip.compress(text, 6) if text else b"")
        self.next_number += 1

    def take_up(self) -> None:
        """After a kill: drops an open file that was sealed already; of a source that cannot be read again, keeps what was written."""
        for name in os.listdir(self.folder):
            is_sealed = name.endswith(".open") and (self.source or int(name.split(".")[0]) < self.next_number)
            if is_sealed or name.endswith(".new"):
                os.unlink(os.path.join(self.folder, name))
        if not self.source:
            self.end()

    def acknowledge(self, chunk: Chunk) -> None:
        """Notes that the server has it: one rename, so that a kill leaves it either waiting or sent."""
        with self.lock:
            os.rename(chunk.path, os.path.join(self.folder, chunk.name[:-2] + "sent"))
            for older in self.chunks():
                if older.state == "sent" and older.number < chunk.number:
                    os.unlink(older.path)

    def rename(self, spool: str) -> None:
        """Goes on under a new id: the server knows the old one otherwise."""
        with self.lock:
            if self._file is not None:
                self.seal()
            old = os.path.basename(self.folder)
            folder = os.path.join(spool, "%s-%s" % (old.split("-", 1)[0], uuid.uuid4()))
            os.rename(self.folder, folder)
            self.folder = folder


class Spool:
    """The folder on disk."""

    def __init__(self, folder: str, limit: int) -> None:
        self.folder, self.limit = folder, limit
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self._lock = open(os.path.join(folder, "lock"), "a")  # noqa: SIM115 -- held until the process ends
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit("Another agent uses %s; give this one its own --spool." % folder)
        self.streams: List[Stream] = []
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name.startswith("new-"):
                shutil.rmtree(path, ignore_errors=True)
            elif re.match(r"\d{13}-", name):
                with open(os.path.join(path, "source"), "rb") as file:
                    stream = Stream(path, file.read().decode())
                stream.take_up()
                self.streams.append(stream)

    def begin(self, source: str = "") -> Stream:
        stream = Stream.begin(self.folder, source)
        self.streams.append(stream)
        return stream

    def next(self) -> Optional[Tuple[Stream, Chunk]]:
        """The oldest chunk that waits; forgets live streams that are over."""
        for stream in list(self.streams):
            waiting = stream.waiting()
            if waiting:
                return stream, waiting[0]
            if stream.is_ended and not stream.source:
                self.streams.remove(stream)
                shutil.rmtree(stream.folder, ignore_errors=True)
        return None

    def size(self) -> int:
        """Bytes on disk."""
        total = 0
        for stream in list(self.streams):
            for name in os.listdir(stream.folder):
                try:
                    total += os.path.getsize(os.path.join(stream.folder, name))
                except OSError:
                    pass  # acknowledged meanwhile
        return total

    def is_full(self) -> bool:
        return self.size() >= self.limit


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token does not follow a redirect."""

    def redirect_request(self, *given: Any) -> None:  # noqa: ARG002 -- all are answered alike
        return None


class Server:
    """Where chunks go."""

    def __init__(self, url: str, name: str, token: str, project: str, ca: str) -> None:
        query = "?" + urllib.parse.urlencode({"project": project}) if project else ""
        self.address = "%s/api/v1/agents/%s/chunks%s" % (url.rstrip("/"), urllib.parse.quote(name, safe=""), query)
        self.token = token
        context = ssl.create_default_context(cafile=ca or None)
        self._opener = urllib.request.build_opener(NoRedirect(), urllib.request.HTTPSHandler(context=context))

    def send(self, stream: Stream, chunk: Chunk, node: Node) -> Tuple[int, str]:
        """The status of the answer and what it says; 0: there was none."""
        with open(chunk.path, "rb") as file:
            body = file.read()
        headers = {
            "Authorization": "Bearer " + self.token,
            "Upload-Id": stream.id,
            "Chunk-Seq": str(chunk.number),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "gzip" if body else "identity",
            "Agent-Facts": node.header(),
            "User-Agent": "gpuplan-agent/" + VERSION,
        }
        request = urllib.request.Request(self.address, data=body, headers=headers, method="POST")
        sent = time.time()
        try:
            with self._opener.open(request, timeout=60) as answer:
                said = json.loads(answer.read().decode("utf-8"))
                node.note_clock(said.get("server_time"), sent, time.time())
                return int(answer.status), ""
        except urllib.error.HTTPError as error:
            return error.code, _detail(error)
        except (OSError, ValueError) as error:
            return 0, str(getattr(error, "reason", error))


def _detail(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read(4096).decode("utf-8")).get("detail", error.reason))
    except (OSError, ValueError, AttributeError):
        return str(error.reason)


class Agent:
    """Reads in one thread, uploads in another."""

    def __init__(self, spool: Spool, server: Server, node: Node, chunk_bytes: int, every_s: float) -> None:
        self.spool, self.server, self.node = spool, server, node
        self.chunk_bytes, self.every_s = chunk_bytes, every_s
        self.stopping = threading.Event()
        self.is_read = False
        self.stream: Optional[Stream] = None
        self.lines = self.sent = 0
        self.paused_s = 0.0
        self.problem = ""
        self._said, self._said_at = "", 0.0

    def read(self, stream: Stream, lines: Iterator[Tuple[bytes, int]]) -> None:
        """Takes lines until there are none, or the agent is to stop."""
        self.stream = stream
        try:
            for line, offset in lines:
                self._keep(stream, line, offset)
                self.lines += 1
                if stream.is_due(self.chunk_bytes, self.every_s):
                    self._patiently(stream.seal)
                    self._wait_for_room()
            if not self.stopping.is_set() or not stream.source:
                self._patiently(stream.end)
        except Stopped:
            if not stream.source:
                try:
                    stream.end()
                except OSError as error:
                    self.problem = str(error)
        finally:
            self.is_read = True

    def _keep(self, stream: Stream, line: bytes, offset: int) -> None:
        self._patiently(lambda: stream.add(line, offset))

    def _patiently(self, step: Any) -> None:
        while True:
            try:
                return step()  # type: ignore[no-any-return]
            except OSError as error:
                self._pause("cannot write the spool (%s), not reading" % (error.strerror or error))

    def _wait_for_room(self) -> None:
        while self.spool.is_full():
            self._pause("the spool is full, not reading")

    def _pause(self, why: str) -> None:
        self.problem = why
        self.paused_s += RETRY_DISK_S
        if self.stopping.wait(RETRY_DISK_S):
            raise Stopped()
        self.problem = ""

    def upload(self) -> None:
        """Sends what waits, oldest first, until all is read and sent, or the agent is to stop; then for a few seconds more."""
        wait_s = FIRST_WAIT_S
        deadline: Optional[float] = None
        while deadline is None or time.monotonic() < deadline:
            if self.stopping.is_set() and deadline is None:
                deadline, wait_s = time.monotonic() + LAST_TRY_S, FIRST_WAIT_S
            self._seal_what_is_old()
            found = self.spool.next()
            self.say()
            if found is None:
                if self.is_read:
                    return
                self._rest(IDLE_S, deadline)
            elif self._send(*found):
                wait_s = FIRST_WAIT_S
            else:
                self._rest(wait_s * (0.5 + random.random() / 2), deadline)  # noqa: S311 -- so that a thousand nodes do not come at once
                wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    def _seal_what_is_old(self) -> None:
        if self.stream is None or self.is_read or not self.stream.is_due(1 << 62, self.every_s):
            return
        try:
            self.stream.seal()
        except OSError:
            pass  # the reader says so

    def _rest(self, seconds: float, deadline: Optional[float]) -> None:
        if deadline is None:
            self.stopping.wait(seconds)
        else:
            time.sleep(min(seconds, IDLE_S))

    def _send(self, stream: Stream, chunk: Chunk) -> bool:
        try:
            status, said = self.server.send(stream, chunk, self.node)
        except OSError as error:
            status, said = 0, str(error)
        if 200 <= status < 300:
            stream.acknowledge(chunk)
            self.sent += 1
            self.problem = ""
            return True
        if status == 409:
            stream.rename(self.spool.folder)
            return True
        self.problem = "%s%s" % ("%d " % status if status else "", said)
        return False

    def status(self) -> str:
        """One line."""
        waiting = sum(len(stream.waiting()) for stream in list(self.spool.streams))
        parts = [
            "%d lines read" % self.lines,
            "%d chunks sent" % self.sent,
            "%d waiting (%.1f MB)" % (waiting, self.spool.size() / 1e6),
        ]
        if self.paused_s:
            parts.append("paused %d s" % self.paused_s)
        parts.append(self.problem or "ok")
        return ", ".join(parts)

    def say(self, is_last: bool = False) -> None:
        """Shows the line when what is wrong changes, and once a minute."""
        now = time.monotonic()
        if not is_last and self.problem == self._said and now - self._said_at < SAY_EVERY_S:
            return
        self._said, self._said_at = self.problem, now
        line = "gpuplan agent: " + self.status()
        print(line, file=sys.stderr, flush=True)
        try:
            write_whole(os.path.join(self.spool.folder, "status"), (datetime.now(timezone.utc).isoformat() + " " + line + "\n").encode())
        except OSError:
            pass  # the disk is full; the line was printed


def write_whole(path: str, content: bytes) -> None:
    """A file that is there whole, on the disk itself, or not at all."""
    with open(path + ".new", "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.rename(path + ".new", path)
    sync_folder(os.path.dirname(path))


def sync_folder(folder: str) -> None:
    """Puts renames on the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def piped(file: IO[bytes]) -> Iterator[Tuple[bytes, int]]:
    """The whole lines of a pipe."""
    while True:
        line = file.readline(LONGEST_LINE)
        if not line:
            return
        yield (line if line.endswith(b"\n") else line + b"\n"), 0


def commanded(agent: Agent, command: List[str]) -> Iterator[Tuple[bytes, int]]:
    """The lines of a command, which is started again when it ends."""
    wait_s = FIRST_WAIT_S
    while not agent.stopping.is_set():
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        except OSError as error:
            agent.problem = "%s: %s" % (command[0], error.strerror or error)
            agent.stopping.wait(wait_s)
            wait_s = min(wait_s * 2, LONGEST_WAIT_S)
            continue
        watcher = threading.Thread(target=lambda ended=process: (agent.stopping.wait(), ended.terminate()), daemon=True)
        watcher.start()
        began = time.monotonic()
        assert process.stdout is not None
        for line, _ in piped(process.stdout):
            yield line, 0
        process.wait()
        wait_s = FIRST_WAIT_S if time.monotonic() - began > LONGEST_WAIT_S else min(wait_s * 2, LONGEST_WAIT_S)
        if not agent.stopping.is_set():
            agent.problem = "%s ended with %s, started again" % (command[0], process.returncode)
            agent.stopping.wait(wait_s)


def replayed(agent: Agent, stream: Stream, path: str) -> Iterator[Tuple[bytes, int]]:
    """The lines of a file behind what was sealed before, each with where it ends."""
    at = stream.resume_at
    with opened(path) as file:
        if at:
            file.seek(max(0, at - LOOK_BACK))
            recall(stream, file.read(min(at, LOOK_BACK)))
            if not stream.head:
                file.seek(0)
                recall(stream, file.readline(LONGEST_LINE), is_first=True)
            file.seek(at)
        for line, _ in piped(file):
            if agent.stopping.is_set():
                raise Stopped()
            at += len(line)
            yield line, at


def recall(stream: Stream, text: bytes, is_first: bool = False) -> None:
    """Finds the header that the lines behind `text` belong to."""
    is_head = False
    for line in text.splitlines(True):
        if TABLE_HEAD.match(line):
            stream.head = (stream.head + [line])[-2:] if is_head else [line]
            is_head = True
        else:
            is_head = False
            if is_first and CSV_HEAD.match(line):
                stream.head = [line]


def opened(path: str) -> IO[bytes]:
    """A file, unpacked where it is gzip."""
    with open(path, "rb") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rb") if is_packed else open(path, "rb")  # type: ignore[return-value]


def source_of(path: str) -> str:
    """What makes a file the same file."""
    with open(path, "rb") as file:
        head = hashlib.sha256(file.read(64 * 1024)).hexdigest()
    return "%s %d %s" % (os.path.realpath(path), os.path.getsize(path), head)


def arguments(given: Optional[List[str]]) -> argparse.Namespace:
    """The command line; what is secret comes from the environment or a file, never from here."""
    parser = argparse.ArgumentParser(prog="gpuplan agent", description="Uploads GPU telemetry to GPU Plan and loses nothing.")
    state = os.environ.get("STATE_DIRECTORY") or os.path.join(os.path.expanduser("~"), ".local", "state", "gpuplan-agent")
    parser.add_argument("pipe", nargs="?", choices=["-"], help="read a log from standard input instead of running nvidia-smi")
    parser.add_argument("--server", default=os.environ.get("GPUPLAN_SERVER", ""), help="address of GPU Plan (or GPUPLAN_SERVER)")
    parser.add_argument("--token-file", default="", help="file with the API token (or GPUPLAN_TOKEN in the environment)")
    parser.add_argument("--project", default="", help="project id, where the token is not for one project")
    parser.add_argument("--name", default=socket.gethostname(), help="name of this node (default: its host name)")
    parser.add_argument("--command", default=COMMAND, help="what to run (default: %(default)s)")
    parser.add_argument("--replay", metavar="FILE", default="", help="send a file, also .gz, and end; goes on where it was interrupted")
    parser.add_argument("--spool", default=state, help="folder for what is not sent yet (default: %(default)s)")
    parser.add_argument("--spool-mb", type=float, default=512, help="largest size of that folder (default: %(default)s)")
    parser.add_argument("--every", type=float, default=30, help="seconds between chunks (default: %(default)s)")
    parser.add_argument("--chunk-kb", type=float, default=512, help="largest chunk before packing (default: %(default)s)")
    parser.add_argument("--ca", default="", help="certificate authority of the server, as a file")
    parser.add_argument("--status", action="store_true", help="print the status line of the agent that uses this spool, and end")
    return parser.parse_args(given)


def token_of(asked: argparse.Namespace) -> str:
    """The token, without the line feed of its file."""
    if not asked.token_file:
        return os.environ.get("GPUPLAN_TOKEN", "").strip()
    with open(asked.token_file) as file:
        return file.read().strip()


def main(given: Optional[List[str]] = None) -> int:
    """Runs the agent; 0: all that was read is sent, 1: some waits in the spool, 2: it was called wrongly."""
    asked = arguments(given)
    try:
        if asked.status:
            with open(os.path.join(asked.spool, "status")) as file:
                print(file.read().strip())
            return 0
        token = token_of(asked)
        problem = _wrong(asked, token)
        if problem:
            print(problem, file=sys.stderr)
            return 2
        return _run(asked, token)
    except OSError as error:
        print("%s: %s" % (error.filename or "disk", error.strerror or error), file=sys.stderr)
        return 2


def _wrong(asked: argparse.Namespace, token: str) -> str:
    if not re.match(r"https?://[^/]+", asked.server):
        return "--server: give the address of GPU Plan, like https://gpuplan.example.com"
    if not token:
        return "GPUPLAN_TOKEN: put the API token into the environment, or its file behind --token-file"
    if asked.chunk_kb * 1024 > asked.spool_mb * 1e6 or not 0 < asked.chunk_kb <= 4096 or asked.every <= 0:
        return "--chunk-kb: between 0 and 4096, and less than --spool-mb"
    if not asked.replay and not asked.pipe and not shutil.which((shlex.split(asked.command) or [""])[0]):
        return "--command: %s is not here. Name another, or send a file with --replay FILE, or a pipe with -" % asked.command
    return ""


def _run(asked: argparse.Namespace, token: str) -> int:
    source = source_of(asked.replay) if asked.replay else ""
    spool = Spool(asked.spool, int(asked.spool_mb * 1e6))
    node = Node(asked.name)
    agent = Agent(spool, Server(asked.server, asked.name, token, asked.project, asked.ca), node, int(asked.chunk_kb * 1024), asked.every)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: agent.stopping.set())
    stream = next((one for one in spool.streams if source and one.source == source), None) or spool.begin(source)
    if not asked.replay and not asked.pipe:
        node.ask_driver()
        lines = commanded(agent, shlex.split(asked.command))
    elif asked.replay:
        lines = iter(()) if stream.is_ended else replayed(agent, stream, asked.replay)
    else:
        node.ask_driver()
        lines = piped(sys.stdin.buffer)
    os.nice(10)
    threading.Thread(target=agent.read, args=(stream, lines), daemon=True).start()
    agent.upload()
    agent.say(is_last=True)
    return 1 if spool.next() else 0


if __name__ == "__main__":
    sys.exit(main())
