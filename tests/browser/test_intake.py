"""A tech lead with ten minutes and half the answers: five questions, one slip, check, estimate. In both languages, with JavaScript and without."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

Visit = Callable[..., Page]
WORDS = {
    "en": {"save": "Save and continue", "know": "Don’t know", "start": "Start"},
    "zh-CN": {"save": "保存并继续", "know": "不清楚", "start": "开始"},
}


def field(page: Page, path: str) -> "Field":
    return Field(page, path)


class Field:
    """One field of a question page."""

    def __init__(self, page: Page, path: str) -> None:
        self.box = page.locator(f'[data-field="{path}"]')
        self.path = path

    def write(self, text: str) -> None:
        self.box.locator(f'[name="{self.path}"]').fill(text)

    def choose(self, value: str) -> None:
        self.box.locator(f'[name="{self.path}"][value="{value}"]').check()

    def forget(self) -> None:
        self.box.locator('[name="unknown"]').check()

    @property
    def text(self) -> str:
        return self.box.locator(f'[name="{self.path}"]').input_value()

    @property
    def assumption(self) -> object:
        return self.box.locator('[data-test="assumption"]')


def start_project(page: Page, name: str) -> None:
    page.goto("/projects/new")
    page.locator('[name="name"]').fill(name)
    page.locator('[name="currency"]').select_option("CNY")
    page.locator("main button.primary").click()
    page.wait_for_url("**/workload/data")


def save(page: Page, leads_to: str) -> None:
    page.locator('[data-test="save"]').click()
    page.wait_for_url(f"**/workload/{leads_to}")


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_from_a_blank_project_to_an_estimate(visit: Visit, locale: str, javascript: bool) -> None:
    page = visit(locale=locale, javascript=javascript)
    start_project(page, f"Retail copywriter {locale} {javascript}")

    # data: one slip, corrected, with the rest still there
    field(page, "data.total_tb").write("12 kW")
    field(page, "data.sample_mb").write("0,6")
    field(page, "data.storage_gbps").forget()
    expect(field(page, "data.storage_gbps").assumption).to_be_visible()
    page.locator('[data-test="save"]').click()
    expect(page.locator('[data-test="error-summary"]')).to_contain_text("kW")
    assert (field(page, "data.total_tb").text, field(page, "data.sample_mb").text) == ("12 kW", "0,6")
    expect(field(page, "data.storage_gbps").box.locator('[name="unknown"]')).to_be_checked()
    field(page, "data.total_tb").write("12 TB")
    save(page, "model")

    # model: a name from the list
    field(page, "model.name").write("llama-2-13b")
    save(page, "training")

    # back works, nothing is asked twice
    page.go_back()
    assert field(page, "model.name").text == "llama-2-13b"
    page.go_forward()

    # training: half of it unknown
    field(page, "tasks").choose("training")
    field(page, "training.kind").choose("finetune")
    field(page, "training.method").choose("full")
    field(page, "training.samples").write("20M" if locale == "en" else "2千万")
    field(page, "training.deadline_days").forget()
    expect(field(page, "training.deadline_days").assumption).to_contain_text("7")
    save(page, "software")

    save(page, "operations")
    field(page, "operations.servers").choose("nvidia-dgx-a100")
    field(page, "operations.budget").write("300万")
    save(page, "check")

    # check: answers and assumptions, how much they matter
    expect(page.locator('[data-path="training.samples"]')).to_contain_text("20,000,000")
    expect(page.locator('[data-path="training.deadline_days"] .assumed')).to_be_visible()
    expect(page.locator('[data-path="operations.servers"]')).to_contain_text("NVIDIA DGX A100")
    expect(page.locator('[data-test="rail-workload"]')).to_contain_text("llama-2-13b")
    page.locator('[data-test="to-estimate"]').click()
    page.wait_for_url("**/workload/estimate")

    # estimate: verdict, memory, another GPU
    expect(page.locator('[data-test="fits"]')).to_be_visible()
    expect(page.locator('[data-test="memory-bar"] svg.memory-bar')).to_be_visible()
    expect(page.locator('[data-test="assumptions"]')).to_be_visible()
    page.locator('[data-test="gpu"]').select_option("rtx-4090")
    page.locator('[name="n_gpus"]').fill("1")
    page.locator('[name="sharding"]').select_option("none")
    page.locator('[data-test="estimate"]').click()
    page.wait_for_url("**gpu=rtx-4090**")
    expect(page.locator('[data-test="fits"] .status-bad')).to_be_visible()


def test_reload_keeps_what_was_saved_and_change_returns_to_the_check(visit: Visit) -> None:
    page = visit()
    start_project(page, "Reload and change")
    field(page, "data.total_tb").write("3")
    save(page, "model")
    page.goto(page.url.replace("/model", "/data"))
    page.reload()
    assert field(page, "data.total_tb").text == "3"
    page.goto(page.url.replace("/data", "/check"))
    page.locator('[data-test="change-data"]').click()
    field(page, "data.total_tb").write("4")
    save(page, "check")
    expect(page.locator('[data-path="data.total_tb"]')).to_contain_text("4 TB")


def test_somebody_else_saved_the_same_question(visit: Visit) -> None:
    mine, theirs = visit(), visit()
    start_project(mine, "Two people")
    theirs.goto(mine.url)
    field(theirs, "data.total_tb").write("5")
    save(theirs, "model")
    field(mine, "data.total_tb").write("6")
    mine.locator('[data-test="save"]').click()
    expect(mine.locator('[data-test="stale"]')).to_be_visible()
    expect(mine.locator('[data-field="data.total_tb"] [data-test="theirs"]')).to_contain_text("5")
    assert field(mine, "data.total_tb").text == "6"
    save(mine, "model")


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_no_page_is_wider_than_the_window(visit: Visit, locale: str, width: int) -> None:
    page = visit(locale=locale, width=width)
    start_project(page, f"Narrow {locale} {width}")
    for path in ("data", "model", "training", "software", "operations", "check", "estimate"):
        page.goto(page.url.rpartition("/")[0] + f"/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
