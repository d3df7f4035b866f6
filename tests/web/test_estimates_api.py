"""POST /api/v1/estimates."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.services import catalogue

URL = "/api/v1/estimates"
WORKLOAD: dict[str, Any] = {
    "model": {"name": "llama-2-7b"},
    "train": {"sharding": "zero3", "micro_batch": 4, "global_batch": 256, "train_tokens_b": 1},
    "gpu": "a100-sxm4-80gb",
    "n_gpus": 8,
}


@pytest.fixture
def caller(signed_in: TestClient, database: Database) -> TestClient:
    """Signed in, with the catalogue in the database."""
    with database.write() as session:
        catalogue.seed(session)
    return signed_in


def test_workload_is_answered(caller: TestClient) -> None:
    answer = caller.post(URL, json=WORKLOAD)
    assert answer.status_code == 200
    document = answer.json()
    assert set(document) == {"memory", "throughput", "duration", "energy", "findings", "assumptions", "derivation"}
    peak = document["memory"]["peak_gib_per_gpu"]
    assert peak["typical"] == pytest.approx(sum(part["gib"] for part in document["memory"]["parts"]))
    assert peak["low"] <= peak["typical"] <= peak["high"]


def test_assumptions_are_in_the_callers_language(caller: TestClient) -> None:
    answer = caller.post(URL, json=WORKLOAD, headers={"Accept-Language": "zh-CN"})
    whys = {entry["field"]: entry["why"] for entry in answer.json()["assumptions"]}
    assert whys["train.offload"] == "全部留在 GPU 上。"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"gpu": "h100"}, "gpu"),
        ({"model": {"name": "no such model"}}, "model.name"),
        ({"train": {"tp": 3}}, "n_gpus"),
        ({"train": {"ep": 8}}, "train.ep"),
        ({"train": {"knobs": ["teleport"]}}, "train.knobs"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_workload_names_its_field(caller: TestClient, change: dict[str, Any], field: str) -> None:
    answer = caller.post(URL, json=WORKLOAD | change)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert [error["field"] for error in answer.json()["errors"]] == [field]
