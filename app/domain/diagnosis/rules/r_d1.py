"""R-D1: SMs busy, memory controller half idle, sustained, and power or tensor activity to prove it. Utilisation alone never does (R-D9)."""

from app.domain.diagnosis import facts
from app.domain.diagnosis.case import LIMIT_COMMAND, Case, indices, ratio
from app.domain.diagnosis.rule import Rule
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import message
from app.domain.telemetry import GpuProfile, metrics


def judge(case: Case) -> Diagnosis | None:
    """Compute-bound."""
    met = [one for one in case.working if _is_met(case, one)]
    if not met:
        return None
    proofs = [_proof(case, one) for one in met]
    most = Confidence.HIGH if min(proofs) >= Confidence.HIGH else Confidence.LOW
    return Diagnosis(
        rule=RULE.id,
        verdict=Verdict.COMPUTE_BOUND,
        confidence=case.confidence(most),
        gpus=indices(met),
        headline=facts.headline("headline.compute_bound", met),
        evidence=facts.given(
            facts.level(met, metrics.SM, "evidence.sm_at_least", case.limit("busy_sm_ratio")),
            facts.level(met, metrics.MEMORY_BUSY, "evidence.memory_below", case.limit("compute_memory_ratio")),
            facts.power(case, met),
            facts.level(met, metrics.TENSOR_ACTIVE, "evidence.tensor", case.limit("tensor_working_ratio")),
            facts.basis(case, met),
        ),
        advice=message("advice.compute_bound"),
        command=None if most is Confidence.HIGH else LIMIT_COMMAND,
    )


def _is_met(case: Case, one: GpuProfile) -> bool:
    sm, memory = ratio(one, metrics.SM), ratio(one, metrics.MEMORY_BUSY)
    if sm is None or memory is None or sm < case.limit("busy_sm_ratio") or memory >= case.limit("compute_memory_ratio"):
        return False
    return _proof(case, one) > 0


def _proof(case: Case, one: GpuProfile) -> int:
    """How well something besides utilisation supports the verdict: 0 not at all."""
    tensor, power = ratio(one, metrics.TENSOR_ACTIVE), case.power_ratio(one)
    if tensor is not None and tensor >= case.limit("tensor_working_ratio"):
        return Confidence.HIGH
    if power is None or power < case.limit("low_power_ratio"):
        return 0
    return Confidence.HIGH if power >= case.limit("working_power_ratio") else Confidence.LOW


RULE = Rule("R-D1", judge)
