"""R-D8: some GPUs stay below the others."""

from statistics import median

from app.domain.diagnosis import facts
from app.domain.diagnosis.case import Case, indices, listed, ratio
from app.domain.diagnosis.rule import Rule
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import Message, message
from app.domain.telemetry import GpuProfile, metrics

TOPOLOGY_COMMAND = "nvidia-smi topo -m && nvidia-smi --query-gpu=index,pcie.link.gen.current,pcie.link.width.current,clocks.sm,temperature.gpu --format=csv"


def judge(case: Case) -> Diagnosis | None:
    """Imbalance or straggler."""
    everyone = [*case.working, *case.idle]
    if len(everyone) < 2 or not case.working:
        return None
    behind = [one for one in everyone if _is_behind(case, one, everyone)]
    by_power = [] if behind else [one for one in case.working if _draws_less(case, one)]
    met = sorted(behind or by_power, key=lambda one: one.index)
    if not met:
        return None
    others = [one for one in everyone if one not in met]
    unused = all(one in case.idle for one in met)
    return Diagnosis(
        rule=RULE.id,
        verdict=Verdict.IMBALANCED,
        confidence=case.confidence(Confidence.HIGH if behind else Confidence.LOW),
        gpus=indices(met),
        headline=message(
            "headline.partly_idle" if unused else "headline.imbalanced", gpus=listed(indices(met)), others=listed(indices(others))
        ),
        evidence=facts.given(
            _compared("evidence.sm_compared", met, others) if behind else _power_compared(met, others),
            message("evidence.idle_among", gpus=listed(indices(case.idle))) if case.idle else None,
            facts.basis(case, everyone),
        ),
        advice=message("advice.partly_idle" if unused else "advice.imbalanced"),
        command=TOPOLOGY_COMMAND,
    )


def _level(one: GpuProfile) -> float | None:
    if one.steady:
        return ratio(one, metrics.SM)
    found = one.metrics.get(metrics.SM)
    return None if found is None else found.p50 / 100


def _is_behind(case: Case, one: GpuProfile, everyone: list[GpuProfile]) -> bool:
    """Below the median of the others, and at its best still below the median of their worst."""
    mine, levels = _level(one), [level for other in everyone if other is not one and (level := _level(other)) is not None]
    if mine is None or not levels or median(levels) - mine < case.limit("straggler_ratio"):
        return False
    best = (one.steady or one.metrics)[metrics.SM].p95 / 100
    return best < median(levels)


def _draws_less(case: Case, one: GpuProfile) -> bool:
    """Equally "busy" at clearly less power: it works less, or waits."""
    others = [other.steady[metrics.POWER].p50 for other in case.working if other is not one and metrics.POWER in other.steady]
    busy = all((ratio(other, metrics.SM) or 0.0) >= case.limit("busy_sm_ratio") for other in case.working)
    return (
        busy
        and len(others) > 1
        and metrics.POWER in one.steady
        and one.steady[metrics.POWER].p50 < case.limit("straggler_power_ratio") * median(others)
    )


def _compared(code: str, met: list[GpuProfile], others: list[GpuProfile]) -> Message:
    mine = [level for one in met if (level := _level(one)) is not None]
    theirs = [level for one in others if (level := _level(one)) is not None]
    return message(code, gpus=listed(indices(met)), low_ratio=median(mine), high_ratio=median(theirs), others=listed(indices(others)))


def _power_compared(met: list[GpuProfile], others: list[GpuProfile]) -> Message:
    return message(
        "evidence.power_compared",
        gpus=listed(indices(met)),
        low_w=median(one.steady[metrics.POWER].p50 for one in met),
        high_w=median(one.steady[metrics.POWER].p50 for one in others if metrics.POWER in one.steady),
    )


RULE = Rule("R-D8", judge)
