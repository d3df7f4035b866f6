"""A change of policy is looked at before it is stored: what it does to the demo project."""

from datetime import UTC, datetime
from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.services import catalogue, demo
from tests.web.test_catalogue_edit import fields

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
ROOM = "/catalogue/policy-values/room.training"


@pytest.fixture
def with_demo(database: Database) -> None:
    with database.write() as session:
        catalogue.seed(session)
        demo.start(session, database, NOW)


def revision(database: Database) -> str:
    with database.read() as session:
        return catalogue.current(session).revision


def soup(answer: Any) -> BeautifulSoup:
    return BeautifulSoup(answer.text, "html.parser")


def again(page: BeautifulSoup) -> dict[str, str]:
    """What the form sends that the preview stands in."""
    form = page.select_one(".fact-form")
    assert form is not None
    sent = {str(field["name"]): str(field.get("value", "")) for field in form.select("input")}
    sent |= {str(area["name"]): area.get_text().removeprefix("\n") for area in form.select("textarea")}
    return sent | {
        str(box["name"]): str((box.select_one("option[selected]") or box.select_one("option"))["value"]) for box in form.select("select")
    }


@pytest.mark.usefixtures("with_demo")
def test_a_limit_is_previewed_and_stored_only_as_previewed(signed_in: TestClient, database: Database) -> None:
    before = revision(database)
    sent = fields(signed_in, f"{ROOM}/edit") | {"value": "0.6", "why": "a trial run ran out of memory"}
    shown = soup(signed_in.post(f"{ROOM}/edit", data=sent))
    preview = shown.select_one("[data-test=policy-preview]")
    assert preview is not None
    assert preview.select_one("[data-test=moved-best]") is not None
    assert revision(database) == before

    other = signed_in.post(f"{ROOM}/edit", data=again(shown) | {"value": "0.7"})
    assert soup(other).select_one("[data-test=policy-preview]"), "what was previewed is not what is sent"
    assert revision(database) == before

    assert signed_in.post(f"{ROOM}/edit", data=again(shown)).status_code == 303
    assert revision(database) != before


@pytest.mark.usefixtures("with_demo")
def test_a_row_that_changes_nothing_says_so(signed_in: TestClient, database: Database) -> None:
    sent = fields(signed_in, f"{ROOM}/edit") | {"meaning": "Share of memory that training may fill", "why": "clearer"}
    preview = soup(signed_in.post(f"{ROOM}/edit", data=sent)).select_one("[data-test=policy-preview]")
    assert preview is not None
    assert "changes nothing" in preview.text
    assert preview.select("table") == []


@pytest.mark.usefixtures("with_demo")
def test_what_cannot_hold_is_refused_before_any_preview(signed_in: TestClient) -> None:
    sent = fields(signed_in, f"{ROOM}/edit") | {"value": "9", "why": "too much"}
    answer = signed_in.post(f"{ROOM}/edit", data=sent)
    assert answer.status_code == 422
    assert soup(answer).select("[data-test=policy-preview]") == []
