"""A plan as a whole: everything searched is either a candidate or eliminated, and what is recommended is what it says."""

from typing import Any

import pytest

from app.domain.capacity import Fit
from app.domain.diagnosis import Confidence, Diagnosis, Verdict
from app.domain.errors import message
from app.domain.selection import Plan, Role, make_plan
from app.domain.selection.relaxing import relaxation
from app.seeds import load_catalogue
from tests.factories.plans import FX, RETAIL, a_plan, an_intake

WITH_SERVING = {
    "training": None,
    "inference": {"qps": 8, "in_len": 512, "out_len": 128, "ttft_ms": 2000, "tpot_ms": 100, "weight_precision": "bf16"},
}


@pytest.fixture(scope="module")
def plan() -> Plan:
    return a_plan()


def cost(plan: Plan, index: int | None) -> float:
    assert index is not None
    return float(plan.candidates[index].tco.options[0].total.amount)


def serving() -> dict[str, Any]:
    return {key: value for key, value in {**RETAIL, **WITH_SERVING}.items() if value is not None}


def test_searched_is_candidates_plus_eliminated(plan: Plan) -> None:
    assert plan.searched == len(plan.candidates) + sum(entry.count for entry in plan.eliminated)
    assert all(entry.count > 0 for entry in plan.eliminated)


def test_the_same_needs_give_the_same_plan(plan: Plan) -> None:
    assert a_plan() == plan


def test_best_is_as_good_as_the_cheapest_that_meets_the_need(plan: Plan) -> None:
    best = plan.recommended.best
    meeting = [index for index, candidate in enumerate(plan.candidates) if candidate.meets_need]
    assert best in meeting
    assert cost(plan, best) <= load_catalogue().policy("same_cost") * min(cost(plan, index) for index in meeting)


def test_cheaper_costs_less_and_says_what_it_gives_up(plan: Plan) -> None:
    assert plan.recommended.cheaper is not None
    assert cost(plan, plan.recommended.cheaper) < cost(plan, plan.recommended.best)
    assert plan.candidates[plan.recommended.cheaper].compromises


def test_safer_meets_the_deadline_at_the_slow_end(plan: Plan) -> None:
    assert plan.recommended.safer is not None
    safer = plan.candidates[plan.recommended.safer]
    deadline_s = plan.requirements.training.deadline_s  # type: ignore[union-attr]
    assert safer.duration_s is not None
    assert safer.duration_s.high <= deadline_s
    assert safer.estimate.memory is not None
    assert safer.estimate.memory.fits is Fit.YES


def test_candidates_that_meet_the_need_are_in_time_and_fit(plan: Plan) -> None:
    deadline_s = plan.requirements.training.deadline_s  # type: ignore[union-attr]
    for candidate in plan.candidates:
        if candidate.meets_need:
            assert candidate.duration_s is not None
            assert candidate.duration_s.typical <= deadline_s
            assert candidate.estimate.memory is not None
            assert candidate.estimate.memory.fits is Fit.YES


def test_a_longer_deadline_never_costs_more() -> None:
    week, month = a_plan(), a_plan(an_intake(training={"deadline_days": 30}))
    assert cost(month, month.recommended.best) <= cost(week, week.recommended.best)


def test_a_small_budget_eliminates_by_budget_with_the_shortfall() -> None:
    poor = a_plan(an_intake(operations={"budget": {"amount": "300000", "currency": "CNY"}}))
    over = next(entry for entry in poor.eliminated if entry.reason.code == "selection.over_budget")
    assert over.short_by is not None
    assert int(over.short_by.params["short_amount"]) > 0  # type: ignore[arg-type]
    assert all(candidate.tco.options[0].capex.amount <= 300_000 for candidate in poor.candidates)


def test_slow_storage_is_named_and_no_gpu_is_bought_for_it() -> None:
    """R-T6: 20 M × 0.6 MB at 5 MB/s takes 28 days, whatever the GPU."""
    slow = a_plan(an_intake(data={"storage_gbps": 0.005}))
    assert slow.recommended.best is None
    assert any(entry.reason.code == "selection.storage_too_slow" and entry.rule == "R-T6" for entry in slow.eliminated)


def test_serving_is_planned_by_rate_and_latency() -> None:
    plan = a_plan(serving())
    assert plan.recommended.best is not None
    best = plan.candidates[plan.recommended.best].estimate.throughput
    assert best is not None
    assert best.requests_per_s is not None
    assert best.requests_per_s.typical >= 8


def diagnosis(verdict: Verdict) -> Diagnosis:
    said = message("diagnosis.test")
    return Diagnosis(rule="R-D2", verdict=verdict, confidence=Confidence.HIGH, gpus=(0,), headline=said, evidence=(), advice=said)


