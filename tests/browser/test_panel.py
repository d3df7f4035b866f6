"""The panel beside the questions while somebody types, in both languages; what back and reload bring back; the page without JavaScript."""

from collections.abc import Callable
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.factories.answered import an_answered_project

Visit = Callable[..., Page]
WORDS = {"en": ("Compared with what is saved", "Cannot be used yet"), "zh-CN": ("与已保存的相比", "暂时无法采用")}


def open_question(page: Page, project_id: UUID, key: str) -> None:
    page.goto(f"/projects/{project_id}/workload/{key}")


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_panel_follows_what_is_typed(visit: Visit, site: Site, locale: str) -> None:
    page = visit(locale=locale)
    open_question(page, an_answered_project(site.database, name=f"Typing {locale}"), "training")
    changed, unusable = WORDS[locale]
    panel = page.locator('[data-test="panel"]')
    count = panel.locator('[data-test="panel-count"]')
    before = count.inner_text()

    page.locator('[name="training.samples"]').fill("200M")
    expect(panel.locator('[data-test="panel-change"]')).to_contain_text(changed)
    expect(count).not_to_have_text(before)
    expect(page.locator("#live-said")).to_contain_text("GPU")
    grown = count.inner_text()

    # half a number: named, and the panel stays
    page.locator('[name="training.deadline_days"]').fill("2 we")
    expect(panel.locator('[data-test="panel-unusable"]')).to_contain_text(unusable)
    expect(count).to_have_text(grown)

    # “don't know” counts at once, and nothing was stored by looking
    page.locator('[data-field="training.samples"] [name="unknown"]').check()
    expect(count).not_to_have_text(grown)
    page.reload()
    open_question(page, UUID(page.url.split("/")[4]), "training")
    expect(page.locator('[data-test="panel-count"]')).to_have_text(before)
    assert page.locator('[name="training.samples"]').input_value() == "20M"


def test_panel_follows_the_form_that_came_back_with_errors(visit: Visit, site: Site) -> None:
    page = visit()
    open_question(page, an_answered_project(site.database, name="Refused, then typed on"), "training")
    page.locator('[name="training.deadline_days"]').fill("soon")
    page.locator('[data-test="save"]').click()
    expect(page.locator('[data-test="error-summary"]')).to_be_visible()
    page.locator('[name="training.deadline_days"]').fill("70")
    expect(page.locator('[data-test="panel-days"]')).to_contain_text("70 d")


def test_panel_stays_where_it_is_while_it_changes(visit: Visit, site: Site) -> None:
    page = visit()
    open_question(page, an_answered_project(site.database, name="Nothing jumps"), "data")
    panel = page.locator('[data-test="panel"]')
    before = panel.bounding_box()
    page.locator('[name="data.storage_gbps"]').fill("half")
    expect(panel.locator('[data-test="panel-unusable"]')).to_contain_text("Storage")
    assert panel.bounding_box() == before


def test_step_back_and_reload_show_fields_and_panel_that_agree(visit: Visit, site: Site) -> None:
    page = visit()
    open_question(page, an_answered_project(site.database, name="Back and reload"), "training")
    saved = page.locator('[data-test="panel-count"]').inner_text()
    page.locator('[name="training.samples"]').fill("200M")
    expect(page.locator('[data-test="panel-count"]')).not_to_have_text(saved)
    typed = page.locator('[data-test="panel-count"]').inner_text()
    page.locator('[data-test="rail-evidence"]').click()
    page.wait_for_url("**/evidence")
    page.go_back()
    page.wait_for_url("**/training")
    kept = page.locator('[name="training.samples"]').input_value()
    expect(page.locator('[data-test="panel-count"]')).to_have_text(typed if kept == "200M" else saved)


def test_page_without_javascript_keeps_the_saved_panel(visit: Visit, site: Site) -> None:
    page = visit(javascript=False)
    open_question(page, an_answered_project(site.database, name="No script"), "training")
    before = page.locator('[data-test="panel"]').inner_text()
    page.locator('[name="training.samples"]').fill("200M")
    assert page.locator('[data-test="panel"]').inner_text() == before
    page.locator('[data-test="save"]').click()
    page.wait_for_url("**/workload/software")
    expect(page.locator('[data-test="panel-change"]')).to_contain_text("Training")
