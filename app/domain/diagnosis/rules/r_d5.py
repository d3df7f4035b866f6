"""R-D5: the GPUs wait for their input: SMs below 60 % with memory and PCIe idle, or SMs that swing. CPU load is not in these logs."""

from app.domain.diagnosis import facts
from app.domain.diagnosis.case import Case, indices, ratio, spread
from app.domain.diagnosis.rule import Rule
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import message
from app.domain.telemetry import GpuProfile, metrics
from app.domain.telemetry.pcie import link_rate
from app.domain.units import percent

CPU_COMMAND = "mpstat -P ALL 5 12"


def judge(case: Case) -> Diagnosis | None:
    """Starved by the input pipeline."""
    candidates = [one for one in case.working if _is_waiting(case, one)]
    low = [one for one in candidates if (ratio(one, metrics.SM) or 0.0) < case.limit("starved_sm_ratio")]
    met = low or [one for one in candidates if _swings(case, one)]
    if not met:
        return None
    transfer_known = all(case.transfer_bytes_per_s(one) is not None for one in met)
    swings = any(_swings(case, one) for one in met)
    most = Confidence.LOW if not low else Confidence.HIGH if transfer_known and swings else Confidence.MEDIUM
    return Diagnosis(
        rule=RULE.id,
        verdict=Verdict.INPUT_STARVED,
        confidence=case.confidence(most),
        gpus=indices(met),
        headline=facts.headline(_headline(case, starved=bool(low)), met, every_s=_gap(case)),
        evidence=facts.given(
            facts.level(met, metrics.SM, "evidence.sm_below" if low else "evidence.sm", case.limit("starved_sm_ratio")),
            facts.swing(met),
            facts.dips(case),
            facts.level(met, metrics.MEMORY_BUSY, "evidence.memory_below", case.limit("compute_memory_ratio")),
            facts.transfer(case, met),
            facts.power(case, met),
            None if transfer_known else message("evidence.no_pcie"),
            message("evidence.no_cpu"),
            facts.basis(case, met),
        ),
        advice=message("advice.input_starved"),
        command=CPU_COMMAND,
    )


def _headline(case: Case, *, starved: bool) -> str:
    if not starved:
        return "headline.input_swings"
    return "headline.input_starved_in_turns" if facts.dips(case) else "headline.input_starved"


def _gap(case: Case) -> float:
    return case.steady_s / max(1, case.profile.summary.dip_count)


def _is_waiting(case: Case, one: GpuProfile) -> bool:
    sm, memory, traffic = ratio(one, metrics.SM), ratio(one, metrics.MEMORY_BUSY), case.transfer_bytes_per_s(one)
    ends = spread(one, metrics.SM)
    if sm is None or ends is None or ends[1] <= case.limit("idle_ratio") or sm >= case.limit("busy_sm_ratio"):
        return False
    engines = (one.steady[name].p50 for name in (metrics.ENCODER, metrics.DECODER) if name in one.steady)
    if percent(max(engines, default=0.0)) >= case.limit("engine_busy_ratio"):
        return False  # a video job
    link = case.link_bytes_per_s or link_rate(None) / 4  # unknown link: the slowest in use, generation 3
    return (memory or 0.0) < case.limit("compute_memory_ratio") and (traffic or 0.0) < link * case.limit("pcie_idle_ratio")


def _swings(case: Case, one: GpuProfile) -> bool:
    ends = spread(one, metrics.SM)
    return ends is not None and ends[1] - ends[0] >= case.limit("swing_ratio")


RULE = Rule("R-D5", judge)
