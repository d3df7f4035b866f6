"""Projects over the API."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from tests.factories.accounts import an_api_token
from tests.factories.projects import a_project


@pytest.fixture
def script(client: TestClient, database: Database) -> TestClient:
    client.headers["Authorization"] = f"Bearer {an_api_token(database)}"
    return client


def test_project_is_started_shown_and_changed(script: TestClient) -> None:
    made = script.post("/api/v1/projects", json={"name": "Speech", "currency": "CNY"})
    assert made.status_code == 201
    shown = script.get(made.headers["location"]).json()
    assert (shown["name"], shown["currency"], [step["step"] for step in shown["steps"]]) == (
        "Speech",
        "CNY",
        ["workload", "evidence", "options", "cost", "sheet"],
    )
    changed = script.patch(made.headers["location"], json={"name": "Voice", "row_version": shown["row_version"]})
    assert (changed.json()["name"], changed.json()["currency"]) == ("Voice", "CNY")
    assert script.patch(made.headers["location"], json={"name": "Late", "row_version": shown["row_version"]}).status_code == 409
    assert [project["name"] for project in script.get("/api/v1/projects").json()["projects"]] == ["Voice"]


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": 5}, "name"),
        ({"name": None}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"name": "a\u0000b"}, "name"),
        ({"name": "x", "currency": "EUR"}, "currency"),
        ({"name": "x", "colour": "red"}, "colour"),
    ],
)
def test_wrong_field_is_named(script: TestClient, document: dict[str, Any], field: str) -> None:
    answer = script.post("/api/v1/projects", json=document)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.parametrize("body", ["", "{", "[1, 2", "null", "[]", '"x"', "7", "[" * 100_000, '{"name": "\\ud800"}', "9" * 6000, "NaN"])
def test_any_body_is_answered_with_a_problem(script: TestClient, body: str) -> None:
    answer = script.post("/api/v1/projects", content=body, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.headers["content-type"] == "application/problem+json"


def test_taken_name_is_a_conflict(script: TestClient, database: Database) -> None:
    a_project(database, "Speech")
    assert script.post("/api/v1/projects", json={"name": "Speech"}).status_code == 409
