"""The frame in a real browser: language and colours by switch, projects with and without JavaScript, narrow screens, accessibility."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site


def test_sign_in_link_works_once(browser, site: Site) -> None:  # type: ignore[no-untyped-def]
    link = site.sign_in_link()
    for _ in range(2):  # looking at the link does not spend it
        page = browser.new_page()
        page.goto(link)
        assert page.is_visible("[data-test=sign-in]")
    page.click("[data-test=sign-in]")
    assert page.url == site.url + "/projects"
    again = browser.new_page()
    again.goto(link)
    again.click("[data-test=sign-in]")
    assert again.is_visible("text=was used before")


@pytest.mark.parametrize("who", ["visitor", "plain_visitor"])
def test_project_is_started_renamed_and_deleted(who: str, request: pytest.FixtureRequest) -> None:
    page: Page = request.getfixturevalue(who)
    page.goto("/projects/new")
    page.fill("#name", f"Walk of the {who}")
    page.select_option("#currency", "CNY")
    page.click("main form button.primary")
    page.click(".rail-title")
    page.click("[data-test=project-settings] summary")
    page.fill("#name", f"Renamed by the {who}")
    page.click("[data-test=project-settings] form button.primary")
    assert page.inner_text("h1") == f"Renamed by the {who}"
    page.click("[data-test=project-settings] summary")
    page.click("[data-test=delete]")
    assert page.locator("[data-test=project]", has_text=who).count() == 0
    page.click("[data-test=deleted] button")
    assert page.inner_text("h1") == f"Renamed by the {who}"


def test_language_and_colours_are_switched_and_stay(visitor: Page) -> None:
    visitor.goto("/projects")
    visitor.click("button[value=zh_CN]")
    assert visitor.inner_text("h1") == "项目"
    assert visitor.get_attribute("html", "lang") == "zh-CN"
    before = visitor.evaluate("getComputedStyle(document.body).backgroundColor")
    visitor.click("button[value=dark]")
    visitor.wait_for_selector("html[data-theme=dark] body")
    assert visitor.evaluate("getComputedStyle(document.body).backgroundColor") != before
    visitor.goto("/account")
    assert visitor.get_attribute("html", "data-theme") == "dark"
    assert visitor.get_attribute("html", "lang") == "zh-CN"


@pytest.mark.parametrize("width", [360, 768, 1920])
@pytest.mark.parametrize("path", ["/projects", "/projects/new", "/account", "/nothing-here", "/catalogue", "/prices"])
def test_page_fits_the_screen(visitor: Page, width: int, path: str) -> None:
    visitor.set_viewport_size({"width": width, "height": 800})
    visitor.goto(path)
    assert visitor.evaluate("document.documentElement.scrollWidth") <= width
