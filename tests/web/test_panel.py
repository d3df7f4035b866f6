"""The live panel: what answers would do while they are typed, in what cannot be used, and that looking stores nothing."""

from typing import Any
from uuid import UUID

import pytest
from bs4 import BeautifulSoup, Tag
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.services import intake
from tests.factories.answered import ANSWERS, an_answered_project

LIVE = {"HX-Request": "true", "HX-Target": "live-panel"}


@pytest.fixture
def project_id(database: Database) -> UUID:
    return an_answered_project(database)


class Typist:
    """Somebody who types into a question page without saving."""

    def __init__(self, client: TestClient, project_id: UUID) -> None:
        self.client, self.base = client, f"/projects/{project_id}/workload"

    def types(self, question: str, answers: dict[str, Any], **headers: str) -> BeautifulSoup:
        response = self.client.get(f"{self.base}/{question}", params=answers, headers={**LIVE, **headers})
        assert response.status_code == 200, response.text
        return BeautifulSoup(response.text, "html.parser")


@pytest.fixture
def typist(signed_in: TestClient, project_id: UUID) -> Typist:
    return Typist(signed_in, project_id)


def said(page: BeautifulSoup | Tag, hook: str) -> str:
    found = page.select(f'[data-test="{hook}"]')
    assert len(found) == 1, f"{hook}: {len(found)}"
    return " ".join(found[0].get_text().split())


TRAINING = ANSWERS["training"]


def test_only_the_panel_comes_back(typist: Typist) -> None:
    page = typist.types("training", TRAINING)
    assert len(page.select("#live-panel")) == 1
    assert page.select("form, nav, #question") == []


def test_what_is_saved_changes_nothing_while_it_stands_there(typist: Typist) -> None:
    panel = typist.types("operations", {"operations.environment": "production", "operations.cooling": "air"})
    assert said(panel, "panel-change") == "No change"


def test_fewer_samples_need_fewer_gpus_and_the_panel_says_how_many(typist: Typist) -> None:
    before = int(said(typist.types("training", TRAINING), "panel-count").split()[0])
    panel = typist.types("training", {**TRAINING, "training.samples": "20k"})
    after = int(said(panel, "panel-count").split()[0])
    assert after < before
    assert said(panel, "panel-change").startswith(f"Compared with what is saved: −{before - after} GPUs")


def test_typing_stores_nothing(typist: Typist, database: Database, project_id: UUID) -> None:
    typist.types("training", {**TRAINING, "training.samples": "20k"})
    with database.read() as session:
        saved = intake.load(session, project_id).question("training")
    assert (saved.typed.texts["training.samples"], saved.row_version) == ("20M", 1)


def test_text_that_cannot_be_used_yet_is_named_and_counts_as_saved(typist: Typist) -> None:
    panel = typist.types("training", {**TRAINING, "training.samples": "20 mil", "training.deadline_days": "14"})
    assert said(panel, "panel-unusable").startswith("▲ Cannot be used yet: Number of samples.")
    assert "limit 14 d" in said(panel, "panel-days")
    assert said(panel, "panel-count")


def test_two_answers_that_contradict_each_other_name_one_field(typist: Typist) -> None:
    panel = typist.types("data", {"data.total_tb": "1 GB", "data.sample_mb": "2 GB"})
    assert "Cannot be used yet: Size of one sample" in said(panel, "panel-unusable")


def test_memory_stands_against_the_safe_line_in_words_and_in_the_bar(typist: Typist) -> None:
    panel = typist.types("training", TRAINING)
    assert "below the safe line (64 GiB)" in said(panel, "panel-memory")
    assert panel.select_one("svg.bar .bar-limit") is not None


def test_what_cannot_be_done_says_by_how_much(typist: Typist) -> None:
    panel = typist.types("training", {**TRAINING, "training.samples": "900T"})
    assert said(panel, "panel-short").startswith("▲ Even 4,096 × NVIDIA A100 SXM4 80GB do not do it:")
    assert "too long" in said(panel, "panel-short")
    assert said(panel, "panel-change").startswith("Compared with what is saved: before, ")


def test_training_and_serving_stand_beside_each_other(typist: Typist) -> None:
    panel = typist.types("training", {**TRAINING, "tasks": ["training", "inference"], "inference.qps": "5"})
    assert said(panel.select_one('[data-test="panel-train"]'), "panel-count")  # type: ignore[arg-type]
    assert said(panel.select_one('[data-test="panel-infer"]'), "panel-count")  # type: ignore[arg-type]
    assert said(panel.select_one('[data-test="panel-infer"]'), "panel-change") == "Not asked for before"  # type: ignore[arg-type]


def test_another_kind_of_model_is_sized_on_another_card_and_says_why(typist: Typist) -> None:
    panel = typist.types("model", {"model.name": "resnet-50"})
    assert said(panel, "panel-count") == "1 × NVIDIA A10"
    assert "first choice for models below 1B parameters" in said(panel, "panel-because")
    assert "NVIDIA A100 SXM4 80GB" in said(panel, "panel-change")


def test_a_kind_that_does_it_for_less_is_shown_with_its_price(typist: Typist) -> None:
    panel = typist.types("training", {**TRAINING, "training.samples": "20k"})
    assert "kinds with a price" in said(panel, "panel-least")
    assert "CN¥" in said(panel, "panel-cost")


def test_panel_speaks_chinese(typist: Typist) -> None:
    panel = typist.types("training", {**TRAINING, "training.samples": "20k"}, **{"Accept-Language": "zh-CN"})
    assert said(panel, "panel-change").startswith("与已保存的相比：")


def test_page_with_answers_in_its_address_shows_them(typist: Typist, signed_in: TestClient) -> None:
    page = BeautifulSoup(signed_in.get(f"{typist.base}/training", params={**TRAINING, "training.samples": "7"}).text, "html.parser")
    assert page.select_one('input[name="training.samples"]')["value"] == "7"  # type: ignore[index]
    assert page.select_one('input[name="row_version"]')["value"] == "1"  # type: ignore[index]
