"""The five questions: saved one by one, refused with nothing lost, checked, estimated."""

from typing import Any
from uuid import UUID

import pytest
from bs4 import BeautifulSoup, Tag
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.domain.intake.draft import KEYS
from app.domain.money import Currency
from app.services import accounts, catalogue, projects
from app.services.projects import SaveProject
from tests.conftest import Surface

CASE = {
    "data": {"data.total_tb": "12", "data.sample_mb": "0,6", "data.stall": "decode"},
    "model": {"model.name": "llama-2-13b"},
    "training": {"tasks": "training", "training.kind": "finetune", "training.method": "full", "training.samples": "2千万", "training.deadline_days": "10", "training.seq_len": "512", "training.epochs": "1"},
    "software": {"software.framework": "pytorch", "software.framework_version": "2.0.1", "software.cuda": "12.1", "software.libraries": "deepspeed==0.8.3"},
    "operations": {"operations.servers": ["nvidia-dgx-a100"], "operations.environment": "production", "operations.budget": "300万", "unknown": ["operations.rack_kw"]},
}  # fmt: skip


@pytest.fixture
def project_id(database: Database) -> UUID:
    with database.write() as session:
        catalogue.seed(session)
        return projects.start_project(
            session, SaveProject(name="Retail copywriter 13B", currency=Currency.CNY), accounts.ensure_owner(session).id
        )


class Walker:
    """A person on the pages of one project, with or without htmx."""

    def __init__(self, client: TestClient, project_id: UUID, surface: Surface) -> None:
        self.client, self.surface, self.base = client, surface, f"/projects/{project_id}/workload"

    def see(self, page: str, **headers: str) -> BeautifulSoup:
        response = self.client.get(f"{self.base}/{page}", headers=headers)
        assert response.status_code == 200, response.text
        return BeautifulSoup(response.text, "html.parser")

    def send(self, key: str, answers: dict[str, Any] | None = None, *, version: int | None = None, **more: Any) -> Any:
        shown = hidden(self.see(key), "row_version") if version is None else str(version)
        data = {"row_version": shown, **(CASE[key] if answers is None else answers), **more}
        headers = {**self.surface.headers, "HX-Target": "question"} if self.surface.is_htmx else {}
        return self.client.post(f"{self.base}/{key}", data=data, headers=headers)

    def walk(self) -> None:
        for key in KEYS:
            self.surface.redirect(self.send(key))


@pytest.fixture
def walker(signed_in: TestClient, project_id: UUID, surface: Surface) -> Walker:
    return Walker(signed_in, project_id, surface)


def hidden(page: BeautifulSoup, name: str) -> str:
    return str(one(page, f'input[name="{name}"]')["value"])


def one(page: BeautifulSoup | Tag, selector: str) -> Tag:
    found = page.select(selector)
    assert len(found) == 1, f"{selector}: {len(found)}"
    return found[0]


def value(page: BeautifulSoup, path: str) -> str:
    return str(one(page, f'input[name="{path}"]')["value"])


def text(tag: Tag) -> str:
    return " ".join(tag.get_text().split())


def answer(page: BeautifulSoup, path: str) -> str:
    return text(one(page, f'[data-test="answer"][data-path="{path}"] dd'))


def test_each_question_leads_to_the_next_and_the_last_to_the_check(walker: Walker) -> None:
    pages = [*KEYS[1:], "check"]
    assert [walker.surface.redirect(walker.send(key)).rpartition("/")[2] for key in KEYS] == pages


def test_start_goes_to_the_first_open_question_and_then_to_the_check(walker: Walker) -> None:
    walker.send("data")
    assert walker.client.get(walker.base).headers["location"].endswith("/model")
    walker.walk()
    assert walker.client.get(walker.base).headers["location"].endswith("/check")


