"""Puts a profile before the rules."""

from dataclasses import replace

from app.domain.catalogue.hardware import Gpu
from app.domain.diagnosis.case import Case, listed
from app.domain.diagnosis.fallback import idle, undecided
from app.domain.diagnosis.policy import POLICY, Policy
from app.domain.diagnosis.registry import RULES
from app.domain.diagnosis.results import of_results
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import message
from app.domain.telemetry import Profile

BOTTLENECKS = frozenset(
    {Verdict.COMPUTE_BOUND, Verdict.MEMORY_BANDWIDTH_BOUND, Verdict.PCIE_BOUND, Verdict.INPUT_STARVED, Verdict.BUSY_WAITING}
)


def diagnose(profile: Profile, gpu: Gpu | None = None, policy: Policy = POLICY) -> tuple[Diagnosis, ...]:
    """The verdicts, the one that matters most first; never empty: what cannot be told is said to be inconclusive."""
    case = Case(profile, gpu, policy)
    if profile.results and not profile.summary.gpus:
        return of_results(profile)
    if len(case.idle) == len(profile.summary.gpus):
        return (idle(case),)
    if not case.working:
        return (undecided(case),)
    found = [diagnosis for rule in RULES if (diagnosis := rule.judge(case)) is not None]
    if not any(one.verdict in BOTTLENECKS for one in found):
        found.append(undecided(case))
    return tuple(sorted(_contradicted(found), key=_rank))


def _rank(diagnosis: Diagnosis) -> tuple[bool, bool, int]:
    """Bottlenecks first, then conditions, "inconclusive" last; the surer before the less sure, else in the order of the rules."""
    return (diagnosis.verdict is Verdict.INCONCLUSIVE, diagnosis.verdict not in BOTTLENECKS, -diagnosis.confidence)


def _contradicted(found: list[Diagnosis]) -> list[Diagnosis]:
    """Where two bottlenecks are seen at once, both say so, and neither is sure."""
    bottlenecks = [one for one in found if one.verdict in BOTTLENECKS]
    if len(bottlenecks) < 2:
        return found
    result: list[Diagnosis] = []
    for one in found:
        others = [other for other in bottlenecks if other is not one]
        if one not in bottlenecks:
            result.append(one)
            continue
        against = tuple(
            message(
                "evidence.contradicted" if set(one.gpus) & set(other.gpus) else "evidence.differs",
                rule=other.rule,
                verdict=message(f"verdict.{other.verdict.value}"),
                gpus=listed(other.gpus),
            )
            for other in others
        )
        shared = any(set(one.gpus) & set(other.gpus) for other in others)
        result.append(replace(one, evidence=(*one.evidence, *against), confidence=Confidence.LOW if shared else one.confidence))
    return result
