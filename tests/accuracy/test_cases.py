"""Published cases planned end to end: where our plan agrees with what was bought, and where the facts forbid it."""

from typing import Any

import pytest

from app.domain.selection import Eliminated, Plan
from tests.factories.plans import a_plan, an_intake


def reasons(plan: Plan) -> dict[str, Eliminated]:
    return {entry.reason.code: entry for entry in plan.eliminated}


def test_retail_13b_meets_seven_days_on_one_nvlink_node() -> None:
    """Bought were 8 × A100 80 GB SXM4 in one node. They must be among the candidates, and what is recommended must be one such node."""
    plan = a_plan()
    chosen = next(
        (
            candidate
            for candidate in plan.candidates
            if candidate.gpu.slug == "a100-sxm4-80gb" and candidate.gpu_count == 8 and candidate.node_count == 1
        ),
        None,
    )
    assert chosen is not None
    assert chosen.layout.sharding in ("zero1", "zero2", "zero3", "fsdp")
    assert plan.recommended.best is not None
    best = plan.candidates[plan.recommended.best]
    assert best.node_count == 1
    assert best.gpu.form_factor is not None
    assert best.gpu.form_factor.startswith("SXM")


def test_retail_13b_says_why_other_cards_fall_out() -> None:
    found = reasons(a_plan())
    assert found["selection.cuda_too_old"].rule == "R-S5"  # Blackwell under CUDA 12.1
    assert found["selection.consumer"].rule == "R-S6"
    assert found["selection.memory"].short_by is not None


def test_an_r750_takes_no_sxm_card() -> None:
    """The source chose A100 80 GB SXM4 with NVLink for a Dell R750, which takes two double-wide PCIe cards."""
    plan = a_plan(
        {
            "name": "Driving lidar",
            "currency": "CNY",
            "data": {"sample_mb": 1800},
            "software": {"libraries": ["tensorrt"]},
            "training": {"kind": "finetune"},
            "operations": {"environment": "production", "servers": ["dell-r750"], "cooling": "air"},
        }
    )
    assert reasons(plan)["selection.form_factor"].server == "dell-r750"
    assert plan.candidates
    assert all(candidate.server.slug == "dell-r750" and candidate.gpu.form_factor == "PCIe" for candidate in plan.candidates)


def test_four_4090_run_out_of_memory_with_a_full_7b_fine_tune() -> None:
    """R-M7: 112 GB of states against 4 × 24 GB, before any activation."""
    plan = a_plan(
        an_intake(
            model={"name": "llama-2-7b"},
            training={"seq_len": 2048, "samples": 100_000, "epochs": 3, "deadline_days": 14},
            software={"cuda": None},
            operations={"environment": "development", "servers": ["tinybox-green"]},
        )
    )
    short = reasons(plan)["selection.memory"]
    assert short.gpu == "rtx-4090"
    assert short.count >= 3  # 1, 2 and 4 cards at least
    assert all(candidate.gpu_count > 4 for candidate in plan.candidates)
    assert all("selection.sharded_over_pcie" in [text.code for text in candidate.compromises] for candidate in plan.candidates)


def test_h100_against_a100_gains_what_was_measured_and_not_what_the_paper_says() -> None:
    """Llama-2-7B, full fine-tuning in BF16: 6 × on paper, 2.3 × measured. Four of each in one node."""
    plan = a_plan(
        an_intake(
            model={"name": "llama-2-7b"},
            training={"seq_len": 2048, "samples": 200_000, "epochs": 3, "deadline_days": 7},
            software={"cuda": None},
        )
    )
    runs = {
        candidate.gpu.slug: candidate.duration_s.typical
        for candidate in plan.candidates
        if candidate.gpu_count == 4 and candidate.node_count == 1 and candidate.duration_s is not None
    }
    assert 1.8 <= runs["a100-sxm4-80gb"] / runs["h100-sxm5-80gb"] <= 2.8


@pytest.mark.parametrize(
    "answers",
    [
        {"model": {"params_b": 0.23}, "inference": {"qps": 40, "in_len": 128, "out_len": 1, "weight_precision": "int8"}},  # bank
        {
            "model": {"name": "unet-3d"},
            "training": {"kind": "pretrain", "samples": 1000, "epochs": 500, "precision": "fp16-mixed"},
        },  # medical
        {"model": {"name": "bert-large"}, "training": {"kind": "finetune", "seq_len": 512, "samples": 1_000_000, "epochs": 3}},  # BERT
    ],
)
def test_production_is_bought_for_a_rack(answers: dict[str, Any]) -> None:
    """Small work once ended in a tower beside a desk; production does so only where somebody allows it."""
    operations = {"environment": "production", "cooling": "air"}
    plan = a_plan({"name": "small", "currency": "CNY", **answers, "operations": operations})
    assert plan.recommended.best is not None
    assert not any(candidate.server.is_desk_side for candidate in plan.candidates)
    assert reasons(plan)["selection.desk_side"].rule == "R-S6"
    allowed = a_plan({"name": "small", "currency": "CNY", **answers, "operations": {**operations, "allow_desktop": True}})
    assert "selection.desk_side" not in reasons(allowed)


def test_a_table_that_asks_for_too_little_memory_is_contradicted_in_figures() -> None:
    """Document 003 gives 1–7B the A100 40 GB; full fine-tuning of 7B does not fit two or four of them."""
    plan = a_plan(
        an_intake(
            model={"name": "llama-2-7b"},
            training={"seq_len": 2048, "samples": 200_000, "epochs": 3},
            software={"cuda": None},
        )
    )
    answer = next(answer for answer in plan.tables if answer.row.key == "003-4.2-medium")
    assert not answer.agrees
    assert answer.why.params["gpu"] == "NVIDIA A100 PCIe 40GB"
