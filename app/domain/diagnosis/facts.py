"""Sentences of evidence that several rules use: which metric, over which GPUs, for how long."""

from collections.abc import Sequence

from app.domain.diagnosis.case import Case, listed, middle
from app.domain.errors import Message, Param, message
from app.domain.telemetry import GpuProfile, metrics
from app.domain.units import mb_per_s, percent


def headline(code: str, gpus: Sequence[GpuProfile], **params: Param) -> Message:
    """The verdict in one sentence, with the medians that every reader asks for first."""
    levels: dict[str, Param] = {}
    for name, metric in (("sm_ratio", metrics.SM), ("memory_ratio", metrics.MEMORY_BUSY)):
        found = middle(gpus, metric)
        levels[name] = "–" if found is None else percent(found)
    watts = middle(gpus, metrics.POWER)
    return message(code, **{"gpus": listed(one.index for one in gpus), "power_w": "–" if watts is None else watts, **levels, **params})


def basis(case: Case, gpus: Sequence[GpuProfile]) -> Message:
    """How long and on which GPUs the evidence was taken."""
    return message(
        "evidence.basis",
        gpus=listed(one.index for one in gpus),
        steady_s=case.steady_s,
        cycles_count=case.steady_cycles,
    )


def level(gpus: Sequence[GpuProfile], metric: str, code: str, threshold: float) -> Message | None:
    """The median of a percentage against its threshold."""
    found = middle(gpus, metric)
    return None if found is None else message(code, median_ratio=percent(found), threshold_ratio=threshold)


def swing(gpus: Sequence[GpuProfile]) -> Message | None:
    """5th to 95th percentile of the SM utilisation."""
    found = [one.steady[metrics.SM] for one in gpus if metrics.SM in one.steady]
    if not found:
        return None
    low, high = min(one.p05 for one in found), max(one.p95 for one in found)
    return message("evidence.swing", low_ratio=percent(low), high_ratio=percent(high))


def dips(case: Case) -> Message | None:
    """How often the work falls below half its level."""
    count = case.profile.summary.dip_count
    return message("evidence.dips", dips_count=count, every_s=case.steady_s / count) if count >= 3 and case.steady_s else None


def power(case: Case, gpus: Sequence[GpuProfile]) -> Message | None:
    """Median power, against the board's limit when that is known."""
    found = middle(gpus, metrics.POWER)
    if found is None:
        return None
    if case.gpu is None or not case.gpu.tdp_w:
        return message("evidence.power_without_limit", power_w=found)
    return message("evidence.power", power_w=found, limit_w=case.gpu.tdp_w, share_ratio=found / case.gpu.tdp_w)


def transfer(case: Case, gpus: Sequence[GpuProfile]) -> Message | None:
    """Median PCIe traffic, against the link when that is known."""
    received, sent = middle(gpus, metrics.PCIE_RX), middle(gpus, metrics.PCIE_TX)
    if received is None and sent is None:
        return None
    fastest = mb_per_s(max(received or 0.0, sent or 0.0))
    if case.link_bytes_per_s is None:
        return message("evidence.pcie_without_link", pcie_bytes_per_s=fastest)
    return message(
        "evidence.pcie", pcie_bytes_per_s=fastest, link_bytes_per_s=case.link_bytes_per_s, share_ratio=fastest / case.link_bytes_per_s
    )


def given(*found: Message | None) -> tuple[Message, ...]:
    """Those that could be said."""
    return tuple(one for one in found if one is not None)
