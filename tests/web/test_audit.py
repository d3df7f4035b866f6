"""The audit log: each thing done has a line with its author, what was undone has none, and only administrators read it."""

from typing import Any
from uuid import UUID

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.services import accounts, audit
from tests.factories.accounts import a_user
from tests.factories.answered import an_answered_project
from tests.web.test_catalogue_edit import L4, fields

PASSWORD = "four random words here"


def lines(client: TestClient, query: str = "") -> list[str]:
    """The log's lines without their time."""
    answer = client.get(f"/admin/audit{query}")
    assert answer.status_code == 200
    found: list[Any] = BeautifulSoup(answer.text, "html.parser").select("[data-test=entry]")
    return [" | ".join(" ".join(cell.get_text(" ").split()) for cell in row.select("th, td")[1:]).strip(" |") for row in found]


def user_id(database: Database, name: str) -> UUID:
    with database.read() as session:
        return accounts.get_user(session, name).id


def test_users_and_their_ways_in_are_noted(signed_in: TestClient, client: TestClient, database: Database) -> None:
    signed_in.post("/admin/users", data={"name": "Li Wei", "role": "requester"})
    one = user_id(database, "Li Wei")
    signed_in.post(f"/admin/users/{one}/role", data={"role": "procurement"})
    signed_in.post(f"/admin/users/{one}/deactivate")
    signed_in.post(f"/admin/users/{one}/reactivate")
    said = lines(signed_in, "?kind=users")
    assert [line.split(" | ")[1] for line in said] == [
        "let Li Wei in again",
        "deactivated Li Wei",
        "gave Li Wei the role procurement",
        "made a sign-in link for Li Wei",
        "added the user Li Wei as requester",
    ]
    assert {line.split(" | ")[0] for line in said} == {"owner"}


def test_signing_in_is_noted_also_where_it_was_refused(signed_in: TestClient, application: Any, database: Database) -> None:
    a_user(database, password=PASSWORD)
    browser = TestClient(application, base_url="http://testserver", headers={"user-agent": "a test"})
    for password in ("wrong", PASSWORD):
        browser.post("/sign-in/password", data={"name": "Li Wei", "password": password})
    newest, older, *_ = lines(signed_in, "?kind=sign_ins&by=Li+Wei")
    assert newest.startswith("Li Wei | signed in by password, from a test")
    assert older.startswith("Li Wei | was refused at signing in")


def test_tokens_and_cost_inputs_are_noted(signed_in: TestClient, database: Database) -> None:
    project_id = an_answered_project(database)
    signed_in.post("/account/tokens", data={"token": "nightly", "project": ""})
    signed_in.post(f"/projects/{project_id}/cost", data={"key": "own.pue", "value": "1.2"})
    signed_in.post(f"/projects/{project_id}/cost", data={"key": "own.pue", "value": "a lot", "seen": "1.2"})
    assert lines(signed_in, "?kind=costs") == ["owner | set the cost input PUE to 1.2 | Retail copywriter 13B"], (
        "what was refused was not done"
    )
    signed_in.post(f"/projects/{project_id}/cost/reset", data={"key": "made\x00up", "configuration": "\x00"})
    signed_in.post(f"/projects/{project_id}/cost/reset", data={"key": "made.up"})
    signed_in.post(f"/projects/{project_id}/cost", data={"key": "own.gpu_price", "value": "150,000"})
    assert lines(signed_in, "?kind=costs")[0].startswith("owner | set the cost input Price of one GPU to 150000 CNY")
    assert lines(signed_in, "?kind=tokens") == ["owner | made the token nightly"]


def test_changes_of_the_catalogue_come_from_its_versions(signed_in: TestClient) -> None:
    signed_in.post(f"{L4}/edit", data=fields(signed_in, f"{L4}/edit") | {"board_tdp_w": "75", "why": "datasheet of November"})
    newest, *rest = lines(signed_in, "?kind=catalogue")
    assert newest.startswith("owner | changed the catalogue: datasheet of November | ")
    assert rest, "the facts that came with the release stand below"


def test_pages_follow_one_another(signed_in: TestClient, database: Database) -> None:
    for number in range(audit.SHOWN_COUNT + 1):
        with database.write() as session:
            audit.note(session, "owner", "token_made", name=f"token {number}")
    page = BeautifulSoup(signed_in.get("/admin/audit?kind=tokens").text, "html.parser")
    older = page.select_one("[data-test=older]")
    assert len(page.select("[data-test=entry]")) == audit.SHOWN_COUNT
    assert older is not None
    assert "kind=tokens" in str(older["href"])


@pytest.mark.parametrize(
    "query", ["?kind=nonsense", "?before=yesterday", "?before=2026-01-01", "?by=%00", "?before=9999-12-31T00:00:00%2B00:00"]
)
def test_whatever_an_address_asks_the_page_answers(signed_in: TestClient, query: str) -> None:
    assert signed_in.get(f"/admin/audit{query}").status_code == 200
