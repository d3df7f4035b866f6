"""The kind of GPU that does it for the least money: never dearer than the default, sold as it is sold, quoted by somebody."""

from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from app.domain.intake import Requirements
from app.domain.intake.draft import Typed
from app.domain.money import Currency
from app.domain.selection.options import BOARD_FORM_FACTORS
from app.domain.workload.settings import Task
from app.seeds import default_fx, load_catalogue
from app.services.estimates import default_gpu, smallest
from app.services.intake import needs
from app.services.least import Least, least

FX = default_fx(date(2026, 11, 30))
CASES: dict[str, tuple[dict[str, str], Task]] = {
    "nothing said": ({}, Task.TRAIN),
    "13B in a week": (
        {"model.name": "llama-2-13b", "training.samples": "20M", "training.seq_len": "512", "training.epochs": "1"},
        Task.TRAIN,
    ),
    "70B served": ({"model.name": "llama-2-70b", "tasks": "inference"}, Task.INFER),
    "images": ({"model.name": "resnet-50", "tasks": "training"}, Task.TRAIN),
}


def asked(texts: dict[str, str]) -> Requirements:
    project: Any = SimpleNamespace(name="asked", currency=Currency.CNY)
    return needs(Typed(texts=texts), project, load_catalogue())


def found(texts: dict[str, str], task: Task) -> Least | None:
    made, facts = asked(texts), load_catalogue()
    default = smallest(made, task, default_gpu(made, facts), facts)
    assert default is not None
    return least(made, default, facts, Currency.CNY, FX)


@pytest.mark.parametrize("case", CASES)
def test_it_does_the_work_and_is_never_dearer_than_the_default(case: str) -> None:
    texts, task = CASES[case]
    got = found(texts, task)
    assert got is not None
    assert got.sizing.meets
    made, facts = asked(texts), load_catalogue()
    default = smallest(made, task, default_gpu(made, facts), facts)
    assert default is not None
    assert got.sizing.choice.gpu != default.choice.gpu or got.sizing == default
    assert got.kind_count > 1


@pytest.mark.parametrize("case", CASES)
def test_boards_are_bought_whole(case: str) -> None:
    got = found(*CASES[case])
    assert got is not None
    if (got.gpu.form_factor or "").startswith(BOARD_FORM_FACTORS) and got.gpu.slug != default_gpu(asked(CASES[case][0]), load_catalogue()):
        boards = [server.max_gpu_count for server in load_catalogue().servers if got.gpu.slug in server.gpu_slugs]
        assert got.sizing.choice.gpu_count % min(boards) == 0


def test_consumer_cards_count_on_a_development_machine_only() -> None:
    texts = {"model.name": "resnet-50", "tasks": "training"}
    kinds = [found({**texts, "operations.environment": where}, Task.TRAIN) for where in ("production", "development")]
    assert kinds[0] is not None
    assert kinds[1] is not None
    assert kinds[0].kind_count < kinds[1].kind_count
    assert kinds[0].gpu.market_class != "consumer"


def test_a_small_job_takes_one_small_card_rather_than_a_cheap_board() -> None:
    got = found({"model.name": "resnet-50", "tasks": "training"}, Task.TRAIN)
    assert got is not None
    assert got.sizing.choice.gpu_count == 1


def test_what_nothing_does_has_no_cheapest() -> None:
    assert found({"model.name": "llama-3.1-405b", "training.kind": "pretrain"}, Task.TRAIN) is None
