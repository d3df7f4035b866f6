"""The need in one line, and as a workload."""

from typing import Any

import pytest

from app.domain.intake import Requirements
from app.domain.intake.requirements import requirements
from app.domain.intake.summary import assumed_count, summary
from app.domain.intake.workloads import serving_workload, training_workload
from app.domain.workload.settings import Sharding, Task
from app.text.render import render
from tests.factories.intake import a_catalogue_of, a_language_model, an_image_model

LLAMA, RESNET = a_language_model(), an_image_model()
RUN = {"training.kind": "finetune", "training.method": "full", "training.samples": 2e7, "training.epochs": 2.0, "training.seq_len": 512}


def needs_of(answers: dict[str, Any], model: Any = LLAMA) -> Requirements:
    return requirements(answers, a_catalogue_of(LLAMA, RESNET), model=model)


def test_summary_reads_like_a_sentence() -> None:
    said = summary(needs_of({**RUN, "training.deadline_days": 7 * 86400.0}))
    assert render(said, "en") == "llama-2-7b, full fine-tuning, 20M samples in 7 d"


def test_summary_names_serving_too() -> None:
    said = summary(needs_of({"inference.qps": 50.0, "inference.weight_precision": "int8"}))
    assert render(said, "en") == "llama-2-7b at 50 requests a second, INT8"


def test_only_values_count_as_assumed() -> None:
    needs = needs_of({**RUN, "training.deadline_days": 7 * 86400.0})
    assert assumed_count(needs) == sum(a.value is not None for a in needs.assumptions)
    assert assumed_count(needs) < len(needs.assumptions)


def test_text_training_counts_tokens_of_all_epochs() -> None:
    workload = training_workload(needs_of(RUN), gpu="a100-sxm4-80gb", gpu_count=8, sharding=Sharding.ZERO3)
    assert workload.train is not None
    assert (workload.task, workload.train.train_tokens, workload.train.train_samples) == (Task.TRAIN, 2e7 * 2 * 512, None)


def test_image_training_counts_samples() -> None:
    workload = training_workload(needs_of(RUN, RESNET), gpu="a10", gpu_count=1, sharding=Sharding.NONE)
    assert workload.train is not None
    assert (workload.train.train_tokens, workload.train.train_samples) == (None, 4e7)


def test_serving_holds_whole_sequences() -> None:
    workload = serving_workload(needs_of({"inference.qps": 2.0, "inference.concurrency": 3.2}), gpu="a10", gpu_count=1)
    assert workload.infer is not None
    assert workload.infer.concurrency == 4


def test_workload_of_what_nobody_asked_for_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no serving"):
        serving_workload(needs_of(RUN), gpu="a10", gpu_count=1)
