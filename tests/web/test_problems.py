"""One shape of an error on each surface."""

import json

import pytest
from bs4 import BeautifulSoup
from fastapi import APIRouter, FastAPI
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.domain.errors import Conflict, DataMissing, InvalidInput, NotFound
from tests.factories.accounts import an_api_token

RAISED = {
    "invalid": (InvalidInput("train.seq_len", "form.at_most", limit=7), 422),
    "missing": (NotFound("project.not_found"), 404),
    "conflict": (Conflict("project.stale"), 409),
    "no-data": (DataMissing("catalogue.no_gpu", slug="x"), 422),
    "bug": (ZeroDivisionError("secret detail"), 500),
}


@pytest.fixture
def script(client: TestClient, database: Database) -> TestClient:
    client.headers["Authorization"] = f"Bearer {an_api_token(database)}"
    return client


@pytest.fixture
def raising(application: FastAPI) -> FastAPI:
    router = APIRouter()

    def fail(kind: str) -> None:
        raise RAISED[kind][0]

    router.add_api_route("/raise/{kind}", fail)
    router.add_api_route("/api/v1/raise/{kind}", fail)
    application.include_router(router)
    return application


@pytest.fixture
def asking(raising: FastAPI) -> TestClient:
    return TestClient(raising, follow_redirects=False)


@pytest.mark.parametrize("kind", RAISED)
def test_api_answers_with_problem_details(asking: TestClient, kind: str) -> None:
    answer = asking.get(f"/api/v1/raise/{kind}")
    assert answer.status_code == RAISED[kind][1]
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert set(body) - {"errors"} == {"type", "title", "status", "detail", "instance", "request_id"}
    assert body["type"].startswith("/problems/")
    assert body["status"] == answer.status_code
    assert body["instance"] == f"/api/v1/raise/{kind}"
    assert body["request_id"] == answer.headers["x-request-id"]


def test_api_names_the_field(asking: TestClient) -> None:
    assert asking.get("/api/v1/raise/invalid").json()["errors"] == [
        {"field": "train.seq_len", "code": "form.at_most", "detail": "The largest possible value is 7."}
    ]


@pytest.mark.parametrize("kind", RAISED)
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_page_explains_and_names_the_request(asking: TestClient, kind: str, language: str) -> None:
    answer = asking.get(f"/raise/{kind}", headers={"Accept-Language": language})
    assert answer.status_code == RAISED[kind][1]
    page = BeautifulSoup(answer.text, "html.parser")
    assert page.select_one("html")["lang"] == language
    assert answer.headers["x-request-id"] in page.select_one("main").text
    assert "secret detail" not in answer.text


@pytest.mark.parametrize("kind", RAISED)
def test_htmx_gets_a_toast_and_keeps_its_page(asking: TestClient, kind: str) -> None:
    answer = asking.get(f"/raise/{kind}", headers={"HX-Request": "true", "Accept-Language": "zh-CN"})
    assert answer.status_code == RAISED[kind][1]
    assert answer.headers["HX-Reswap"] == "none"
    assert answer.headers["HX-Trigger"].isascii()
    assert json.loads(answer.headers["HX-Trigger"])["toast"]["text"]
    assert answer.text == ""


def test_wrong_method_is_said(client: TestClient) -> None:
    assert client.put("/projects").status_code == 405


@pytest.mark.parametrize("address", ["estimates", "plans", "tco", "projects"])
def test_lone_surrogate_in_a_document_is_bad_input(script: TestClient, address: str) -> None:
    answer = script.post(f"/api/v1/{address}", content=b'{"\\ud800": 1}', headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert [error["field"] for error in json.loads(answer.content)["errors"]] == ["\ud800"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_document_of_another_type_is_told_which_header_helps(script: TestClient, kind: str) -> None:
    answer = script.post("/api/v1/estimates", content=b'{"model": {"name": "llama-2-7b"}}', headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert "Content-Type: application/json" in answer.json()["detail"]


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "application/vnd.api+json"])
def test_document_that_says_it_is_json_is_read(script: TestClient, kind: str) -> None:
    answer = script.post("/api/v1/estimates", content=b'{"model": {"name": "llama-2-7b"}}', headers={"Content-Type": kind})
    assert answer.status_code == 200


def test_document_nested_without_end_is_no_json(script: TestClient) -> None:
    answer = script.post("/api/v1/plans", content=b"[" * 200_000, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["type"]) in ((400, "/problems/request.not_json"), (422, "/problems/request.not_json"))
