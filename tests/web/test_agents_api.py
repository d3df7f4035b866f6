"""What agents send: each piece once, in the right project, one log in the end."""

import gzip
from uuid import UUID, uuid4

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.jobs.registry import TASKS
from app.services import catalogue, members, runs, telemetry
from app.services.telemetry import UploadRow
from tests.factories import accounts
from tests.factories.dmon import a_log, steady
from tests.factories.projects import a_project

LOG = a_log(steady(40, gpu_count=2, sm=41, mem=12))


@pytest.fixture
def project_id(database: Database) -> UUID:
    with database.write() as session:
        catalogue.seed(session)
    return a_project(database)


class Node:
    """Sends chunks of one stream."""

    def __init__(self, client: TestClient, database: Database, project_id: UUID, token: str = "") -> None:
        self.client, self.database, self.project_id = client, database, project_id
        self.headers = {"Authorization": f"Bearer {token or accounts.an_api_token(database)}", "Upload-Id": str(uuid4())}

    def send(self, number: int, content: bytes, name: str = "node-1", **headers: str) -> tuple[int, dict[str, object]]:
        sent = self.headers | {"Chunk-Seq": str(number)} | {key.replace("_", "-"): value for key, value in headers.items()}
        answer = self.client.post(f"/api/v1/agents/{name}/chunks", params={"project": str(self.project_id)}, content=content, headers=sent)
        return answer.status_code, answer.json()

    def upload(self) -> UploadRow:
        with self.database.read() as session:
            return telemetry.get_upload(session, self.project_id, UUID(self.headers["Upload-Id"]))


@pytest.fixture
def node(client: TestClient, database: Database, project_id: UUID) -> Node:
    return Node(client, database, project_id)


def test_pieces_count_once_and_make_one_log(node: Node, signed_in: TestClient, database: Database) -> None:
    lines = LOG.splitlines(keepends=True)
    parts = [b"".join(lines[:30]), b"".join(lines[:2] + lines[30:60]), b"".join(lines[:2] + lines[60:])]
    assert node.send(0, parts[0])[1]["is_new"] is True
    assert node.send(0, parts[0])[1]["is_new"] is False
    assert node.send(1, gzip.compress(parts[1]), Content_Encoding="gzip")[0] == 200
    assert node.send(2, parts[2])[0] == 200
    assert node.send(1, parts[1])[1]["is_new"] is False
    assert node.send(3, b"")[1]["is_new"] is True
    assert node.send(3, b"")[1]["is_new"] is False
    upload = node.upload()
    assert (upload.agent, upload.size_bytes) == ("node-1", sum(map(len, parts)))
    assert upload.job_id is not None
    runs.run(database, upload.job_id, TASKS)
    assert node.upload().sample_count == 80
    raw = signed_in.get(f"/projects/{node.project_id}/evidence/{upload.id}/raw")
    assert raw.content == b"".join(parts)


def test_a_log_that_grows_is_read_again_when_it_ends(node: Node, database: Database) -> None:
    node.send(0, LOG)
    job_id = node.upload().job_id
    assert job_id is not None
    runs.run(database, job_id, TASKS)
    assert node.upload().sample_count == 80
    node.send(1, LOG)
    runs.run(database, job_id, TASKS)
    assert node.upload().sample_count == 80  # a minute has not passed
    node.send(2, b"")
    runs.run(database, job_id, TASKS)
    assert (node.upload().sample_count, node.upload().job_id) == (160, job_id)


