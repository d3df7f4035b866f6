"""R-D7: the board slows down, by heat or by its power cap."""

from app.domain.diagnosis import facts
from app.domain.diagnosis.case import Case, indices
from app.domain.diagnosis.rule import Rule
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import Message, message
from app.domain.telemetry import GpuProfile, metrics
from app.domain.units import percent

REASONS_COMMAND = "nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER"


def judge(case: Case) -> Diagnosis | None:
    """Throttled."""
    hot = [one for one in case.working if one.steady[metrics.GPU_TEMPERATURE].p95 >= case.limit("hot_c")] if _has(case) else []
    thermal = [one for one in case.working if _mean(one, metrics.THERMAL_VIOLATION) >= case.limit("violation_ratio")]
    capped = [
        one
        for one in case.working
        if percent(_mean(one, metrics.POWER_VIOLATION)) >= case.limit("violation_ratio") and _clock_falls(case, one)
    ]
    met = sorted({one.index: one for one in (*hot, *thermal, *capped)}.values(), key=lambda one: one.index)
    if not met:
        return None
    falls = [one for one in met if _clock_falls(case, one)]
    most = Confidence.HIGH if thermal or (hot and falls) else Confidence.MEDIUM if falls else Confidence.LOW
    return Diagnosis(
        rule=RULE.id,
        verdict=Verdict.THROTTLED,
        confidence=case.confidence(most),
        gpus=indices(met),
        headline=facts.headline("headline.throttled" if hot or thermal else "headline.power_capped", met),
        evidence=facts.given(
            message(
                "evidence.hot", temperature_c=max(one.steady[metrics.GPU_TEMPERATURE].p95 for one in hot), threshold_c=case.limit("hot_c")
            )
            if hot
            else None,
            message("evidence.thermal_violation", share_ratio=max(_mean(one, metrics.THERMAL_VIOLATION) for one in thermal))
            if thermal
            else None,
            message("evidence.power_violation", share_ratio=percent(max(_mean(one, metrics.POWER_VIOLATION) for one in capped)))
            if capped
            else None,
            _clocks(falls),
            facts.power(case, met),
            facts.basis(case, met),
        ),
        advice=message("advice.throttled" if hot or thermal else "advice.power_capped"),
        command=REASONS_COMMAND,
    )


def _has(case: Case) -> bool:
    return all(metrics.GPU_TEMPERATURE in one.steady for one in case.working)


def _mean(one: GpuProfile, metric: str) -> float:
    found = one.steady.get(metric)
    return found.mean if found else 0.0


def _clock_falls(case: Case, one: GpuProfile) -> bool:
    clock = one.steady.get(metrics.SM_CLOCK)
    return clock is not None and clock.p05 < case.limit("clock_fall_ratio") * clock.p95


def _clocks(falls: list[GpuProfile]) -> Message:
    if not falls:
        return message("evidence.clock_steady")
    worst = min((one.steady[metrics.SM_CLOCK] for one in falls), key=lambda clock: clock.p05 / clock.p95)
    return message("evidence.clock_falls", low_mhz=worst.p05, high_mhz=worst.p95)


RULE = Rule("R-D7", judge)
