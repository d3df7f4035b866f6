"""What is said when no rule is met: idle, healthy, or why the log cannot tell and which command would."""

from app.domain.diagnosis import facts
from app.domain.diagnosis.case import COMMAND, DCGM_COMMAND, LIMIT_COMMAND, PROFILE_COMMAND, Case, indices, middle, ratio
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import Message, message
from app.domain.telemetry import metrics
from app.domain.units import percent


def idle(case: Case) -> Diagnosis:
    """No GPU worked."""
    return Diagnosis(
        rule="idle",
        verdict=Verdict.IDLE,
        confidence=Confidence.HIGH if case.profile.summary.cycles >= case.limit("medium_cycles_count") else Confidence.LOW,
        gpus=indices(case.idle),
        headline=facts.headline("headline.idle", case.idle),
        evidence=(message("evidence.idle", duration_s=case.profile.summary.duration_s, cycles_count=case.profile.summary.cycles),),
        advice=message("advice.idle"),
        command=COMMAND,
    )


def undecided(case: Case) -> Diagnosis:
    """Healthy when everything speaks for it, inconclusive otherwise."""
    gpus = case.working or case.profile.summary.gpus
    sm = middle(gpus, metrics.SM)
    if not case.working:
        return _inconclusive(case, message("headline.too_little", cycles_count=case.steady_cycles), COMMAND)
    if sm is None:
        if metrics.SM in case.profile.unreported:
            return _inconclusive(case, facts.headline("headline.not_reported", gpus), DCGM_COMMAND)
        return _inconclusive(case, facts.headline("headline.no_utilisation", gpus), COMMAND)
    engine = max(middle(gpus, name) or 0.0 for name in (metrics.ENCODER, metrics.DECODER))
    if percent(engine) >= case.limit("engine_busy_ratio"):
        return _inconclusive(case, message("headline.video", engine_ratio=percent(engine)), PROFILE_COMMAND)
    if _is_healthy(case):
        return Diagnosis(
            rule="healthy",
            verdict=Verdict.HEALTHY,
            confidence=case.confidence(Confidence.MEDIUM),
            gpus=indices(gpus),
            headline=facts.headline("headline.healthy", gpus),
            evidence=_levels(case),
            advice=message("advice.healthy"),
        )
    if percent(sm) >= case.limit("busy_sm_ratio") and all(case.power_ratio(one) is None for one in gpus):
        return _inconclusive(
            case, facts.headline("headline.utilisation_alone", gpus), LIMIT_COMMAND if middle(gpus, metrics.POWER) else COMMAND, "R-D9"
        )
    traffic = max(middle(gpus, name) or 0.0 for name in (metrics.PCIE_RX, metrics.PCIE_TX))
    if percent(sm) < case.limit("starved_sm_ratio") and case.link_bytes_per_s is None and traffic:
        return _inconclusive(case, facts.headline("headline.link_unknown", gpus), LIMIT_COMMAND, "R-D4")
    return _inconclusive(case, facts.headline("headline.between", gpus), PROFILE_COMMAND)


def _is_healthy(case: Case) -> bool:
    shares = [case.power_ratio(one) for one in case.working]
    return bool(shares) and all(
        (ratio(one, metrics.SM) or 0.0) >= case.limit("healthy_sm_ratio")
        and (ratio(one, metrics.MEMORY_BUSY) or 0.0) >= case.limit("compute_memory_ratio")
        and share is not None
        and share >= case.limit("working_power_ratio")
        for one, share in zip(case.working, shares, strict=True)
    )


def _inconclusive(case: Case, headline: Message, command: str, rule: str = "inconclusive") -> Diagnosis:
    gpus = case.working or case.profile.summary.gpus
    return Diagnosis(
        rule=rule,
        verdict=Verdict.INCONCLUSIVE,
        confidence=Confidence.LOW,
        gpus=indices(gpus),
        headline=headline,
        evidence=_levels(case),
        advice=message("advice.inconclusive"),
        command=command,
    )


def _levels(case: Case) -> tuple[Message, ...]:
    gpus = case.working or case.profile.summary.gpus
    return facts.given(
        facts.level(gpus, metrics.SM, "evidence.sm", 0.0),
        facts.swing(gpus),
        facts.level(gpus, metrics.MEMORY_BUSY, "evidence.memory", 0.0),
        facts.transfer(case, gpus),
        facts.power(case, gpus),
        facts.basis(case, gpus),
    )