def test_what_comes_while_the_log_is_read_is_not_missed(node: Node, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    node.send(0, LOG)
    job_id, reading = node.upload().job_id, telemetry.read

    def slowly(*given: object) -> object:
        found = reading(*given)  # type: ignore[arg-type]
        monkeypatch.setattr(telemetry, "read", reading)
        node.send(1, LOG)
        node.send(2, b"")
        return found

    monkeypatch.setattr(telemetry, "read", slowly)
    assert job_id is not None
    runs.run(database, job_id, TASKS)
    assert node.upload().sample_count == 160


def test_the_agent_is_told_to_begin_anew(node: Node, database: Database, project_id: UUID) -> None:
    node.send(0, LOG)
    assert node.send(0, b"something else\n")[0] == 409
    assert node.send(1, LOG, name="node-2")[0] == 409
    other = Node(node.client, database, a_project(database, "Another"))
    other.headers["Upload-Id"] = node.headers["Upload-Id"]
    assert other.send(1, LOG)[0] == 409
    node.send(1, b"")
    assert node.send(2, LOG)[0] == 409
    assert node.upload().size_bytes == len(LOG)


def test_a_log_that_was_taken_away_stays_away(node: Node, signed_in: TestClient) -> None:
    node.send(0, LOG)
    signed_in.post(f"/projects/{node.project_id}/evidence/{node.upload().id}/delete")
    assert node.send(1, LOG)[0] == 409
    assert node.upload().removed_at is not None


def test_a_token_for_one_project_names_it(client: TestClient, database: Database, project_id: UUID) -> None:
    user = accounts.a_user(database, "agent owner")
    with database.write() as session:
        members.add(session, project_id, "agent owner")
    token = accounts.an_api_token(database, "agent", user, project_id)
    headers = {"Authorization": f"Bearer {token}", "Upload-Id": str(uuid4()), "Chunk-Seq": "0"}
    assert client.post("/api/v1/agents/n/chunks", content=LOG, headers=headers).status_code == 200
    elsewhere = {"project": str(a_project(database, "Another"))}
    assert client.post("/api/v1/agents/n/chunks", params=elsewhere, content=LOG, headers=headers).status_code == 404
    whole = headers | {"Authorization": f"Bearer {accounts.an_api_token(database, 'all', user)}"}
    answer = client.post("/api/v1/agents/n/chunks", content=LOG, headers=whole)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "project")


@pytest.mark.parametrize(
    ("headers", "field"),
    [
        ({"Upload_Id": "seven"}, "upload-id"),
        ({"Chunk_Seq": "-1"}, "chunk-seq"),
        ({"Chunk_Seq": str(2**31)}, "chunk-seq"),
        ({"Content_Encoding": "gzip"}, "Content-Encoding"),
        ({"Content_Encoding": "br"}, "Content-Encoding"),
        ({"Agent_Facts": "[1]"}, "Agent-Facts"),
        ({"Agent_Facts": "[" * 9000}, "Agent-Facts"),
    ],
)
def test_what_is_wrong_is_named(node: Node, headers: dict[str, str], field: str) -> None:
    status, answer = node.send(0, LOG, **headers)
    assert (status, [error["field"].casefold() for error in answer["errors"]]) == (422, [field.casefold()])  # type: ignore[index, attr-defined]


def test_a_bomb_is_refused(node: Node) -> None:
    assert node.send(0, gzip.compress(b"\0" * (5 << 20)), Content_Encoding="gzip")[0] == 422


def test_the_node_and_its_board_are_shown(node: Node, signed_in: TestClient, database: Database) -> None:
    facts = '{"host": "n1", "driver": "550.54", "gpus": [{"index": "0", "uuid": "GPU-1", "name": "NVIDIA A100-SXM4-80GB"}], "x": 1}'
    node.send(0, LOG, Agent_Facts=facts)
    assert node.upload().gpu == "a100-sxm4-80gb"
    assert "agent, sending" in signed_in.get(f"/projects/{node.project_id}/evidence").text
    job_id = node.upload().job_id
    assert job_id is not None
    runs.run(database, job_id, TASKS)
    assert "driver 550.54" in signed_in.get(f"/projects/{node.project_id}/evidence/{node.upload().id}").text


def test_anybody_may_fetch_the_agent(client: TestClient) -> None:
    answer = client.get("/agent.py")
    assert answer.status_code == 200
    compile(answer.text, "agent.py", "exec")
