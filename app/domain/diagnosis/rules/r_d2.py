"""R-D2: the memory controller is the busy part."""

from app.domain.diagnosis import facts
from app.domain.diagnosis.case import DCGM_COMMAND, Case, indices, ratio
from app.domain.diagnosis.rule import Rule
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import message
from app.domain.telemetry import GpuProfile, metrics


def judge(case: Case) -> Diagnosis | None:
    """Memory-bandwidth-bound."""
    met = [one for one in case.working if (ratio(one, metrics.MEMORY_BUSY) or 0) >= case.limit("bandwidth_memory_ratio")]
    if not met:
        return None
    clear = all(_is_clear(case, one) for one in met)
    return Diagnosis(
        rule=RULE.id,
        verdict=Verdict.MEMORY_BANDWIDTH_BOUND,
        confidence=case.confidence(Confidence.HIGH if clear else Confidence.MEDIUM),
        gpus=indices(met),
        headline=facts.headline("headline.memory_bandwidth_bound", met),
        evidence=facts.given(
            facts.level(met, metrics.MEMORY_BUSY, "evidence.memory_at_least", case.limit("bandwidth_memory_ratio")),
            facts.level(met, metrics.SM, "evidence.sm", case.limit("bandwidth_clear_sm_ratio")),
            facts.level(met, metrics.DRAM_ACTIVE, "evidence.dram", case.limit("bandwidth_memory_ratio")),
            facts.power(case, met),
            None if clear else message("evidence.both_busy"),
            facts.basis(case, met),
        ),
        advice=message("advice.memory_bandwidth_bound"),
        command=None if clear else DCGM_COMMAND,
    )


def _is_clear(case: Case, one: GpuProfile) -> bool:
    sm, memory = ratio(one, metrics.SM), ratio(one, metrics.MEMORY_BUSY)
    return (
        memory is not None
        and memory >= case.limit("bandwidth_clear_memory_ratio")
        and sm is not None
        and sm <= case.limit("bandwidth_clear_sm_ratio")
    )


RULE = Rule("R-D2", judge)
