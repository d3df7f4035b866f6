"""A log goes in through the form, with and without JavaScript, and comes out as a verdict with charts that draw under our content policy."""

from collections.abc import Callable
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from app.db.engine import Database
from app.jobs.registry import TASKS
from app.services import jobs, runs
from tests.browser.conftest import Site
from tests.factories.dmon import a_log, steady
from tests.factories.projects import a_project

LOG = a_log(steady(150, gpu_count=8, sm=41, mem=12, pwr=150))


def _read(database: Database, project_id: UUID) -> None:
    with database.read() as session:
        waiting = [job.id for job in jobs.jobs_of_project(session, project_id) if not job.is_finished]
    for job_id in waiting:
        runs.run(database, job_id, TASKS)


@pytest.mark.parametrize("javascript", [True, False])
def test_log_becomes_a_verdict(site: Site, visit: Callable[..., Page], javascript: bool) -> None:
    project_id = a_project(site.database, f"Evidence {javascript}")
    page = visit(javascript=javascript)
    page.goto(f"/projects/{project_id}/evidence")
    page.set_input_files("#log", {"name": "node1.log", "mimeType": "text/plain", "buffer": LOG})
    page.select_option("#gpu", "a100-sxm4-80gb")
    page.click("#upload-form button.primary")
    expect(page.locator("[data-test=job]")).to_be_visible()

    _read(site.database, project_id)

    page.goto(f"/projects/{project_id}/evidence")
    expect(page.locator("[data-test=verdict]")).to_contain_text("input-starved")
    page.click(".upload-name")
    expect(page.locator("[data-test=headline] h1")).to_contain_text("The GPUs wait for data")
    page.locator("#heat summary").click()
    expect(page.locator("#heat tbody tr").first).to_be_visible()


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("width", [360, 1440])
def test_charts_draw_and_fit(site: Site, visit: Callable[..., Page], locale: str, width: int) -> None:
    project_id = a_project(site.database, f"Charts {locale} {width}")
    page = visit(locale=locale, width=width)
    page.goto(f"/projects/{project_id}/evidence")
    page.fill("#pasted", LOG.decode())
    page.click("#upload-form button.primary")
    page.wait_for_url(f"**/projects/{project_id}/evidence")
    _read(site.database, project_id)
    page.goto(f"/projects/{project_id}/evidence")
    page.click(".upload-name")
    for chart in ("#heat", "#series"):
        page.locator(chart).scroll_into_view_if_needed()
        drawing = page.locator(f"{chart} .chart-canvas svg")
        expect(drawing).to_be_visible()
        box, frame = drawing.bounding_box(), page.locator(f"{chart} .chart-canvas").bounding_box()
        assert box is not None
        assert frame is not None
        assert box["width"] <= frame["width"] + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
