"""Logs sent by scripts: accepted with a job, read once, refused with a reason."""

import gzip
from uuid import UUID, uuid4

import pytest
import zstandard
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.jobs.registry import TASKS
from app.services import catalogue, runs
from tests.factories import accounts
from tests.factories.dmon import a_log, steady
from tests.factories.projects import a_project

LOG = a_log(steady(40, gpu_count=2, sm=41, mem=12))


@pytest.fixture
def token(client: TestClient, database: Database) -> dict[str, str]:
    return {"Authorization": f"Bearer {accounts.an_api_token(database)}"}


@pytest.fixture
def seeded(database: Database) -> None:
    with database.write() as session:
        catalogue.seed(session)


def _url(project_id: object) -> str:
    return f"/api/v1/projects/{project_id}/telemetry"


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (LOG, {}),
        (gzip.compress(LOG), {"Content-Encoding": "gzip"}),
        (zstandard.compress(LOG), {"Content-Encoding": "zstd"}),
        (gzip.compress(LOG), {}),
    ],
    ids=["plain", "gzip", "zstd", "gzip without saying so"],
)
def test_a_log_is_accepted_read_and_diagnosed(
    client: TestClient, database: Database, token: dict[str, str], body: bytes, headers: dict[str, str]
) -> None:
    project_id = a_project(database)
    answer = client.post(_url(project_id), content=body, headers={**token, **headers})
    assert answer.status_code == 202, answer.text
    job = answer.json()
    assert (job["kind"], job["state"]) == ("telemetry.profile", "queued")
    assert answer.headers["location"] == f"/api/v1/jobs/{job['id']}"

    runs.run(database, UUID(job["id"]), TASKS)

    done = client.get(f"/api/v1/jobs/{job['id']}", headers=token).json()
    assert (done["state"], done["result"]["samples"], done["result"]["verdict"]) == ("succeeded", 80, "input-starved")
    profile = client.get(f"{_url(project_id)}/{job['upload_id']}", headers=token).json()
    assert profile["gpus"][1]["metrics"]["sm_pct"] == {"p05": 41, "p50": 41, "p95": 41, "mean": 41, "max": 41, "n": 40}
    assert profile["diagnosis"][0]["rule"] == "R-D5"


def test_the_same_log_is_stored_once(client: TestClient, database: Database, token: dict[str, str]) -> None:
    project_id = a_project(database)
    first, second = (client.post(_url(project_id), content=LOG, headers=token).json() for _ in range(2))
    assert (first["id"], first["upload_id"]) == (second["id"], second["upload_id"])
    assert len(client.get(_url(project_id), headers=token).json()["uploads"]) == 1


def test_a_key_stands_for_one_log(client: TestClient, database: Database, token: dict[str, str]) -> None:
    project_id = a_project(database)
    keyed = {**token, "Idempotency-Key": "run-7"}
    first = client.post(_url(project_id), content=LOG, headers=keyed)
    assert client.post(_url(project_id), content=LOG, headers=keyed).json()["id"] == first.json()["id"]
    other = client.post(_url(project_id), content=LOG + LOG, headers=keyed)
    assert (other.status_code, other.json()["errors"][0]["field"]) == (409, "Idempotency-Key")


def test_naming_the_board_reads_the_log_again(client: TestClient, database: Database, token: dict[str, str], seeded: None) -> None:
    project_id = a_project(database)
    first = client.post(_url(project_id), content=LOG, headers=token).json()
    second = client.post(_url(project_id) + "?gpu=a100-sxm4-80gb", content=LOG, headers=token).json()
    assert first["upload_id"] == second["upload_id"]
    assert first["id"] != second["id"]


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"", {}, 422, "telemetry.empty"),
        (b"\x7fELF" + bytes(5000), {}, 415, "telemetry.binary"),
        (b"To be, or not to be, that is the question.\n" * 40, {}, 415, "telemetry.unknown_format"),
        (gzip.compress(bytes(50_000_000)), {"Content-Encoding": "gzip"}, 415, "telemetry.binary"),
        (LOG.splitlines(True)[0] + b"    0    12\n", {}, 422, "telemetry.no_rows"),
        (LOG, {"Content-Encoding": "br"}, 415, "telemetry.encoding"),
        (LOG, {"Content-Encoding": "gzip"}, 422, "telemetry.encoding_mismatch"),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_is_stored(
    client: TestClient, database: Database, token: dict[str, str], body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    project_id = a_project(database)
    answer = client.post(_url(project_id), content=body, headers={**token, **headers})
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{code}")
    assert client.get(_url(project_id), headers=token).json() == {"uploads": []}


def test_the_refusal_names_the_line(client: TestClient, database: Database, token: dict[str, str]) -> None:
    body = LOG.splitlines(True)[0] + b"    0    12\n"
    answer = client.post(_url(a_project(database)), content=body, headers=token).json()
    assert answer["errors"] == [{"field": "line 2", "code": "telemetry.no_rows", "detail": "Row cut off after 2 of 10 cells."}]


def test_wrong_token_foreign_project_and_unknown_board(client: TestClient, database: Database, token: dict[str, str], seeded: None) -> None:
    project_id = a_project(database)
    assert client.post(_url(project_id), content=LOG, headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert client.post(_url(project_id), content=LOG).status_code == 401
    assert client.post(_url(uuid4()), content=LOG, headers=token).status_code == 404
    assert client.post(_url(project_id) + "?gpu=nothing", content=LOG, headers=token).status_code == 404
    foreign = client.post(_url(a_project(database, "Other")), content=LOG, headers=token).json()["upload_id"]
    assert client.get(f"{_url(project_id)}/{foreign}", headers=token).status_code == 404


def test_too_big(client: TestClient, database: Database, token: dict[str, str]) -> None:
    answer = client.post(_url(a_project(database)), content=b"x", headers={**token, "Content-Length": "99999999999"})
    assert answer.status_code == 413
