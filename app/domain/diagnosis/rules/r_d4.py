"""R-D4: the PCIe link is full while the GPU waits."""

from app.domain.diagnosis import facts
from app.domain.diagnosis.case import Case, indices, ratio
from app.domain.diagnosis.rule import Rule
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import message
from app.domain.telemetry import GpuProfile, metrics

LINK_COMMAND = (
    "nvidia-smi --query-gpu=index,pcie.link.gen.current,pcie.link.width.current,pcie.link.gen.max,pcie.link.width.max --format=csv"
)


def judge(case: Case) -> Diagnosis | None:
    """Data path between host and device saturated."""
    shares = [(one, _share(case, one)) for one in case.working if (ratio(one, metrics.SM) or 0.0) < case.limit("starved_sm_ratio")]
    met = [(one, share) for one, share in shares if share >= case.limit("pcie_near_ratio")]
    if not met or case.link_bytes_per_s is None:
        return None
    full = min(share for _, share in met) >= case.limit("pcie_full_ratio")
    gpus = [one for one, _ in met]
    return Diagnosis(
        rule=RULE.id,
        verdict=Verdict.PCIE_BOUND,
        confidence=case.confidence(Confidence.HIGH if full else Confidence.LOW),
        gpus=indices(gpus),
        headline=facts.headline("headline.pcie_bound", gpus, pcie_ratio=max(share for _, share in met)),
        evidence=facts.given(
            facts.transfer(case, gpus),
            message(
                "evidence.achievable",
                achievable_bytes_per_s=case.link_bytes_per_s * case.limit("pcie_achievable_ratio"),
                share_ratio=max(share for _, share in met),
                threshold_ratio=case.limit("pcie_full_ratio"),
            ),
            facts.level(gpus, metrics.SM, "evidence.sm_below", case.limit("starved_sm_ratio")),
            facts.basis(case, gpus),
        ),
        advice=message("advice.pcie_bound"),
        command=None if full else LINK_COMMAND,
    )


def _share(case: Case, one: GpuProfile) -> float:
    traffic, link = case.transfer_bytes_per_s(one), case.link_bytes_per_s
    return traffic / (link * case.limit("pcie_achievable_ratio")) if traffic is not None and link else 0.0


RULE = Rule("R-D4", judge)
