"""`python -m bench`: serves the product from a directory of its own, lets people work on it, and prints what the server took as a table.

Two processors, twenty people, one minute unless told otherwise. The same people do the same things in every run."""

import argparse
import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import psutil

from bench.people import Seen, one_by_one, person

PROJECTS = 4
MIB = 2**20


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much of everything."""

    people: int
    seconds: float
    processors: int


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(prog="bench", description=__doc__)
    options.add_argument("--people", type=int, default=20)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--processors", type=int, default=2)
    options.add_argument("--json", type=Path, help="also write everything here")
    given = options.parse_args()
    wanted = Wanted(given.people, given.seconds, given.processors)
    with TemporaryDirectory(prefix="gpuplan-bench-") as folder:
        Path(folder).chmod(0o711)
        result = run(wanted, Path(folder))
    sys.stdout.write(table(result))
    if given.json:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps(result, indent=1))


def run(wanted: Wanted, folder: Path) -> dict[str, Any]:
    """Serves, works, stops."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = (sys.executable, "-m", "app.cli", "serve", "--port", str(port), "--data-dir", str(folder))
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "PORT")}
    processors = sorted(os.sched_getaffinity(0))[: wanted.processors]
    served = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=kept, preexec_fn=lambda: os.sched_setaffinity(0, processors))  # noqa: PLW1509 -- one system call
    try:
        cookies, projects = prepare(site := f"http://127.0.0.1:{port}", link_of(served))
        alone = asyncio.run(one_by_one(site, cookies, projects[0], lambda: processor_time_s(served.pid)))
        before, spent_s = memory(served.pid), processor_time_s(served.pid)
        seen = asyncio.run(work(wanted, site, cookies, projects))
        result = report(wanted, seen, before, memory(served.pid), alone)
        return result | {"processor_ms": 1e3 * (processor_time_s(served.pid) - spent_s) / max(result["requests"], 1)}
    finally:
        served.send_signal(signal.SIGINT)
        served.communicate(timeout=60)


def link_of(served: "subprocess.Popen[str]") -> str:
    """The sign-in token of the greeting."""
    assert served.stdout is not None
    token = ""
    while "Ctrl-C" not in (line := served.stdout.readline()):
        assert line, "the product did not start"
        token = line.partition("token=")[2].strip() or token
    return token


def prepare(site: str, token: str) -> tuple[dict[str, str], list[str]]:
    """Signs in and makes projects like the demo's, each with an issued sheet."""
    with httpx2.Client(base_url=site, follow_redirects=True, timeout=120) as browser:
        browser.post("/sign-in", data={"token": token}).raise_for_status()
        demo = browser.get("/api/v1/projects").raise_for_status().json()["projects"][0]["id"]
        answers = browser.get(f"/api/v1/projects/{demo}/intake").raise_for_status().json()
        ids = [demo]
        for number in range(PROJECTS):
            made = browser.post("/api/v1/projects", json={"name": f"Bench {number + 1}", "currency": "USD"}).raise_for_status().json()
            browser.put(f"/api/v1/projects/{made['id']}/intake", json=answers).raise_for_status()
            ids.append(made["id"])
        for project in ids:
            browser.post(f"/api/v1/projects/{project}/sheets", json={}).raise_for_status()
        return dict(browser.cookies), ids


async def work(wanted: Wanted, site: str, cookies: dict[str, str], projects: list[str]) -> Seen:
    """All people at once."""
    seen = Seen()
    until = asyncio.get_running_loop().time() + wanted.seconds
    await asyncio.gather(*(person(number, site, cookies, projects, until, seen) for number in range(wanted.people)))
    return seen


def memory(pid: int) -> dict[str, float]:
    """Proportional memory of each part, MiB."""
    found: dict[str, float] = {}
    for process in psutil.Process(pid).children(recursive=True):
        words = process.cmdline()
        name = "postgres" if "postgres" in process.name() else words[-1] if words else "?"
        found[name] = found.get(name, 0.0) + process.memory_full_info().pss / MIB
    return found


def processor_time_s(pid: int) -> float:
    """What the web server computed so far: unlike the clock, it does not depend on what else the machine does."""
    times = [process.cpu_times() for process in psutil.Process(pid).children() if process.cmdline()[-1:] == ["web"]]
    return sum(time.user + time.system for time in times)


def report(wanted: Wanted, seen: Seen, before: dict[str, float], after: dict[str, float], alone: dict[str, float]) -> dict[str, Any]:
    """Everything, as JSON."""
    everything = [taken for found in seen.server_ms.values() for taken in found]
    pages = {
        asked: {
            "count": len(found),
            "p50_ms": quantile(found, 50),
            "p95_ms": quantile(found, 95),
            "alone_ms": alone[asked],
            "kilobytes": seen.sizes[asked] / 1e3,
        }
        for asked, found in seen.server_ms.items()
    }
    return {
        "at": time.strftime("%Y-%m-%d"),
        "people": wanted.people,
        "seconds": wanted.seconds,
        "processors": wanted.processors,
        "requests": len(everything),
        "requests_per_s": len(everything) / wanted.seconds,
        "p50_ms": quantile(everything, 50),
        "p95_ms": quantile(everything, 95),
        "errors": len(seen.wrong),
        "wrong": seen.wrong,
        "pages": dict(sorted(pages.items(), key=lambda item: -item[1]["p95_ms"])),
        "memory_before_mib": before,
        "memory_after_mib": after,
    }


def quantile(values: Sequence[float], per_cent: int) -> float:
    """Like `statistics.quantiles`, for one value as well."""
    return values[0] if len(values) == 1 else statistics.quantiles(values, n=100, method="inclusive")[per_cent - 1]


def table(result: dict[str, Any]) -> str:
    """Markdown."""
    pages, before, after = result["pages"], result["memory_before_mib"], result["memory_after_mib"]
    first = (
        "{people} people, {seconds:.0f} s, {processors} processors: {requests_per_s:.1f} requests/s, p50 {p50_ms:.0f} ms, "
        "p95 {p95_ms:.0f} ms, {processor_ms:.0f} ms of processor a request, {errors} errors".format(**result)
    )
    lines = [
        first,
        "",
        "| asked | count | p50 ms | p95 ms | alone, processor ms | kB |",
        "|---|--:|--:|--:|--:|--:|",
        *(
            f"| {asked} | {of['count']} | {of['p50_ms']:.0f} | {of['p95_ms']:.0f} | {of['alone_ms']:.0f} | {of['kilobytes']:.0f} |"
            for asked, of in pages.items()
        ),
        "",
        "| process | MiB before | MiB after |",
        "|---|--:|--:|",
        *(f"| {name} | {before.get(name, 0):.0f} | {size:.0f} |" for name, size in after.items()),
    ]
    return "\n".join(lines) + "\n" + "".join(f"{line}\n" for line in result["wrong"])


main()
