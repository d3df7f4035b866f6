"""Rows side by side, on the page and as JSON; lists sorted and as of an old revision."""

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.seeds import load_catalogue
from tests.conftest import Surface

THREE = "row=h100-sxm5-80gb&row=a100-sxm4-80gb&row=mi300x"
CATALOGUE = load_catalogue()


def soup(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser")


@pytest.mark.parametrize("locale", ["en", "zh_CN"])
def test_best_and_different_figures_are_marked(signed_in: TestClient, surface: Surface, locale: str) -> None:
    signed_in.cookies.set("locale", locale)
    answer = signed_in.get(f"/catalogue/gpus/-/compare?{THREE}", headers=surface.headers)
    assert answer.status_code == 200
    page = soup(answer.text)
    bandwidth = page.select_one("[data-test=figure-memory_bandwidth_bytes_per_s]")
    assert bandwidth["class"] == ["differs"]
    assert [bool(cell.select(".status-good")) for cell in bandwidth.select("td")] == [False, False, True]
    assert page.select_one("[data-test=figure-has_ecc]")["class"] == ["same"]
    assert not page.select("[data-test=figure-vendor] .status-good"), "a name is not better than another"


def test_unknown_figure_says_so_and_is_never_best(signed_in: TestClient) -> None:
    page = soup(signed_in.get("/catalogue/gpus/-/compare?row=h100-sxm5-80gb&row=l40s").text)
    fp64 = page.select("[data-test=figure-peak_fp64_dense_flops] td")
    assert fp64[1].get_text(strip=True) == "unknown"
    assert not page.select("[data-test=figure-peak_fp64_dense_flops] .status-good")


def test_only_differences_hides_the_rest(signed_in: TestClient) -> None:
    page = soup(signed_in.get(f"/catalogue/gpus/-/compare?{THREE}&differences=true").text)
    assert page.select("tr.differs")
    assert not page.select("tr.same")


def test_servers_are_compared_too(signed_in: TestClient) -> None:
    page = soup(signed_in.get("/catalogue/servers/-/compare?row=nvidia-dgx-a100&row=dell-r750").text)
    assert page.select_one("[data-test=figure-max_power_w] button.number-open"), "a computed figure opens its derivation"


@pytest.mark.parametrize(
    "query", ["", "row=l4", "row=l4&row=l4", "row=l4&row=no-such-card", "&".join(f"row={gpu.slug}" for gpu in CATALOGUE.gpus[:6])]
)
def test_what_cannot_be_compared_is_said(signed_in: TestClient, query: str) -> None:
    answer = signed_in.get(f"/catalogue/gpus/-/compare?{query}")
    assert answer.status_code == 422
    assert soup(answer.text).select_one("[role=alert] a")
    assert signed_in.get(f"/api/v1/catalogue/gpus/compare?{query}").status_code == 422


def test_models_are_not_compared(signed_in: TestClient) -> None:
    assert signed_in.get("/catalogue/models/-/compare?row=a&row=b").status_code == 404


def test_comparison_as_json(signed_in: TestClient) -> None:
    document = signed_in.get(f"/api/v1/catalogue/gpus/compare?{THREE}").json()
    assert [row["slug"] for row in document["rows"]] == ["h100-sxm5-80gb", "a100-sxm4-80gb", "mi300x"]
    assert document["best"]["memory_usable_gib"] == ["mi300x"]
    assert document["best"]["tdp_w"] == ["a100-sxm4-80gb"]
    assert "memory_bandwidth_gbps" in document["differs"]
    assert "has_ecc" not in document["differs"]


@pytest.mark.parametrize(("order", "first"), [("tdp_w", min), ("-tdp_w", max)])
def test_list_is_sorted_by_a_column_and_unknown_comes_last(signed_in: TestClient, order: str, first: object) -> None:
    page = soup(signed_in.get(f"/catalogue/gpus?sort={order}").text)
    names = [row.th.get_text(strip=True) for row in page.select(".table-facts tbody tr")]
    wanted = first((gpu for gpu in CATALOGUE.gpus if gpu.tdp_w is not None), key=lambda gpu: gpu.tdp_w)
    assert next(gpu for gpu in CATALOGUE.gpus if gpu.name == names[0]).tdp_w == wanted.tdp_w
    assert next(gpu for gpu in CATALOGUE.gpus if gpu.name == names[-1]).tdp_w is None
    assert page.select_one("th[aria-sort] a")["href"] == ("?sort=-tdp_w" if order == "tdp_w" else "?sort=tdp_w")


def test_unknown_price_filter_is_named_and_the_rest_applies(signed_in: TestClient, surface: Surface) -> None:
    answer = signed_in.get("/prices/purchase?currency=EUR&gpu=t4", headers=surface.headers | {"HX-Target": "catalogue-table"})
    assert answer.status_code == 422
    page = soup(answer.text)
    assert "“EUR”" in page.select_one("[role=alert]").get_text()
    assert len(page.select(".table-facts tbody tr")) == sum(price.gpu_slug == "t4" for price in CATALOGUE.purchase_prices)
    assert signed_in.get("/api/v1/prices?currency=EUR").json()["errors"][0]["field"] == "currency"


def test_lists_stay_light(signed_in: TestClient) -> None:
    paths = [f"/catalogue/{noun}" for noun in ("gpus", "servers", "links", "precision", "models", "other-models", "factors")]
    weights = {path: len(signed_in.get(path).content) for path in (*paths, "/prices/purchase", "/prices/rental")}
    assert {path: weight for path, weight in weights.items() if weight >= 150_000} == {}


def test_ticked_rows_stay_while_the_list_is_filtered(signed_in: TestClient, surface: Surface) -> None:
    answer = signed_in.get(
        "/catalogue/gpus?vendor=AMD&row=mi300x&row=l4&row=none", headers=surface.headers | {"HX-Target": "catalogue-table"}
    )
    ticked = soup(answer.text).select("[name=row][checked]")
    assert [box["value"] for box in ticked] == ["l4", "mi300x"], "what does not match stands beside the button"


def test_factor_titles_and_regions_follow_the_reader(signed_in: TestClient) -> None:
    signed_in.cookies.set("locale", "zh_CN")
    page = soup(signed_in.get("/catalogue/factors?q=electricity.us.industrial-by-state").text)
    row = page.select(".table-facts tbody tr")[0]
    assert row.th.get_text(strip=True) == "各州工业电价"
    assert "美国" in [cell.get_text() for cell in row.select("td")]
    notes = soup(signed_in.get("/catalogue/gpus/v100-pcie-16gb").text).select_one("aside p[lang]")
    assert notes["lang"] == "en"