def test_saved_question_shows_again_what_was_typed(walker: Walker) -> None:
    walker.send("data")
    page = walker.see("data")
    assert (value(page, "data.total_tb"), value(page, "data.sample_mb")) == ("12", "0,6")
    assert one(page, 'input[name="data.stall"][checked]')["value"] == "decode"


def test_unreadable_answer_comes_back_with_everything_typed_and_stores_nothing(walker: Walker) -> None:
    response = walker.send("data", {"data.total_tb": "a lot", "data.sample_mb": "2 MB", "unknown": "data.storage_gbps"})
    assert response.status_code == 422
    page = BeautifulSoup(response.text, "html.parser")
    assert (value(page, "data.total_tb"), value(page, "data.sample_mb")) == ("a lot", "2 MB")
    assert one(page, 'input[name="unknown"][checked]')["value"] == "data.storage_gbps"
    assert "a lot" in text(one(page, '[id="data.total_tb-error"]'))
    assert one(page, '[data-test="error-summary"] a')["href"] == "#data.total_tb"
    assert value(walker.see("data"), "data.total_tb") == ""


@pytest.mark.parametrize(
    ("key", "answers", "path"),
    [
        ("data", {"data.total_tb": "1 GB", "data.sample_mb": "2 GB"}, "data.sample_mb"),
        ("data", {"data.total_tb": "-3"}, "data.total_tb"),
        ("data", {"data.total_tb": "9" * 50}, "data.total_tb"),
        ("data", {"data.stall": "moon"}, "data.stall"),
        ("model", {"model.name": "lama-2-13"}, "model.name"),
        ("model", {"model.params_b": "0"}, "model.params_b"),
        ("model", {"model.hf_config": "[1, 2"}, "model.hf_config"),
        ("model", {"model.hf_config": "{}"}, "model.hf_config"),
        ("training", {"training.deadline_days": "0"}, "training.deadline_days"),
        ("training", {"training.precision": "int8"}, "training.precision"),
        ("training", {"training.kind": "pretrain", "training.method": "lora"}, "training.method"),
        ("operations", {"operations.servers": ["no-such"]}, "operations.servers"),
        ("operations", {"operations.budget": "lots"}, "operations.budget"),
        ("operations", {"years": "2.5"}, "years"),
        ("software", {"software.framework": "py\x00torch"}, "software.framework"),
        ("software", {"software.libraries": "deepspeed, ap\x00ex"}, "software.libraries"),
        ("data", {"data.total_tb": "1\x002"}, "data.total_tb"),
        ("model", {"model.name": "llama\x00"}, "model.name"),
    ],
)
def test_answer_that_cannot_stand_is_named_at_its_field(walker: Walker, key: str, answers: dict[str, Any], path: str) -> None:
    response = walker.send(key, answers)
    assert response.status_code == 422
    page = BeautifulSoup(response.text, "html.parser")
    assert [str(tag["href"]) for tag in page.select('[data-test="error-summary"] a')] == [f"#{path}"]
    assert one(page, f'[id="{path}-error"]')


def test_every_mistake_of_a_page_is_named_at_once(walker: Walker) -> None:
    response = walker.send("data", {"data.total_tb": "1 GB", "data.sample_mb": "2 GB", "data.storage_gbps": "fast"})
    page = BeautifulSoup(response.text, "html.parser")
    named = [str(tag["href"]) for tag in page.select('[data-test="error-summary"] a')]
    assert named == ["#data.sample_mb", "#data.storage_gbps"]


def test_mistake_in_a_part_that_is_not_asked_for_does_not_block(walker: Walker) -> None:
    walker.surface.redirect(walker.send("training", {"tasks": "training", "inference.qps": "many"}))


def test_panel_says_what_the_last_answer_changed(walker: Walker) -> None:
    assert "2 × NVIDIA A100 SXM4 80GB" in text(one(walker.see("data"), '[data-test="panel-count"]'))
    walker.send("model", {"model.name": "llama-2-70b"})
    change = text(one(walker.see("training"), '[data-test="panel-change"]'))
    assert change.startswith("Since “Model” was saved: +30 GPUs")


