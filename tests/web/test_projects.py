"""The project list, a project's own fields, and what happens when they are wrong."""

from datetime import UTC, datetime, timedelta

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.services import projects
from tests.conftest import Surface
from tests.factories.projects import a_project


def soup(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "html.parser")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_list_shows_every_project(signed_in: TestClient, database: Database, surface: Surface, language: str) -> None:
    names = {"Retail copywriter 13B", "Defect vision", "Speech"}
    for name in names:
        a_project(database, name)
    answer = signed_in.get("/projects", headers={**surface.headers, "Accept-Language": language})
    assert answer.status_code == 200
    assert {link.text for link in soup(answer.text).select("[data-test=project] th a")} == names


def test_empty_list_teaches(signed_in: TestClient) -> None:
    assert soup(signed_in.get("/projects").text).select_one(".empty a[href='/projects/new']")


def test_new_project_leads_to_its_first_question(signed_in: TestClient, surface: Surface) -> None:
    answer = signed_in.post("/projects/new", data={"name": "Speech", "currency": "CNY"}, headers=surface.headers)
    assert surface.redirect(answer).endswith("/workload")


@pytest.mark.parametrize(
    ("sent", "bad"),
    [
        ({"name": "  ", "currency": "USD"}, "name"),
        ({"name": "x" * 121, "currency": "USD"}, "name"),
        ({"name": "a\x00b", "currency": "USD"}, "name"),
        ({"name": "Speech", "currency": "EUR"}, "currency"),
    ],
)
def test_wrong_field_is_named_and_nothing_is_lost(signed_in: TestClient, surface: Surface, sent: dict[str, str], bad: str) -> None:
    answer = signed_in.post("/projects/new", data=sent, headers=surface.headers)
    assert answer.status_code == 422
    page = soup(answer.text)
    assert page.select_one(f"[data-field={bad}] .error")
    assert page.select_one(f"#{bad}")["aria-invalid"] == "true"
    if "\x00" not in sent["name"]:
        assert page.select_one("#name")["value"] == sent["name"]
    assert not soup(signed_in.get("/projects").text).select("[data-test=project]")


def test_taken_name_is_reported_at_the_field(signed_in: TestClient, database: Database) -> None:
    a_project(database, "Speech")
    answer = signed_in.post("/projects/new", data={"name": "Speech", "currency": "USD"})
    assert answer.status_code == 422
    assert "Speech" in soup(answer.text).select_one("#name-error").text


def test_rename_and_stale_rename(signed_in: TestClient, database: Database, surface: Surface) -> None:
    project_id = a_project(database)
    page = soup(signed_in.get(f"/projects/{project_id}").text)
    form = {"name": "Renamed", "currency": "CNY", "row_version": page.select_one("[name=row_version]")["value"]}
    assert surface.redirect(signed_in.post(f"/projects/{project_id}", data=form, headers=surface.headers)) == f"/projects/{project_id}"
    answer = signed_in.post(f"/projects/{project_id}", data={**form, "name": "Too late"}, headers=surface.headers)
    assert answer.status_code == 409
    again = soup(answer.text)
    assert again.select_one("#name")["value"] == "Too late"
    assert again.select_one("[data-field=name] [data-test=theirs]").text == "Saved meanwhile: Renamed"
    assert not again.select("[data-field=currency] [data-test=theirs]")
    assert soup(signed_in.get(f"/projects/{project_id}").text).select_one("h1").text == "Renamed"


def test_settings_sent_twice_are_saved_once_and_a_stale_form_can_go_on(signed_in: TestClient, database: Database, surface: Surface) -> None:
    project_id = a_project(database)
    address = f"/projects/{project_id}"
    form = {"name": "Renamed", "currency": "CNY", "row_version": "1"}
    for _ in range(2):
        surface.redirect(signed_in.post(address, data=form, headers=surface.headers))
    stale = soup(signed_in.post(address, data={**form, "name": "Mine"}, headers=surface.headers).text)
    version = stale.select_one("[data-test=project-settings] [name=row_version]")["value"]
    surface.redirect(signed_in.post(address, data={**form, "name": "Mine", "row_version": version}, headers=surface.headers))
    assert soup(signed_in.get(address).text).select_one("h1").text == "Mine"


def test_deleted_project_is_gone_and_can_be_brought_back(signed_in: TestClient, database: Database, surface: Surface) -> None:
    project_id = a_project(database, "Ours")
    where = surface.redirect(signed_in.post(f"/projects/{project_id}/delete", headers=surface.headers))
    assert signed_in.get(f"/projects/{project_id}").status_code == 404
    assert signed_in.get(f"/projects/{project_id}/workload/model").status_code == 404
    assert signed_in.get(f"/api/v1/projects/{project_id}").status_code == 404
    assert all(project["name"] != "Ours" for project in signed_in.get("/api/v1/projects").json()["projects"])
    undo = soup(signed_in.get(where).text).select_one("[data-test=deleted] form")["action"]
    assert surface.redirect(signed_in.post(undo, headers=surface.headers)) == f"/projects/{project_id}"
    assert soup(signed_in.get(f"/projects/{project_id}").text).select_one("h1").text == "Ours"
    assert signed_in.post(undo).status_code == 404


def test_deleted_project_leaves_its_name_and_is_removed_after_a_day(database: Database, signed_in: TestClient) -> None:
    first, now = a_project(database, "Ours"), datetime.now(UTC)
    with database.write() as session:
        projects.delete_project(session, first, now=now)
    second = a_project(database, "Ours")
    assert signed_in.post(f"/projects/{first}/restore").status_code == 409
    with database.write() as session:
        projects.delete_project(session, second, now=now + projects.KEPT_AFTER_DELETION + timedelta(seconds=1))
        assert projects.find_deleted(session, first) is None
        assert projects.find_deleted(session, second) == "Ours"


@pytest.mark.parametrize("path", ["/projects/3fa85f64-5717-4562-b3fc-2c963f66afa6", "/projects/not-a-uuid", "/nothing-here"])
def test_unknown_address_is_a_404_page(signed_in: TestClient, surface: Surface, path: str) -> None:
    answer = signed_in.get(path, headers=surface.headers)
    assert answer.status_code == 404
    if surface.is_htmx:
        assert answer.headers["HX-Trigger"].isascii()
    else:
        assert soup(answer.text).select_one("h1").text == "Not found"
        assert soup(answer.text).select_one("nav a[href='/projects']")


def test_page_and_fragment_have_the_same_source(signed_in: TestClient, database: Database) -> None:
    a_project(database)
    page = soup(signed_in.get("/projects").text)
    fragment = soup(signed_in.get("/projects", headers={"HX-Request": "true"}).text)
    assert page.select_one("table").get_text() == fragment.select_one("table").get_text()
    assert fragment.select_one("header.top-bar") is None
    assert signed_in.get("/projects").headers["Vary"] == "HX-Request, HX-Target, Cookie, Accept-Language, Accept-Encoding"
