"""Importing files on the pages: looked at first, stored on request; exports read in again."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.seeds import load_catalogue
from app.services import catalogue
from tests.conftest import Surface
from tests.factories.spreadsheets import a_price, csv_of, rows_of, shipped_csv, xlsx_of

CATALOGUE = load_catalogue()


def soup(answer: Any) -> BeautifulSoup:
    return BeautifulSoup(answer.text, "html.parser")


def upload(browser: TestClient, path: str, content: bytes, name: str = "prices.csv", **headers: str) -> Any:
    return browser.post(path, files={"file": (name, content)}, data={"note": "list of October"}, headers=headers)


def confirmed(page: BeautifulSoup) -> dict[str, str]:
    """What the button under a preview sends."""
    form = page.select_one("[data-test=preview] form")
    assert form is not None
    return {field["name"]: field["value"] for field in form.select("input")} | {"confirmed": "true"}


@pytest.mark.parametrize("locale", ["en", "zh_CN"])
@pytest.mark.parametrize("path", ["/admin/import", "/prices/import"])
def test_upload_form(signed_in: TestClient, surface: Surface, path: str, locale: str) -> None:
    signed_in.cookies.set("locale", locale)
    page = soup(signed_in.get(path, headers=surface.headers))
    assert page.select_one("input[type=file]")
    assert page.select("a[href$='.xlsx']")


@pytest.mark.parametrize("path", ["/admin/import", "/prices/import"])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_nothing_is_stored_before_it_was_looked_at(
    signed_in: TestClient, database: Database, surface: Surface, path: str, kind: str
) -> None:
    prices = [a_price(), a_price(sku="two", gpu_count="2", hourly_price="1,70")]
    content = csv_of(*prices) if kind == "csv" else xlsx_of({"rental_prices": rows_of(prices)})
    page = soup(upload(signed_in, path, content, f"prices.{kind}", **surface.headers))
    assert len(page.select("[data-test=added]")) == 2
    with database.read() as session:
        assert catalogue.current(session).revision == CATALOGUE.revision
    answer = signed_in.post(path, data=confirmed(page), headers=surface.headers)
    assert surface.redirect(answer) == ("/prices" if path == "/prices/import" else "/catalogue")
    with database.read() as session:
        assert len(catalogue.current(session).rental_prices) == len(CATALOGUE.rental_prices) + 2
    assert soup(signed_in.get("/prices/rental?q=somecloud&sort=-hourly_price")).select(".table-facts tbody tr")[0]


def test_bad_lines_are_named_and_good_ones_can_be_stored(signed_in: TestClient, surface: Surface) -> None:
    content = csv_of(
        a_price(),
        a_price(sku="two", hourly_price="free"),
        a_price(sku="three", gpu_slug="no-such-card"),
        a_price(),
        a_price(sku="five", currency="EUR"),
        a_price(sku="six", hourly_price_per_gpu="9"),
    )
    page = soup(upload(signed_in, "/prices/import", content, **surface.headers))
    where = [problem.code.get_text() for problem in page.select("[data-test=problem]")]
    assert where == [
        "prices.csv:3: hourly_price",
        "prices.csv:4: gpu_slug",
        "prices.csv:5",
        "prices.csv:6: currency",
        "prices.csv:7: hourly_price_per_gpu",
    ]
    assert [row.get_text() for row in page.select("[data-test=added]")] == ["somecloud · one-l4 · L4 · on-demand · USD · EU · 2026-10"]
    surface.redirect(signed_in.post("/prices/import", data=confirmed(page), headers=surface.headers))
    assert len(soup(signed_in.get("/prices/rental?q=somecloud")).select(".table-facts tbody tr")) == 1


def test_changed_and_unchanged_rows_are_told_apart(signed_in: TestClient) -> None:
    content = b"slug,board_tdp_w\nl4,75\nt4,70\n"
    page = soup(upload(signed_in, "/admin/import", content, "gpus.csv"))
    (changed,) = page.select("[data-test=changed]")
    assert " ".join(changed.get_text(" ").split()).endswith("Board power W 72 75")
    signed_in.post("/admin/import", data=confirmed(page))
    gpu = soup(signed_in.get("/catalogue/gpus/l4"))
    assert "list of October" in gpu.select_one("[data-test=version]").get_text()
    again = soup(upload(signed_in, "/admin/import", content, "gpus.csv"))
    assert not again.select("[data-test=preview] form"), "nothing left to store"


def test_catalogue_that_changed_meanwhile_is_looked_at_again(signed_in: TestClient) -> None:
    page = soup(upload(signed_in, "/prices/import", csv_of(a_price())))
    other = soup(upload(signed_in, "/prices/import", csv_of(a_price(sku="other"))))
    signed_in.post("/prices/import", data=confirmed(other))
    answer = signed_in.post("/prices/import", data=confirmed(page))
    assert answer.status_code == 409
    again = soup(answer)
    assert again.select_one("[data-test=notice]")
    assert signed_in.post("/prices/import", data=confirmed(again)).status_code == 303


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG\x00\x01\xff\xfe", b"PK\x03\x04", b"colour,size\nred,3\n", csv_of(), shipped_csv("gpus")], ids=repr
)
def test_what_is_no_price_list_is_refused_in_words(signed_in: TestClient, surface: Surface, content: bytes) -> None:
    answer = upload(signed_in, "/prices/import", content, **surface.headers)
    page = soup(answer)
    assert answer.status_code in (200, 422)
    assert page.select("[data-test=error-summary], [data-test=problem], [data-test=preview] .notice")
    assert not page.select("[data-test=preview] form")


def test_no_file_and_a_forged_preview(signed_in: TestClient) -> None:
    assert signed_in.post("/admin/import", data={"note": "x"}).status_code == 422
    assert signed_in.post("/admin/import", data={"stored": "0" * 64, "name": "x", "confirmed": "true"}).status_code == 422


@pytest.mark.parametrize(("noun", "table"), [("gpus", "gpus"), ("precision", "precision_support"), ("rental", "rental_prices")])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_export_changes_nothing_when_it_comes_back(signed_in: TestClient, noun: str, table: str, kind: str) -> None:
    exported = signed_in.get(f"/catalogue/{noun}/-/export.{kind}")
    assert f'filename="{table}-current.{kind}"' in exported.headers["content-disposition"]
    page = soup(upload(signed_in, "/admin/import", exported.content, f"{table}.{kind}"))
    assert not page.select("[data-test=added], [data-test=changed], [data-test=problem]")
    assert signed_in.get(f"/catalogue/{noun}/-/export.pdf").status_code == 404
