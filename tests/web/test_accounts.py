"""Signing in, signing out, tokens."""

from datetime import UTC, datetime, timedelta

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.services import accounts
from tests.conftest import Surface
from tests.factories.accounts import an_api_token

NOW = datetime.now(UTC)
ANY_JOB = "/api/v1/jobs/3fa85f64-5717-4562-b3fc-2c963f66afa6"


def a_link(database: Database, made: datetime = NOW) -> str:
    with database.write() as session:
        return accounts.new_sign_in_link(session, accounts.ensure_owner(session).id, now=made)


def test_looking_at_the_link_does_not_spend_it(client: TestClient, database: Database) -> None:
    token = a_link(database)
    for _ in range(3):
        assert BeautifulSoup(client.get("/sign-in", params={"token": token}).text, "html.parser").select_one("[data-test=sign-in]")
    answer = client.post("/sign-in", data={"token": token, "next": "/account"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=lax" in answer.headers["set-cookie"]
    assert client.get("/account").status_code == 200


def test_link_works_once(client: TestClient, database: Database) -> None:
    token = a_link(database)
    assert client.post("/sign-in", data={"token": token}).status_code == 303
    assert client.post("/sign-in", data={"token": token}).status_code == 403


@pytest.mark.parametrize("token", ["", "wrong", "x" * 10_000, "a\x00b"])
def test_wrong_link_is_refused(client: TestClient, token: str) -> None:
    answer = client.post("/sign-in", data={"token": token})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_expired_link_is_refused(client: TestClient, database: Database) -> None:
    token = a_link(database, NOW - accounts.LINK_LASTS - timedelta(seconds=1))
    assert client.post("/sign-in", data={"token": token}).status_code == 403


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example", "///evil.example", "//[x", "/\\[x", "/\\evil.example", "javascript:alert(1)", "/a\r\nb"],
)
def test_nobody_is_sent_to_another_site(client: TestClient, database: Database, elsewhere: str) -> None:
    answer = client.post("/sign-in", data={"token": a_link(database), "next": elsewhere})
    assert answer.headers["location"] == "/"
    assert client.post("/preferences", data={"theme": "dark", "next": elsewhere}).headers["location"] == "/"


def test_page_leads_to_the_sign_in_page_and_back(client: TestClient, surface: Surface) -> None:
    answer = client.get("/projects?x=1", headers=surface.headers)
    assert surface.redirect(answer) == "/sign-in?next=%2Fprojects%3Fx%3D1"


def test_sign_out_ends_the_session_on_the_server(signed_in: TestClient) -> None:
    cookie = signed_in.cookies["gpuplan_session"]
    assert signed_in.post("/sign-out").status_code == 303
    signed_in.cookies.set("gpuplan_session", cookie)
    assert signed_in.get("/projects").status_code == 303


def test_token_is_shown_once_opens_the_api_and_can_be_revoked(signed_in: TestClient, client: TestClient) -> None:
    made = BeautifulSoup(signed_in.post("/account/tokens", data={"token": "nightly"}).text, "html.parser")
    secret = made.select_one("[data-test=new-token]").text
    page = BeautifulSoup(signed_in.get("/account").text, "html.parser")
    assert secret not in page.text
    signed_in.cookies.clear()
    bearer = {"Authorization": f"Bearer {secret}"}
    assert client.get(ANY_JOB, headers=bearer).status_code == 404
    assert client.get(ANY_JOB, headers={"Authorization": f"Bearer {secret}x"}).status_code == 401


def test_revoked_token_opens_nothing(signed_in: TestClient, database: Database) -> None:
    secret = an_api_token(database)
    bearer = {"Authorization": f"Bearer {secret}"}
    assert signed_in.get(ANY_JOB, headers=bearer).status_code == 404
    page = BeautifulSoup(signed_in.get("/account").text, "html.parser")
    assert signed_in.post(page.select_one("[data-test=token] form")["action"]).status_code == 303
    assert signed_in.get(ANY_JOB, headers=bearer).status_code == 401


def test_token_needs_a_name(signed_in: TestClient, surface: Surface) -> None:
    answer = signed_in.post("/account/tokens", data={"token": " "}, headers=surface.headers)
    assert answer.status_code == 422
    assert BeautifulSoup(answer.text, "html.parser").select_one("#token-error")


def test_api_without_credentials_is_a_401_problem(client: TestClient) -> None:
    answer = client.get(ANY_JOB)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"].startswith("Bearer")
