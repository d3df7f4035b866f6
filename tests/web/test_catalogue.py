"""The catalogue's lists and detail pages."""

import re

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.seeds import load_catalogue
from app.web.listing import title_of
from app.web.nouns import NOUNS, TABS
from tests.conftest import Surface

CATALOGUE = load_catalogue()


@pytest.fixture
def browser(signed_in: TestClient) -> TestClient:
    return signed_in


def rows(html: str) -> list[str]:
    return [" ".join(row.th.get_text().split()) for row in BeautifulSoup(html, "html.parser").select(".table-facts tbody tr")]


@pytest.mark.parametrize("noun", TABS)
def test_every_list_shows_all_its_rows(browser: TestClient, surface: Surface, noun: str) -> None:
    response = browser.get(f"/catalogue/{noun}", headers=surface.headers | ({"HX-Target": "catalogue-table"} if surface.is_htmx else {}))
    assert response.status_code == 200
    assert len(rows(response.text)) == len(NOUNS[noun].rows(CATALOGUE))
    assert ("<html" in response.text) is not surface.is_htmx


@pytest.mark.parametrize("locale", ["en", "zh_CN"])
@pytest.mark.parametrize("noun", NOUNS)
def test_every_detail_page_can_be_read(browser: TestClient, noun: str, locale: str) -> None:
    browser.cookies.set("locale", locale)
    found = NOUNS[noun].rows(CATALOGUE)
    for row in (found[0], found[len(found) // 2], found[-1]):
        response = browser.get(f"/catalogue/{noun}/{NOUNS[noun].identify(row)}")
        assert response.status_code == 200, row
        page = BeautifulSoup(response.text, "html.parser")
        assert noun == "factors" or title_of(NOUNS[noun], row, CATALOGUE) in page.h1.get_text()
        figures = page.select("[data-test^=figure-]")
        assert figures
        assert all(figure.select(".status") and re.match(r"20\d\d", figure.select("td")[-1].get_text()) for figure in figures)


def test_identifiers_are_unique() -> None:
    for noun in NOUNS.values():
        keys = [noun.identify(row) for row in noun.rows(CATALOGUE)]
        assert len(set(keys)) == len(keys), noun.key
        assert all("/" not in key for key in keys)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=h100 nvl", ["NVIDIA H100 NVL 94GB"]),
        ("vendor=Intel&form_factor=PCIe", ["Intel Gaudi 3 PCIe"]),
        ("q=rtx&memory=90&market_class=workstation&precision=fp8&evidence=sure", 2),
        ("q=no such board", []),
    ],
)
def test_filters_leave_what_matches(browser: TestClient, query: str, expected: list[str] | int) -> None:
    found = rows(browser.get(f"/catalogue/gpus?{query}").text)
    if isinstance(expected, int):
        assert len(found) == expected
    else:
        assert [name.split(" (")[0] for name in found] == expected


@pytest.mark.parametrize(
    "query", ["memory=much", "memory=-1", "memory=nan", "memory=1e99", "form_factor=card", "sort=colour", "link=rope", f"q={'x' * 101}"]
)
def test_bad_filter_is_named_and_nothing_is_lost(browser: TestClient, surface: Surface, query: str) -> None:
    response = browser.get(f"/catalogue/gpus?{query}&vendor=AMD", headers=surface.headers | {"HX-Target": "catalogue-table"})
    assert response.status_code == 422
    assert BeautifulSoup(response.text, "html.parser").select("[role=alert]")
    assert len(rows(response.text)) == sum(gpu.vendor == "AMD" for gpu in CATALOGUE.gpus)


@pytest.mark.parametrize("path", ["/catalogue/cars", "/catalogue/gpus/gtx-1", "/catalogue/gpus/%00", "/catalogue/gpus/" + "x" * 2000])
def test_unknown_entry_is_not_found(browser: TestClient, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_unconfirmed_figure_looks_unconfirmed(browser: TestClient) -> None:
    page = BeautifulSoup(browser.get("/catalogue/gpus/rtx-pro-6000-blackwell-server").text, "html.parser")
    assert "unconfirmed" in page.select_one("[data-test=figure-memory_bandwidth_bytes_per_s]")["class"]
    assert page.select_one("[data-test=figure-tdp_w]").get("class") is None


def test_modelled_power_opens_its_derivation(browser: TestClient) -> None:
    page = BeautifulSoup(browser.get("/catalogue/servers/dell-r750").text, "html.parser")
    power = page.select_one("[data-test=figure-max_power_w]")
    assert power.select_one("button.number-open")
    assert "2.16 kW" in " ".join(power.get_text().split())
    assert page.select_one("#step-server_power\\.summed")


def test_support_that_nobody_confirmed_is_marked(browser: TestClient) -> None:
    page = BeautifulSoup(browser.get("/catalogue/servers/dell-r750").text, "html.parser")
    marked = {item.a.get_text() for item in page.select(".plain-list li") if item.select(".status-warning")}
    assert "NVIDIA A40" in marked
    assert "NVIDIA A100 PCIe 80GB" not in marked


def test_catalogue_asks_who_is_there(client: TestClient) -> None:
    response = client.get("/catalogue/gpus")
    assert response.status_code == 303
    assert response.headers["location"].startswith("/sign-in")
