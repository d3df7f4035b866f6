"""Two tabs on one project: nothing is lost on either side, and one press goes on."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.factories.answered import an_answered_project

Visit = Callable[..., Page]


def other_tab(page: Page, address: str) -> Page:
    tab = page.context.new_page()
    tab.goto(address)
    return tab


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_question_saved_in_two_tabs_keeps_both(visit: Visit, site: Site, javascript: bool) -> None:
    page = visit(javascript=javascript)
    address = f"/projects/{an_answered_project(site.database, name=f'Two tabs {javascript}')}/workload/training"
    page.goto(address)
    other = other_tab(page, address)
    other.locator('[name="training.samples"]').fill("30M")
    other.locator('[name="training.deadline_days"]').fill("9")
    other.locator('[data-test="save"]').click()
    other.wait_for_url("**/software")

    page.locator('[name="training.deadline_days"]').fill("11")
    page.locator('[data-test="save"]').click()
    expect(page.locator('[data-test="stale"]')).to_be_visible()
    assert page.locator('[name="training.deadline_days"]').input_value() == "11"
    expect(page.locator('[data-field="training.deadline_days"] [data-test="theirs"]')).to_contain_text("9")
    assert page.locator('[name="training.samples"]').input_value() == "30M"
    expect(page.locator('[data-field="training.samples"] [data-test="taken"]')).to_be_visible()

    page.locator('[data-test="save"]').click()
    page.wait_for_url("**/software")
    page.goto(address)
    fields = [page.locator(f'[name="training.{name}"]').input_value() for name in ("samples", "deadline_days")]
    assert fields == ["30M", "11"]


def test_theirs_can_be_taken_instead(visit: Visit, site: Site) -> None:
    page = visit(locale="zh-CN")
    address = f"/projects/{an_answered_project(site.database, name='Theirs')}/workload/training"
    page.goto(address)
    other = other_tab(page, address)
    other.locator('[name="training.deadline_days"]').fill("9")
    other.locator('[data-test="save"]').click()
    other.wait_for_url("**/software")
    page.locator('[name="training.deadline_days"]').fill("11")
    page.locator('[data-test="save"]').click()
    page.locator('[data-test="stale"] a').click()
    expect(page.locator('[name="training.deadline_days"]')).to_have_value("9")


def test_start_pressed_twice_starts_one_project(visit: Visit) -> None:
    page = visit()
    page.goto("/projects/new")
    page.locator('[name="name"]').fill("Pressed twice")
    page.locator("main button.primary").dblclick()
    page.wait_for_url("**/workload/data")
    page.goto("/projects")
    expect(page.locator('[data-test="project"]', has_text="Pressed twice")).to_have_count(1)
