"""A recommender, trained or served, gets a configuration; one that nobody can compute is said to be so before anything is searched."""

from typing import Any

import pytest

from app.domain.selection import Plan
from tests.factories.plans import a_plan, needs_of

COMMON: dict[str, Any] = {"name": "Ranking", "currency": "USD", "years": 3}
TRAINING = {
    "kind": "pretrain",
    "method": "full",
    "precision": "fp16-mixed",
    "samples": 4.2e9,
    "epochs": 1,
    "deadline_days": 2,
    "runs_per_year": 50,
}
SERVING = {"qps": 1000, "in_len": 1, "out_len": 1, "ttft_ms": 50, "tpot_ms": 50, "weight_precision": "fp16"}


def planned(name: str, **work: Any) -> Plan:
    return a_plan({**COMMON, "model": {"name": name}, **work})


@pytest.mark.parametrize("work", [{"training": TRAINING}, {"inference": SERVING}], ids=["train", "infer"])
@pytest.mark.parametrize("name", ["dlrm-dcnv2", "wide-and-deep", "resnet-50"])
def test_a_model_of_samples_gets_a_recommendation(name: str, work: dict[str, Any]) -> None:
    plan = planned(name, **work)
    assert plan.recommended.best is not None
    best = plan.candidates[plan.recommended.best]
    assert best.estimate.throughput is not None
    assert best.estimate.memory is not None


def test_tables_too_large_for_one_card_are_spread() -> None:
    """104.5 GB in fp32, and twice as much of optimizer states while training: every card holds its share."""
    for plan, held in ((planned("dlrm-dcnv2", inference=SERVING), 1), (planned("dlrm-dcnv2", training=TRAINING), 3)):
        for candidate in plan.candidates:
            assert candidate.gpu.memory_usable_bytes is not None
            assert candidate.gpu_count * candidate.gpu.memory_usable_bytes > held * 104.5e9


@pytest.mark.parametrize("name", ["dlrm-nvidia-large", "dlrm-nvidia-xlarge"])
def test_what_cannot_be_computed_says_what_to_plan_with(name: str) -> None:
    needs = needs_of({**COMMON, "model": {"name": name}, "training": TRAINING})
    (doubt,) = [found for found in needs.contradictions if found.field == "model.name"]
    assert doubt.text.code == "intake.doubt.unmodelled_alike"
    assert "dlrm-dcnv2" in str(doubt.text.params["alike"])
