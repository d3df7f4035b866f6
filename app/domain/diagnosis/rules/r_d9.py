"""R-D9: SMs "busy" at little power or with idle tensor pipes: the utilisation lies."""

from app.domain.diagnosis import facts
from app.domain.diagnosis.case import DCGM_COMMAND, Case, indices, ratio
from app.domain.diagnosis.rule import Rule
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import message
from app.domain.telemetry import GpuProfile, metrics


def judge(case: Case) -> Diagnosis | None:
    """Busy-waiting or tiny kernels."""
    met = [one for one in case.working if _is_met(case, one)]
    if not met:
        return None
    weak = all(case.power_ratio(one) is None for one in met)
    return Diagnosis(
        rule=RULE.id,
        verdict=Verdict.BUSY_WAITING,
        confidence=case.confidence(Confidence.MEDIUM if weak else Confidence.HIGH),
        gpus=indices(met),
        headline=facts.headline("headline.busy_waiting", met),
        evidence=facts.given(
            facts.level(met, metrics.SM, "evidence.sm_at_least", case.limit("busy_sm_ratio")),
            facts.power(case, met),
            facts.level(met, metrics.MEMORY_BUSY, "evidence.memory_below", case.limit("compute_memory_ratio")),
            facts.level(met, metrics.TENSOR_ACTIVE, "evidence.tensor", case.limit("tensor_low_ratio")),
            facts.basis(case, met),
        ),
        advice=message("advice.busy_waiting"),
        command=DCGM_COMMAND,
    )


def _is_met(case: Case, one: GpuProfile) -> bool:
    sm, memory = ratio(one, metrics.SM), ratio(one, metrics.MEMORY_BUSY)
    if sm is None or sm < case.limit("busy_sm_ratio") or (memory or 0.0) >= case.limit("compute_memory_ratio"):
        return False
    power, tensor = case.power_ratio(one), ratio(one, metrics.TENSOR_ACTIVE)
    if tensor is not None and tensor >= case.limit("tensor_working_ratio"):
        return False
    if power is not None:
        return power < case.limit("low_power_ratio")
    return tensor is not None and tensor < case.limit("tensor_low_ratio")


RULE = Rule("R-D9", judge)