def test_dont_know_shows_what_is_assumed_in_the_fields_place(walker: Walker) -> None:
    walker.send("training", {"tasks": "training", "unknown": ["training.deadline_days"], "training.deadline_days": "99"})
    page = walker.see("training")
    assumption = one(page, '[data-field="training.deadline_days"] .assumption-shown')
    assert text(assumption).startswith("◌ Assumed: 7 days.")
    assert value(page, "training.deadline_days") == "99"


def test_model_may_be_a_size_or_a_pasted_file(walker: Walker) -> None:
    walker.send("model", {"model.name": "13B"})
    assert answer(walker.see("check"), "model.name") == "13B"
    config = '{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 32000}'
    walker.surface.redirect(walker.send("model", {"model.hf_config": config}))
    document = walker.client.get(f"{walker.base}.json").json()
    assert document["model"]["hf_config"]["hidden_size"] == 4096


def test_model_file_is_read(walker: Walker) -> None:
    version = hidden(walker.see("model"), "row_version")
    response = walker.client.post(
        f"{walker.base}/model", data={"row_version": version}, files={"model.hf_config_file": ("c.json", b"\xff\x00", "application/json")}
    )
    assert response.status_code == 422
    assert one(BeautifulSoup(response.text, "html.parser"), '[id="model.hf_config-error"]')


CONFIG = '{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 32000}'


def send_with_file(walker: Walker, key: str, answers: dict[str, str], config: str) -> Any:
    data = {"row_version": hidden(walker.see(key), "row_version"), **answers}
    headers = {**walker.surface.headers, "HX-Target": "question"} if walker.surface.is_htmx else {}
    files = {"model.hf_config_file": ("config.json", config.encode(), "application/json")}
    return walker.client.post(f"{walker.base}/{key}", data=data, files=files, headers=headers)


def test_model_file_on_another_question_answers_the_one_about_the_model(walker: Walker) -> None:
    walker.surface.redirect(send_with_file(walker, "data", {"data.total_tb": "12"}, CONFIG))
    assert value(walker.see("data"), "data.total_tb") == "12"
    read = "config.json: 6.7B parameters, 32 layers, hidden size 4,096, 32 heads, vocabulary 32,000"
    assert answer(walker.see("check"), "model.hf_config") == read
    assert walker.client.get(f"{walker.base}.json").json()["model"]["hf_config"]["num_hidden_layers"] == 32


def test_model_file_that_cannot_be_used_is_named_and_nothing_is_stored(walker: Walker) -> None:
    response = send_with_file(walker, "data", {"data.total_tb": "12"}, "[1, 2")
    assert response.status_code == 422
    page = BeautifulSoup(response.text, "html.parser")
    assert value(page, "data.total_tb") == "12"
    assert [str(link["href"]) for link in page.select('[data-test="error-summary"] a')] == ["#config-drop"]
    assert value(walker.see("data"), "data.total_tb") == ""


def test_mistake_beside_a_good_file_keeps_the_file(walker: Walker) -> None:
    page = BeautifulSoup(send_with_file(walker, "data", {"data.total_tb": "a lot"}, CONFIG).text, "html.parser")
    kept = hidden(page, "config_kept")
    walker.surface.redirect(walker.send("data", {"data.total_tb": "12", "config_kept": kept}))
    assert answer(walker.see("check"), "model.hf_config").startswith("config.json: ")


@pytest.mark.parametrize(("config", "status"), [(CONFIG, 303), ("{}", 422)])
def test_project_starts_from_a_model_file(signed_in: TestClient, config: str, status: int) -> None:
    files = {"model.hf_config_file": ("config.json", config.encode(), "application/json")}
    answered = signed_in.post("/projects/new", data={"name": "From a file", "currency": "USD"}, files=files)
    assert answered.status_code == status
    if status == 303:
        document = signed_in.get(answered.headers["location"] + ".json").json()
        assert document["model"]["hf_config"]["hidden_size"] == 4096
    else:
        page = BeautifulSoup(answered.text, "html.parser")
        assert one(page, '[data-field="model.hf_config_file"] .error')
        assert value(page, "name") == "From a file"
        assert "From a file" not in signed_in.get("/projects").text


