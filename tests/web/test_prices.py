"""The price lists, and the catalogue and prices as JSON."""

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.seeds import load_catalogue
from tests.conftest import Surface

CATALOGUE = load_catalogue()


@pytest.fixture
def browser(signed_in: TestClient) -> TestClient:
    return signed_in


@pytest.mark.parametrize("locale", ["en", "zh_CN"])
@pytest.mark.parametrize(("kind", "count"), [("purchase", len(CATALOGUE.purchase_prices)), ("rental", len(CATALOGUE.rental_prices))])
def test_every_price_is_listed(browser: TestClient, surface: Surface, kind: str, count: int, locale: str) -> None:
    browser.cookies.set("locale", locale)
    response = browser.get(f"/prices/{kind}", headers=surface.headers | {"HX-Target": "catalogue-table"})
    assert response.status_code == 200
    assert len(BeautifulSoup(response.text, "html.parser").select(".table-facts tbody tr")) == count


def test_prices_begin_with_buying(browser: TestClient) -> None:
    assert browser.get("/prices").headers["location"] == "/prices/purchase"
    assert browser.get("/prices/barter").status_code == 404


def test_price_keeps_its_currency_and_basis(browser: TestClient) -> None:
    page = BeautifulSoup(browser.get("/prices/purchase?gpu=h20-96gb").text, "html.parser")
    first = " ".join(page.select_one(".table-facts tbody tr").get_text(" ").split())
    assert "CN¥131,250" in first
    assert "CN¥1,050,000" in first
    assert "GPU board 8" in first
    assert "low" in first


def test_odd_price_is_marked_and_stays(browser: TestClient) -> None:
    page = BeautifulSoup(browser.get("/prices/rental?gpu=t4&currency=CNY").text, "html.parser")
    assert len(page.select(".table-facts tbody tr")) == sum(
        price.gpu_slug == "t4" and price.currency == "CNY" for price in CATALOGUE.rental_prices
    )
    assert len(page.select("[data-test=outlier]")) == 1


def test_bad_filter_shows_everything_and_says_so(browser: TestClient) -> None:
    response = browser.get(f"/prices/rental?region={'x' * 99}")
    assert response.status_code == 422
    assert len(BeautifulSoup(response.text, "html.parser").select(".table-facts tbody tr")) == len(CATALOGUE.rental_prices)


def test_gpus_as_json_carry_units(browser: TestClient) -> None:
    document = browser.get("/api/v1/catalogue/gpus").json()
    assert document["revision"] == CATALOGUE.revision
    assert len(document["gpus"]) == len(CATALOGUE.gpus)
    gpu = next(gpu for gpu in document["gpus"] if gpu["slug"] == "h100-sxm5-80gb")
    assert (gpu["memory_usable_gib"], gpu["memory_bandwidth_gbps"], gpu["peak_bf16_dense_tflops"], gpu["tdp_w"]) == (
        79.647461,
        3350,
        989.5,
        700,
    )
    assert gpu["source"]["evidence"] == "vendor"
    assert gpu["peak_fp4_dense_tflops"] is None


def test_prices_as_json_are_money(browser: TestClient) -> None:
    document = browser.get("/api/v1/prices", params={"gpu": "h20-96gb"}).json()
    assert document["purchase"][0]["price_per_gpu"] == {"amount": "131250", "currency": "CNY"}
    assert {price["gpu_slug"] for price in document["rental"]} == {"h20-96gb"}
    assert "rental" not in browser.get("/api/v1/prices?kind=purchase").json()


def test_bad_query_is_a_problem(browser: TestClient) -> None:
    response = browser.get("/api/v1/prices?kind=barter")
    assert (response.status_code, response.headers["content-type"]) == (422, "application/problem+json")
    assert response.json()["errors"][0]["field"] == "kind"


def test_json_asks_who_is_there(client: TestClient) -> None:
    assert client.get("/api/v1/prices").status_code == 401


@pytest.mark.parametrize("kind", ["purchase", "rental"])
def test_a_price_stands_under_prices(browser: TestClient, kind: str) -> None:
    listed = BeautifulSoup(browser.get(f"/prices/{kind}").text, "html.parser")
    first = listed.select_one(f'.table-facts tbody a[href^="/catalogue/{kind}/"]')
    assert first is not None
    page = BeautifulSoup(browser.get(str(first["href"])).text, "html.parser")
    assert [link.text for link in page.select('.top-bar nav [aria-current="page"]')] == ["Prices"]
