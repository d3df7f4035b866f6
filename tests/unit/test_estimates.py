"""The smallest number of GPUs, and how much an assumption matters."""

from dataclasses import replace
from typing import Any

import pytest

from app.domain.catalogue.catalogue import Catalogue
from app.domain.intake import Requirements
from app.domain.intake.requirements import requirements
from app.domain.units import days
from app.domain.workload.settings import Task
from app.seeds import load_catalogue
from app.services.effects import effects
from app.services.estimates import Sizing, default_gpu, smallest

RUN = {"training.kind": "finetune", "training.method": "full", "training.samples": 2e7, "training.seq_len": 512, "training.epochs": 1.0}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def needs_of(catalogue: Catalogue, answers: dict[str, Any], model: str = "llama-2-13b") -> Requirements:
    return requirements(answers, catalogue, model=catalogue.language_model(model) or catalogue.other_model(model))


def sized(catalogue: Catalogue, needs: Requirements, task: Task = Task.TRAIN) -> Sizing:
    found = smallest(needs, task, "a100-sxm4-80gb", catalogue)
    assert found is not None
    return found


def test_smallest_holds_the_work_and_meets_the_deadline(catalogue: Catalogue) -> None:
    found = sized(catalogue, needs_of(catalogue, {**RUN, "training.deadline_days": days(10)}))
    assert found.meets
    assert found.duration_s is not None
    assert found.duration_s <= days(10)
    assert found.device_bytes <= 0.8 * found.capacity_bytes


def test_shorter_deadline_never_needs_fewer_gpus(catalogue: Catalogue) -> None:
    counts = [
        sized(catalogue, needs_of(catalogue, {**RUN, "training.deadline_days": days(limit)})).choice.gpu_count
        for limit in (40, 20, 10, 5, 2)
    ]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_impossible_deadline_gives_what_comes_closest(catalogue: Catalogue) -> None:
    found = sized(catalogue, needs_of(catalogue, {**RUN, "training.deadline_days": 1.0}))
    assert not found.meets
    assert found.fits


def test_more_requests_never_need_fewer_gpus(catalogue: Catalogue) -> None:
    counts = [sized(catalogue, needs_of(catalogue, {"inference.qps": rate}), Task.INFER).choice.gpu_count for rate in (1.0, 10.0, 50.0)]
    assert counts == sorted(counts)


def test_model_without_formulas_has_no_size(catalogue: Catalogue) -> None:
    assert smallest(needs_of(catalogue, {}, model="graphsage"), Task.TRAIN, "a100-sxm4-80gb", catalogue) is None


def test_small_model_starts_on_a_small_card(catalogue: Catalogue) -> None:
    needs = needs_of(catalogue, {}, model="resnet-50")
    assert default_gpu(needs, catalogue) == "a10"
    development = replace(needs, operations=replace(needs.operations, environment="development"))
    assert default_gpu(development, catalogue) == "rtx-4090"


def test_only_assumed_fields_have_effects_and_method_matters_most(catalogue: Catalogue) -> None:
    found = effects(needs_of(catalogue, {"training.samples": 1e5}), catalogue)
    assert "training.samples" not in found
    assert found["training.method"].weight == "much"
    assert found["training.method"].other_gpu_count < found["training.method"].gpu_count
