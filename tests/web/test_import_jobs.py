"""Large files are looked at and stored by a worker: nothing before it was confirmed, and nothing twice."""

from datetime import date
from typing import Any
from uuid import UUID

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.jobs.registry import TASKS
from app.seeds import load_catalogue
from app.services import catalogue, import_jobs, imports, runs
from app.services.accounts import UserRole
from tests.conftest import Surface
from tests.factories.accounts import a_session, a_user
from tests.factories.spreadsheets import a_price, csv_of

RENTALS = len(load_catalogue().rental_prices)
MANY = [a_price(sku=f"sku-{number}") for number in range(3000)]
BAD = a_price(sku="bad", hourly_price="free")


def soup(answer: Any) -> BeautifulSoup:
    assert answer.status_code == 200, answer.text
    return BeautifulSoup(answer.text, "html.parser")


def upload(browser: TestClient, content: bytes, surface: Surface) -> str:
    answer = browser.post("/prices/import", files={"file": ("big.csv", content)}, data={"note": "all of it"}, headers=surface.headers)
    return surface.redirect(answer)


def work(database: Database, page: str) -> None:
    runs.run(database, UUID(page.rpartition("/")[2]), TASKS)


def rentals(database: Database) -> int:
    with database.read() as session:
        return len(catalogue.current(session).rental_prices)


def confirm(browser: TestClient, page: str) -> Any:
    form = soup(browser.get(page)).select_one("main form")
    assert form is not None
    sent = {str(field["name"]): str(field["value"]) for field in form.select("input")} | {"confirmed": "true"}
    return browser.post(str(form["action"]), data=sent)


def test_a_large_file_is_looked_at_then_stored(signed_in: TestClient, database: Database, surface: Surface) -> None:
    content = csv_of(*MANY, BAD)
    assert len(content) > import_jobs.FROM_BYTES
    page = upload(signed_in, content, surface)
    waiting = soup(signed_in.get(page))
    assert waiting.select_one("[data-test=job] progress")
    assert waiting.select("main form") == []

    work(database, page)
    seen = soup(signed_in.get(page))
    assert seen.select_one("[data-test=counts]").text == "3000 added, 0 changed, 0 unchanged, 1 problems"
    assert [row.code.text for row in seen.select("[data-test=problem]")] == ["big.csv:3002: hourly_price"]
    assert len(seen.select("[data-test=added]")) == import_jobs.KEPT_COUNT
    assert rentals(database) == RENTALS

    stored = confirm(signed_in, page).headers["location"]
    assert rentals(database) == RENTALS, "the worker stores, not the press"
    work(database, stored)
    work(database, stored)
    assert soup(signed_in.get(stored)).select_one("[data-test=stored]")
    assert rentals(database) == RENTALS + 3000


def test_what_changed_since_it_was_looked_at_is_not_stored(signed_in: TestClient, database: Database, surface: Surface) -> None:
    page = upload(signed_in, csv_of(*MANY), surface)
    work(database, page)
    other = csv_of(a_price(sku="other"))
    small = soup(signed_in.post("/prices/import", files={"file": ("small.csv", other)}, data={"note": ""}))
    form = small.select_one("[data-test=preview] form")
    assert form is not None
    signed_in.post(
        "/prices/import", data={str(field["name"]): str(field["value"]) for field in form.select("input")} | {"confirmed": "true"}
    )
    stored = confirm(signed_in, page).headers["location"]
    work(database, stored)
    assert soup(signed_in.get(stored)).select_one(".job-failed")
    assert rentals(database) == RENTALS + 1


def test_progress_grows_while_a_file_is_read(signed_in: TestClient, database: Database) -> None:
    told: list[float] = []
    with database.read() as session:
        imports.plan(session, "big.csv", csv_of(*MANY[:50]), imports.PRICE_TABLES, date(2026, 12, 1), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(set(told)) > 1


@pytest.mark.parametrize(("role", "status"), [(UserRole.PROCUREMENT, 200), (UserRole.REQUESTER, 403)])
def test_who_may_keep_prices_sees_the_job_and_its_progress(
    signed_in: TestClient, client: TestClient, database: Database, surface: Surface, role: UserRole, status: int
) -> None:
    page = upload(signed_in, csv_of(*MANY), surface)
    client.cookies.set("gpuplan_session", a_session(database, a_user(database, role=role)))
    assert client.get(page).status_code == status
    assert client.get(f"/jobs/{page.rpartition('/')[2]}").status_code == status
    assert client.get(page.replace("/prices/", "/admin/")).status_code == 403