def test_page_saved_meanwhile_shows_both_and_then_saves(walker: Walker) -> None:
    walker.send("data", version=0)
    response = walker.send("data", {"data.total_tb": "13", "data.sample_mb": "0,6"}, version=0)
    assert response.status_code == (422 if walker.surface.is_htmx else 409)
    page = BeautifulSoup(response.text, "html.parser")
    assert one(page, '[data-test="stale"]')
    assert value(page, "data.total_tb") == "13"
    assert text(one(page, '[data-field="data.total_tb"] [data-test="theirs"]')) == "Saved meanwhile: 12"
    assert not page.select('[data-field="data.sample_mb"] [data-test="theirs"]')
    walker.surface.redirect(walker.send("data", {"data.total_tb": "13"}, version=int(hidden(page, "row_version"))))
    assert value(walker.see("data"), "data.total_tb") == "13"


def test_field_that_nobody_touched_takes_what_was_saved_meanwhile(walker: Walker) -> None:
    opened = walker.see("data")
    version, seen = int(hidden(opened, "row_version")), hidden(opened, "seen")
    walker.send("data", {"data.total_tb": "12"}, version=version, seen=seen)
    response = walker.send("data", {"data.total_tb": "", "data.sample_mb": "0,6"}, version=version, seen=seen)
    page = BeautifulSoup(response.text, "html.parser")
    assert (value(page, "data.total_tb"), value(page, "data.sample_mb")) == ("12", "0,6")
    assert one(page, '[data-field="data.total_tb"] [data-test="taken"]')
    assert text(one(page, '[data-field="data.sample_mb"] [data-test="theirs"]')) == "Saved meanwhile: nothing"


def test_mistake_does_not_hide_what_was_saved_meanwhile(walker: Walker) -> None:
    walker.send("data", {"data.total_tb": "12"}, version=0)
    refused = BeautifulSoup(walker.send("data", {"data.total_tb": "a lot"}, version=0).text, "html.parser")
    assert hidden(refused, "row_version") == "0"
    assert walker.send("data", {"data.total_tb": "13"}, version=0).status_code in (409, 422)


def test_question_sent_twice_is_saved_once(walker: Walker) -> None:
    walker.surface.redirect(walker.send("data", version=0))
    walker.surface.redirect(walker.send("data", version=0))
    assert hidden(walker.see("data"), "row_version") == "1"


def test_check_page_shows_answers_assumptions_and_how_much_they_matter(walker: Walker) -> None:
    walker.walk()
    page = walker.see("check")
    assert answer(page, "training.samples") == "20,000,000 typed: 2千万"
    assert answer(page, "operations.budget") == "CN¥3,000,000 typed: 300万"
    assert answer(page, "operations.servers") == "NVIDIA DGX A100"
    assert "BF16 mixed" in answer(page, "training.precision")
    assert "matters" in answer(page, "training.precision")
    assert text(one(page, '[data-test="summary"] strong')) == "llama-2-13b, full fine-tuning, 20M samples in 10 d"


def test_contradiction_that_can_stand_is_shown_at_its_field(walker: Walker) -> None:
    walker.send("data", {"data.total_tb": "12", "data.sample_mb": "2"})
    walker.send("training")
    assert "factor of 3.3" in text(one(walker.see("check"), '[data-path="data.total_tb"] [data-test="doubt"]'))


def test_changing_one_answer_returns_to_the_check_page(walker: Walker) -> None:
    walker.walk()
    page = walker.see("check")
    link = str(one(page, '[data-test="change-data"]')["href"])
    assert hidden(BeautifulSoup(walker.client.get(link).text, "html.parser"), "from") == "check"
    assert walker.surface.redirect(walker.send("data", **{"from": "check"})).endswith("/check")


