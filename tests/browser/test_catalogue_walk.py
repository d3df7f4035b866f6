"""Looking a board up: filters with JavaScript and without, the derivation of a computed figure, both languages, narrow screens."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

ROWS = ".table-facts tbody tr"


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("javascript", [True, False])
def test_filter_leaves_what_matches(visit: Callable[..., Page], locale: str, javascript: bool) -> None:
    page = visit(locale=locale, javascript=javascript)
    page.goto("/catalogue/gpus")
    page.select_option("#filter-vendor", "AMD")
    page.fill("#filter-q", "mi3")
    if not javascript:
        page.click(".filters button")
    expect(page.locator(ROWS)).to_have_count(4)
    assert "q=mi3" in page.url
    assert page.input_value("#filter-q") == "mi3"


def test_typing_keeps_the_focus(visitor: Page) -> None:
    visitor.goto("/prices/rental")
    visitor.keyboard.press("/")
    visitor.keyboard.type("runpod h100")
    expect(visitor.locator(ROWS).first).to_contain_text("runpod")
    assert visitor.evaluate("document.activeElement.id") == "filter-q"


def test_computed_figure_opens_its_derivation(visitor: Page) -> None:
    visitor.goto("/catalogue/servers/supermicro-as-8125gs-tnhr")
    figure = visitor.locator("[data-test=figure-max_power_w]")
    figure.locator("button.number-open").click()
    expect(figure.locator(".derivation")).to_be_visible()
    expect(figure.locator(".derivation")).to_contain_text("max(10,192")


@pytest.mark.parametrize("path", ["/catalogue/gpus/h100-sxm5-80gb", "/catalogue/servers", "/catalogue/factors", "/prices/rental"])
@pytest.mark.parametrize("width", [360, 1440])
def test_first_column_stays_and_the_page_fits(visit: Callable[..., Page], path: str, width: int) -> None:
    page = visit(width=width)
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    table = page.locator(".table-scroll").first
    before = table.locator("tbody th").first.bounding_box()
    table.evaluate("element => { element.scrollLeft = 400 }")
    after = table.locator("tbody th").first.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["x"] - after["x"]) < 2


@pytest.mark.parametrize("javascript", [True, False])
def test_filter_compare_edit_and_see_the_version(visit: Callable[..., Page], javascript: bool) -> None:
    page = visit(javascript=javascript)
    page.goto("/catalogue/gpus")
    page.fill("#filter-q", "h100")
    if not javascript:
        page.click(".filters > button")
    expect(page.locator(".result-count")).to_contain_text("5 of")
    page.check("input[name=row][value=h100-pcie-80gb]")
    if javascript:  # a ticked row stays ticked while the list changes
        page.fill("#filter-q", "h100 nvl")
        expect(page.locator(".result-count")).to_contain_text("1 of")
        expect(page.locator(".compare-bar input[value=h100-pcie-80gb]")).to_be_checked()
    page.check("input[name=row][value=h100-nvl-94gb]")
    page.click(".compare-bar button")
    expect(page.locator("[data-test=figure-memory_bandwidth_bytes_per_s] .status-good")).to_have_count(1)
    shared = page.url
    page.click("thead a:has-text('NVL')")
    page.click("[data-test=edit]")
    slots = "2 wide" if javascript else "two wide"
    page.fill("#slots", slots)
    page.fill("#why", "measured with a ruler")
    page.click(".fact-form button:not(.danger)")
    expect(page.locator("[data-test=version]").first).to_contain_text("measured with a ruler")
    expect(page.locator("[data-test=version] [data-test=change]").first).to_contain_text(slots)
    page.goto(shared)
    expect(page.locator("[data-test=figure-slots]")).to_contain_text(slots)
