"""`Dockerfile` and `docker-compose.yml`, their commands run one after the other without an engine: a folder that holds what COPY brings,
a PostgreSQL, two web servers and a worker over it."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
import yaml

from tests.architecture.source import ROOT
from tests.factories.dmon import a_log
from tests.integration.serving import START_WITHIN_S, free_port, surroundings

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: Mapping[str, Any] = COMPOSE["services"]


@dataclass(frozen=True)
class Step:
    """One instruction of the Dockerfile."""

    word: str
    rest: str


def instructions() -> list[Step]:
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if line.strip() and not line.startswith("#")]
    return [Step(*line.split(maxsplit=1)) for line in lines]


def allowed() -> set[str]:
    """What .dockerignore lets into the build."""
    return {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the first stage after its steps. Packages are not fetched again: the environment sees those of this one."""
    folder = tmp_path_factory.mktemp("image")
    first = instructions()[1 : [step.word for step in instructions()].index("FROM", 1)]
    for step in first:
        if step.word == "COPY":
            *sources, _ = step.rest.split()
            for source in sources:
                assert source in allowed(), f"{source}: .dockerignore keeps it out"
                bring(source, folder)
        elif step.word == "RUN":
            build(step.rest, folder)
    return folder


def bring(source: str, folder: Path) -> None:
    if (ROOT / source).is_dir():
        shutil.copytree(ROOT / source, folder / source, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(ROOT / source, folder)


def build(command: str, folder: Path) -> None:
    for part in command.split(" && "):
        if "--requirement" in part:
            assert shlex.split(part)[-1] == "requirements.lock"
            assert "--require-hashes" in part
            (next(folder.glob(".venv/lib/python*/site-packages")) / "locked.pth").write_text(sysconfig.get_path("purelib"))
        else:
            words = [sys.executable if word == "python" else word for word in shlex.split(part)]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env=surroundings())
            assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def environment(image: Path, server_url: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the services of the compose file see: the image's ENV, and an empty database of the role that the file names."""
    name = f"compose_{getattr(request.config, 'workerinput', {}).get('workerid', 'alone')}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"DROP ROLE IF EXISTS {name}")
        connection.execute(f"CREATE ROLE {name} LOGIN")
        connection.execute(f"CREATE DATABASE {name} OWNER {name}")
    said = dict(part.split("=", 1) for step in instructions() if step.word == "ENV" for part in step.rest.split())
    url = server_url.replace("://postgres@", f"://{name}@").replace("/gpuplan?", f"/{name}?")
    path = f"{image / '.venv' / 'bin'}:{os.environ['PATH']}"
    return surroundings() | said | {"PATH": path, "DATABASE_URL": url, "PYTHONPATH": "", "HOME": str(tmp_path_factory.mktemp("home"))}


def start(service: str, environment: Mapping[str, str], **more: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(shlex.split(SERVICES[service]["command"]), env={**environment, **more}, cwd=environment["HOME"])


def once(command: list[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(command, env=dict(environment), cwd=environment["HOME"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sites(environment: dict[str, str]) -> Iterator[list[str]]:
    """Two web servers and a worker, after the migrations."""
    once(shlex.split(SERVICES["migrate"]["command"]), environment)
    ports = [free_port(), free_port()]
    with ExitStack() as stack:
        for process in [*(start("web", environment, PORT=str(port)) for port in ports), start("worker", environment)]:
            stack.callback(end, process)
        for port in ports:
            await_health(environment, port)
        yield [f"http://127.0.0.1:{port}" for port in ports]


def end(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGTERM)
    process.wait(30)


def await_health(environment: Mapping[str, str], port: int) -> None:
    """The health check of the compose file, as often as it takes."""
    check = [word.replace(":8000/", f":{port}/") for word in SERVICES["web"]["healthcheck"]["test"][1:]]
    deadline = time.monotonic() + START_WITHIN_S
    while subprocess.run(check, env=dict(environment), capture_output=True, check=False).returncode:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_every_service_runs_our_image_after_what_it_needs() -> None:
    ours = {name: service for name, service in SERVICES.items() if name != "postgres"}
    assert set(ours) == {"migrate", "web", "worker"}
    assert {service["image"] for service in ours.values()} == {"gpuplan"}
    assert ours["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in ("web", "worker"):
        assert ours[name]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
    assert SERVICES["web"]["command"] == " ".join(yaml.safe_load(instructions()[-1].rest))


def test_two_webs_and_a_worker_share_one_site(sites: list[str], environment: dict[str, str]) -> None:
    link = once(["gpuplan", "user", "sign-in-link"], environment).strip()
    token = link.partition("token=")[2]
    with httpx2.Client(base_url=sites[0], follow_redirects=True, timeout=60) as browser:
        assert browser.post("/sign-in", data={"token": token}).status_code == 200
        project = browser.get("/api/v1/projects").json()["projects"][0]["id"]
        accepted = browser.post(f"/api/v1/projects/{project}/telemetry?name=node", content=a_log([[{}]] * 90))
        assert accepted.status_code == 202, accepted.text
        job = accepted.headers["location"]
        browser.base_url = sites[1]
        state = ""
        deadline = time.monotonic() + START_WITHIN_S
        while state not in ("succeeded", "failed") and time.monotonic() < deadline:
            time.sleep(0.2)
            state = browser.get(job).json()["state"]
        assert state == "succeeded"


def test_migrating_again_changes_nothing(sites: list[str], environment: dict[str, str]) -> None:
    assert once(shlex.split(SERVICES["migrate"]["command"]), environment) == "The database holds the seed data.\n"
    assert httpx2.get(f"{sites[0]}/readyz").text == "ready"