def test_rail_says_the_need_in_one_line(walker: Walker) -> None:
    walker.walk()
    rail = one(walker.see("check"), '[data-test="rail-workload"]')
    assert text(one(rail, ".rail-answer")) == "llama-2-13b, full fine-tuning, 20M samples in 10 d"
    assert text(one(rail, ".rail-remark")).startswith("complete, ")


def test_document_of_the_draft_is_what_the_command_line_reads(walker: Walker) -> None:
    walker.walk()
    document = walker.client.get(f"{walker.base}.json").json()
    assert document["data"]["total_tb"] == 12
    assert document["training"]["samples"] == 20_000_000
    assert document["inference"] is None
    assert document["operations"]["budget"] == {"amount": "3000000.0", "currency": "CNY"}


def test_estimate_shows_memory_verdict_and_document(walker: Walker) -> None:
    walker.walk()
    page = walker.see("estimate?gpu=a100-sxm4-80gb&n_gpus=8&sharding=zero3&micro_batch=1")
    assert one(page, '[data-test="fits"]')
    assert one(page, '[data-test="memory-bar"]')
    assert one(page, '[data-test="assumptions"]')
    document = walker.client.get(f"{walker.base}/estimate.json?gpu=a100-sxm4-80gb&n_gpus=8&sharding=zero3").json()
    assert document["memory"]["fits"] in ("yes", "tight", "no")


def test_estimate_without_any_answer_stands_on_assumptions(walker: Walker) -> None:
    assert one(walker.see("estimate"), '[data-test="fits"]')


def test_estimate_of_a_service_says_whether_it_keeps_up(walker: Walker) -> None:
    walker.send("training", {"tasks": "inference", "inference.qps": "20"})
    assert "keeps up with 20 requests a second" in text(one(walker.see("estimate"), '[data-test="fits"]'))
    assert "of 20 requests a second" in text(one(walker.see("estimate?n_gpus=1&gpu=mi300x"), '[data-test="fits"]'))


@pytest.mark.parametrize("query", ["n_gpus=abc", "n_gpus=0", "n_gpus=8&tp=1.5", "n_gpus=99999999", "n_gpus=8&micro_batch=-1"])
def test_nonsense_in_the_layout_is_named(walker: Walker, query: str) -> None:
    response = walker.client.get(f"{walker.base}/estimate?{query}")
    assert response.status_code == 422
    assert len(BeautifulSoup(response.text, "html.parser").select('[aria-invalid="true"]')) == 1
    assert walker.client.get(f"{walker.base}/estimate.json?{query}").status_code == 422


def test_layout_that_contradicts_itself_is_explained(walker: Walker) -> None:
    page = walker.see("estimate?n_gpus=8&tp=3")
    assert one(page, '[data-test="refusal"]')


def test_model_that_the_method_does_not_know_is_explained(walker: Walker) -> None:
    walker.send("model", {"model.name": "dlrm-nvidia-large"})
    assert one(walker.see("estimate"), '[data-test="refusal"]')
    assert walker.see("check")


@pytest.mark.parametrize("page", [*KEYS, "check", "estimate"])
def test_every_page_speaks_chinese(walker: Walker, page: str) -> None:
    walker.walk()
    assert one(walker.see(page, **{"Accept-Language": "zh-CN"}), "html")["lang"] == "zh-CN"


def test_unknown_page_and_unknown_project_are_not_found(walker: Walker) -> None:
    assert walker.client.get(f"{walker.base}/moon").status_code == 404
    assert walker.client.get("/projects/00000000-0000-0000-0000-000000000000/workload/data").status_code == 404


def test_pages_need_a_sign_in(client: TestClient, project_id: UUID) -> None:
    assert client.get(f"/projects/{project_id}/workload/data").status_code == 303