def test_evidence_of_starved_gpus_advises_to_fix_the_pipeline_first(plan: Plan) -> None:
    starved = a_plan(diagnosis=diagnosis(Verdict.INPUT_STARVED))
    assert [text.code for text in starved.advice] == ["selection.advice.input-starved", "diagnosis.test"]
    assert plan.advice == ()


def test_bandwidth_evidence_weighs_by_bandwidth(plan: Plan) -> None:
    """The same candidates, but a card with more bandwidth for its FLOPS gains in the roles that weigh speed."""
    bound = a_plan(diagnosis=diagnosis(Verdict.MEMORY_BANDWIDTH_BOUND))
    names = [(candidate.gpu.slug, candidate.gpu_count) for candidate in plan.candidates]
    assert [(candidate.gpu.slug, candidate.gpu_count) for candidate in bound.candidates] == names
    role = Role.SINGLE_NODE_TRAINING
    assert [candidate.scores[role] for candidate in bound.candidates] != [candidate.scores[role] for candidate in plan.candidates]


def test_memory_wall_evidence_leaves_three_tenths_of_the_card_free() -> None:
    walled = a_plan(diagnosis=diagnosis(Verdict.MEMORY_CAPACITY))
    for candidate in walled.candidates:
        if candidate.meets_need:
            memory = candidate.estimate.memory
            assert memory is not None
            assert memory.capacity_bytes is not None
            assert memory.device_bytes.typical <= 0.7 * memory.capacity_bytes


def test_a_vision_model_is_planned_in_samples() -> None:
    """ResNet-50 for 90 epochs of ImageNet: a small card does it, and the layout has no recomputation to speak of."""
    plan = a_plan(
        {
            "name": "classifier",
            "currency": "USD",
            "model": {"name": "resnet-50"},
            "training": {"kind": "pretrain", "method": "full", "samples": 1_281_167, "epochs": 90, "deadline_days": 2},
        }
    )
    assert plan.recommended.best is not None
    best = plan.candidates[plan.recommended.best]
    assert best.gpu_count == 1
    assert best.layout.act_ckpt == "none"


def test_no_advice_to_buy_cards_that_mostly_wait_for_each_other() -> None:
    training = {"method": "full", "seq_len": 2048, "samples": 100_000, "deadline_days": 14}
    plan = a_plan(an_intake(model={"name": "llama-2-7b"}, training=training, operations={"environment": "development"}))
    waiting = [candidate for candidate in plan.candidates if (candidate.collective_ratio or 0.0) > 0.5]
    assert waiting
    recommended = (plan.recommended.best, plan.recommended.cheaper, plan.recommended.safer)
    assert all((plan.candidates[index].collective_ratio or 0.0) <= 0.5 for index in recommended if index is not None)


def _bought(plan: Plan) -> set[tuple[str, str, int, int]]:
    return {(one.gpu.slug, one.server.slug, one.gpu_count, one.node_count) for one in plan.candidates if one.meets_need}


def test_more_budget_removes_no_candidate() -> None:
    small, large = (a_plan(an_intake(operations={"budget": {"amount": amount, "currency": "CNY"}})) for amount in ("1500000", "4000000"))
    assert _bought(small) <= _bought(large)


def test_a_tighter_deadline_adds_no_configuration_that_was_too_slow() -> None:
    """Who meets five days meets seven; and the lowest configuration for five days is no cheaper than the one for seven."""
    longer, shorter = (a_plan(an_intake(training={"deadline_days": days})) for days in (7, 5))
    kinds = [{(one.gpu.slug, one.gpu_count) for one in plan.candidates if one.meets_need} for plan in (longer, shorter)]
    larger = {(slug, count) for slug, count in kinds[1] if not any(slug == known for known, _ in kinds[0])}
    assert larger == set()
    assert longer.recommended.best is not None
    assert shorter.recommended.best is not None
    assert cost(shorter, shorter.recommended.best) * load_catalogue().policy("same_cost") >= cost(longer, longer.recommended.best)


def test_the_nearest_change_admits_what_it_was_computed_for() -> None:
    """Each computed change of one answer, planned again, has fewer options fall out for that reason, or for none of it at all."""
    plan = a_plan(an_intake(operations={"rack_kw": 8}))
    entry = next(one for one in plan.eliminated if one.reason.code == "selection.rack_power")
    found = relaxation(entry, plan.requirements, load_catalogue())
    assert found is not None
    assert found.change.params["power_w"] == load_catalogue().server(str(entry.server)).max_power_w
    again = make_plan(found.needs, load_catalogue(), None, FX)
    left = next((one.count for one in again.eliminated if one.reason.code == entry.reason.code), 0)
    assert left < entry.count
