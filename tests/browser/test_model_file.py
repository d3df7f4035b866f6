"""A config.json dropped on a page answers the question about the model, wherever it is dropped."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.factories.projects import a_project

Visit = Callable[..., Page]
CONFIG = '{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 32000}'
DROP = """([text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], "config.json", { type: "application/json" }));
  document.querySelector("main").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: files }));
}"""


def test_file_dropped_on_a_question_is_saved_with_it(visit: Visit, site: Site) -> None:
    page = visit()
    page.goto(f"/projects/{a_project(site.database, name='Dropped')}/workload/data")
    page.locator('[name="data.total_tb"]').fill("3")
    page.evaluate(DROP, [CONFIG])
    page.locator('[data-test="save"]').click()
    page.wait_for_url("**/workload/model")
    expect(page.locator('[data-test="panel"] summary')).to_contain_text("llama")
    assert "hidden_size" in page.locator('[name="model.hf_config"]').input_value()
    page.go_back()
    assert page.locator('[name="data.total_tb"]').input_value() == "3"


def test_new_project_starts_from_a_dropped_file(visit: Visit) -> None:
    page = visit()
    page.goto("/projects/new")
    page.locator('[name="name"]').fill("Started from a file")
    page.evaluate(DROP, [CONFIG])
    page.locator("main button.primary").click()
    page.wait_for_url("**/workload/data")
    expect(page.locator('[data-test="panel"] summary')).to_contain_text("llama")
