"""From the configuration to a signed sheet, with and without JavaScript, in both languages."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.conftest import Site
from tests.factories.answered import an_answered_project


@pytest.mark.parametrize(("locale", "javascript"), [("en-US", True), ("zh-CN", False)])
def test_change_an_input_then_issue_and_download(visit: Callable[..., Page], site: Site, locale: str, javascript: bool) -> None:
    project_id = an_answered_project(site.database, name=f"Cost walk {locale}")
    page = visit(locale=locale, javascript=javascript)
    page.goto(f"/projects/{project_id}/cost")
    before = page.locator("[data-test=total-own]").inner_text()
    field = page.locator("[data-field='own.gpu_price']")
    field.locator("input[name=value]").fill("-1")
    field.locator("button").first.click()
    expect(field.locator(".error")).to_be_visible()
    expect(field.locator("input[name=value]")).to_have_value("-1")
    field.locator("input[name=value]").fill("120,000")
    field.locator("button").first.click()
    expect(page.locator(".is-overridden[data-field='own.gpu_price']")).to_be_visible()
    assert page.locator("[data-test=total-own]").inner_text() != before
    page.locator(".actions a.primary").click()
    page.locator("[data-test=issue]").click()
    expect(page.locator("[data-test=sha256]")).to_be_visible()
    with page.expect_download() as started:
        page.locator("[data-test=download-pdf]").click()
    text = "".join("".join(sheet.extract_text().split()) for sheet in PdfReader(BytesIO(Path(started.value.path()).read_bytes())).pages)
    assert page.locator("[data-test=sha256]").inner_text() in text


def test_a_number_opens_its_derivation(visit: Callable[..., Page], site: Site) -> None:
    project_id = an_answered_project(site.database, name="Cost walk, numbers")
    page = visit()
    page.goto(f"/projects/{project_id}/cost")
    page.locator("[data-test=line] .number-open").first.click()
    expect(page.locator("[popover]:popover-open code").first).to_be_visible()


def test_the_charts_draw_every_option_when_they_are_seen(visit: Callable[..., Page], site: Site) -> None:
    project_id = an_answered_project(site.database, name="Cost walk, chart")
    page = visit()
    page.goto(f"/projects/{project_id}/cost")
    assert page.locator("#cost-distribution svg").count() == 0
    page.locator("#cost-cash").scroll_into_view_if_needed()
    expect(page.locator("#cost-cash svg .mark-line path")).to_have_count(3)
    for chart in ("cost-tornado", "cost-distribution"):
        page.locator(f"#{chart}").scroll_into_view_if_needed()
        expect(page.locator(f"#{chart} svg")).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
def test_the_currency_is_switched_and_stays(visit: Callable[..., Page], site: Site, javascript: bool) -> None:
    project_id = an_answered_project(site.database, name=f"Cost walk, currency {javascript}")
    page = visit(javascript=javascript)
    page.goto(f"/projects/{project_id}/cost")
    elsewhere = page.locator("[data-test=elsewhere-own]").inner_text()
    page.locator("[data-test=currency-USD]").click()
    expect(page.locator("[data-test=currency-USD]")).to_have_attribute("aria-pressed", "true")
    page.goto(f"/projects/{project_id}/cost")
    assert page.locator("[data-test=total-own] .number-open").first.inner_text().split()[0] in elsewhere
    expect(page.locator("[data-field='racks.colocation'] .unit")).to_contain_text("USD")
