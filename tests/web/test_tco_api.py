"""POST /api/v1/tco."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.services import catalogue

URL = "/api/v1/tco"
SCENARIO: dict[str, Any] = {
    "years": 3,
    "discount_rate": 0,
    "options": [{"kind": "buy", "power": {"average_w": 250}, "electricity_per_kwh": "0.12", "pue": 1}],
}


@pytest.fixture
def caller(signed_in: TestClient, database: Database) -> TestClient:
    """Signed in, with the catalogue in the database."""
    with database.write() as session:
        catalogue.seed(session)
    return signed_in


def test_scenario_is_answered(caller: TestClient) -> None:
    answer = caller.post(URL, json=SCENARIO)
    assert answer.status_code == 200
    assert answer.json()["options"][0]["total"] == {"amount": "788.40", "currency": "USD"}
    assert answer.json()["options"][0]["kwh"] == 6570


def test_texts_are_in_the_callers_language(caller: TestClient) -> None:
    answer = caller.post(URL, json=SCENARIO, headers={"Accept-Language": "zh-CN"})
    assert "全年开机。" in {entry["why"] for entry in answer.json()["assumptions"]}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (
            '{"options": [{"kind": "buy", "capex": [{"item": "a", "unit_price": 1}, {"item": "b", "unit_price": "x"}]}]}',
            "options[0].capex[1].unit_price",
        ),
        ('{"options": [{"kind": "buy", "pue": NaN}]}', "options[0].pue"),
        ('{"options": [], "years": 3}', "options"),
        ('{"options": [{"kind": "hybrid"}]}', "options[0].parts"),
        ("[]", "document"),
    ],
)
def test_bad_scenario_names_its_field(caller: TestClient, body: str, field: str) -> None:
    answer = caller.post(URL, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.parametrize("body", ["", "{", "\x00", "[" * 100_000])
def test_unreadable_body_is_a_problem(caller: TestClient, body: str) -> None:
    answer = caller.post(URL, content=body, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.headers["content-type"] == "application/problem+json"


def test_nobody_signed_in_is_refused(client: TestClient) -> None:
    assert client.post(URL, json=SCENARIO).status_code == 401
