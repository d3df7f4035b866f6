"""Retired rows stand on a page of their own and come back by one press, as they last were."""

from collections.abc import Mapping
from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from tests.conftest import Surface
from tests.web.test_catalogue_edit import fields, soup

R750 = "/catalogue/servers/dell-r750"
RETIRED = "/catalogue/servers/-/retired"


def retire(browser: TestClient, path: str, why: str = "no longer sold") -> None:
    browser.post(f"{path}/edit", data=fields(browser, f"{path}/edit") | {"retire": "true", "why": why})
    assert browser.get(path).status_code == 404


def rows(browser: TestClient, path: str = RETIRED) -> list[Any]:
    return list(soup(browser.get(path)).select("[data-test=retired-row]"))


def sent(row: Any) -> Mapping[str, str]:
    return {str(field["name"]): str(field["value"]) for field in row.select("form input")}


def test_a_retired_row_comes_back_as_it_was(signed_in: TestClient, surface: Surface) -> None:
    before = soup(signed_in.get(R750)).select_one(".facts-layout > div section")
    assert rows(signed_in) == []
    retire(signed_in, R750)
    (row,) = rows(signed_in)
    assert "no longer sold" in row.text
    answer = signed_in.post(RETIRED, data=sent(row), headers=surface.headers)
    assert surface.redirect(answer) == R750
    assert soup(signed_in.get(R750)).select_one(".facts-layout > div section") == before
    assert rows(signed_in) == []
    history = soup(signed_in.get(R750)).select("[data-test=version]")
    assert len(history) == 3
    assert "retired" in history[1].text


def test_a_press_on_an_old_page_changes_nothing(signed_in: TestClient) -> None:
    retire(signed_in, R750)
    (row,) = rows(signed_in)
    assert signed_in.post(RETIRED, data=sent(row)).status_code == 303
    assert signed_in.post(RETIRED, data=sent(row)).status_code == 404
    retire(signed_in, R750, "again")
    assert signed_in.post(RETIRED, data=sent(row)).status_code == 409
    assert signed_in.get(R750).status_code == 404


def test_a_row_whose_key_is_taken_is_not_brought_back(signed_in: TestClient) -> None:
    copy = fields(signed_in, f"{R750}/edit")
    retire(signed_in, R750)
    (row,) = rows(signed_in)
    added = signed_in.post("/catalogue/servers/-/new", data={**copy, "row_version": "", "why": "typed again"})
    assert added.status_code == 303
    answer = signed_in.post(RETIRED, data=sent(row))
    assert answer.status_code in (409, 422)
    assert BeautifulSoup(answer.text, "html.parser").select("[data-test=error-summary], .error-page, h1")
    assert len(rows(signed_in)) == 1


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "٣", "999999999"])
def test_a_forged_press_is_refused(signed_in: TestClient, number: str) -> None:
    retire(signed_in, R750)
    assert signed_in.post(RETIRED, data={"row_id": number, "row_version": number}).status_code == 404
