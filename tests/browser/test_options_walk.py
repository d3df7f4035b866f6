"""Choosing among candidates: filter, weigh, set side by side, question what was eliminated; with JavaScript and without, both languages, narrow."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.factories.answered import an_answered_project

ROWS = "[data-test=candidate]"


@pytest.mark.parametrize("javascript", [True, False])
def test_filter_weigh_and_compare(visit: Callable[..., Page], site: Site, javascript: bool) -> None:
    page = visit(javascript=javascript)
    address = f"/projects/{an_answered_project(site.database, name=f'Options walk {javascript}')}/options"
    page.goto(address)
    total = page.locator(ROWS).count()
    page.select_option("#filter-form", "PCIe")
    if not javascript:
        page.click("[data-test=filters] button")
    expect(page.locator("[data-test=filtered]")).to_be_visible()
    assert page.locator(ROWS).count() < total
    page.goto(f"{address}?role=low-power-inference&power=1")
    expect(page.locator("#weight-power")).to_be_visible()
    page.locator("input[name=candidate]").nth(0).check()
    page.locator("input[name=candidate]").nth(1).check()
    page.click(".compare-bar button")
    expect(page.locator("[data-test=total]")).to_have_count(2)


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("width", [360, 1440])
def test_pages_fit(visit: Callable[..., Page], site: Site, locale: str, width: int) -> None:
    page = visit(locale=locale, width=width)
    address = f"/projects/{an_answered_project(site.database, name=f'Options fit {locale} {width}')}/options"
    page.goto(address)
    keys = [str(page.locator("input[name=candidate]").nth(index).get_attribute("value")) for index in range(3)]
    compare = address.removesuffix("options") + "compare?" + "&".join(f"candidate={key}" for key in keys)
    what_if = str(page.locator("[data-test=what-if]").first.get_attribute("href"))
    for path in (address, f"{address}?role=development&cost=1", compare, what_if, "/admin/policy"):
        page.goto(path)
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
