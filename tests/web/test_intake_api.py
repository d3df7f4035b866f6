"""The intake for scripts: read and replaced as the contract's document."""

from typing import Any
from uuid import UUID

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.domain.money import Currency
from app.services import accounts, catalogue, projects
from app.services.projects import SaveProject

CASE: dict[str, Any] = {
    "data": {"total_tb": 12, "sample_mb": 0.6, "storage_gbps": None, "stall": "decode", "workers_tried": 16},
    "model": {"name": "llama-2-13b"},
    "training": {"kind": "finetune", "method": "full", "seq_len": 512, "samples": 20000000, "epochs": 1, "deadline_days": 7},
    "inference": None,
    "software": {"framework": "pytorch", "libraries": ["deepspeed==0.8.3"], "fips_140": False},
    "operations": {"servers": ["dell-r750"], "environment": "production", "budget": {"amount": "2000000", "currency": "CNY"}},
}


@pytest.fixture
def address(database: Database) -> str:
    with database.write() as session:
        catalogue.seed(session)
        project_id: UUID = projects.start_project(
            session, SaveProject(name="By script", currency=Currency.USD), accounts.ensure_owner(session).id
        )
    return f"/api/v1/projects/{project_id}/intake"


def test_document_comes_back_as_it_was_put(signed_in: TestClient, address: str) -> None:
    assert signed_in.put(address, json=CASE).status_code == 200
    stored = signed_in.get(address).json()
    assert (stored["name"], stored["currency"]) == ("By script", "USD")
    assert stored["inference"] is None
    for section in ("data", "training", "software", "operations"):
        said = {key: value for key, value in stored[section].items() if value is not None}
        assert said == {key: value for key, value in CASE[section].items() if value is not None}
    assert stored["model"] == CASE["model"]


def test_put_replaces_what_was_there(signed_in: TestClient, address: str) -> None:
    signed_in.put(address, json=CASE)
    signed_in.put(address, json={"inference": {"qps": 5}})
    stored = signed_in.get(address).json()
    assert (stored["training"], stored["model"], stored["data"]["total_tb"], stored["inference"]["qps"]) == (None, None, None, 5)


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ([], "intake"),
        ({"training": {"deadline_days": 0}}, "training.deadline_days"),
        ({"moon": 1}, "moon"),
        ({"model": {"params_b": 7, "n_layers": 32, "hidden": 4096}}, "model.n_layers"),
        ({"data": {"total_tb": 0.001, "sample_mb": 2000}}, "data.sample_mb"),
        ({"operations": {"servers": ["no-such-server"]}}, "operations.servers"),
    ],
)
def test_bad_document_is_refused_by_field_and_stores_nothing(signed_in: TestClient, address: str, document: Any, field: str) -> None:
    signed_in.put(address, json=CASE)
    response = signed_in.put(address, json=document)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert [error["field"] for error in response.json()["errors"]] == [field]
    assert signed_in.get(address).json()["data"]["total_tb"] == 12


def test_unknown_project_is_not_found(signed_in: TestClient) -> None:
    assert signed_in.get("/api/v1/projects/00000000-0000-0000-0000-000000000000/intake").status_code == 404
