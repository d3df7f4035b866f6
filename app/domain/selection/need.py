"""Whether a layout does what was asked for in time, and what it misses if not."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.capacity import Figures, Hardware
from app.domain.capacity.hardware import peak_flops
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import DataMissing, Message, message
from app.domain.intake import Requirements, TrainingNeeds
from app.domain.selection.elimination import MATRIX_PRECISION, Ruled
from app.domain.selection.layouts import Found
from app.domain.selection.policy import Policy
from app.domain.workload import LinkKind, Method, Sharding, active_parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`ruled`: it misses too much. Otherwise what has to be given up, if anything, and how long one run takes."""

    ruled: Ruled | None
    compromises: tuple[Message, ...] = ()
    duration_s: float | None = None
    is_in_time: bool = True


def input_s(needs: Requirements) -> float | None:
    """How long the storage alone takes to deliver every sample of a run: samples · epochs · bytes / bandwidth (R-T6); None: not known."""
    data, training = needs.data, needs.training
    if training is None or data.sample_bytes is None or data.storage_bytes_per_s is None:
        return None
    return training.sample_count * training.epochs * data.sample_bytes / data.storage_bytes_per_s


def too_slow_at_peak(
    needs: TrainingNeeds, model: LanguageModel | OtherModel, hardware: Hardware, gpu_count: int, policy: Policy
) -> Ruled | None:
    """Rules out, before any layout is tried, what would be late even at the cards' full dense peak: 2·(2 or 3)·parameters·tokens / peak (R-T1)."""
    if not isinstance(model, LanguageModel):
        return None  # counted in samples, not tokens: left to the layouts
    precision = MATRIX_PRECISION[needs.precision]
    try:
        peak = peak_flops(hardware, "tf32" if precision == "fp32" else precision)
    except DataMissing:
        return None
    passes = (
        3 if Method(needs.method) is Method.FULL else 2
    )  # without weight gradients of a frozen base only two of three products are left
    flop = 2 * passes * active_parameters(model) * needs.sample_count * needs.epochs * needs.seq_len
    least_s, deadline_s = flop / (gpu_count * peak), float(needs.deadline_s)
    if least_s <= policy.near_ratio * deadline_s:
        return None
    short_by = message("selection.short_time_at_least", over_s=least_s - deadline_s)
    return Ruled(rule="R-T1", reason=message("selection.too_slow_at_peak"), short_by=short_by, short_ratio=1 - deadline_s / least_s)


def judge_training(needs: Requirements, found: Found, link: LinkKind, policy: Policy) -> Verdict:
    """Compares the run with its deadline; the storage's own time is a floor that no GPU lowers."""
    assert needs.training is not None
    duration_s = found.figures.duration_s
    assert duration_s is not None
    floor_s = input_s(needs) or 0.0
    deadline_s = float(needs.training.deadline_s)
    total_s = max(duration_s, floor_s)
    late_ratio = total_s / deadline_s
    if late_ratio > policy.near_ratio:
        return Verdict(ruled=_too_slow(found.figures, total_s, deadline_s, policy, is_storage=floor_s > duration_s))
    compromises = [*_tight(found), *_over_pcie(found, link, policy)]
    if late_ratio > 1:
        compromises.append(message("selection.late", over_s=total_s - deadline_s, deadline_s=deadline_s))
    return Verdict(ruled=None, compromises=tuple(compromises), duration_s=total_s, is_in_time=late_ratio <= 1)


def judge_serving(needs: Requirements, found: Found, policy: Policy) -> Verdict:
    """Compares requests a second, as they will be in six months, and both latencies with their targets."""
    serving, asked = found.figures.serving, needs.inference
    assert serving is not None
    assert asked is not None
    rate = asked.qps * needs.operations.growth_ratio_6m
    speaks = isinstance(needs.model, LanguageModel)
    first = "selection.first_token" if speaks else "selection.answer_time"
    misses = [
        (rate / max(serving.requests_per_s, 1e-9), message("selection.rate", got=serving.requests_per_s, wanted=rate)),
        (serving.ttft_s / asked.ttft_s, message(first, got_s=serving.ttft_s, wanted_s=asked.ttft_s)),
        (serving.tpot_s / asked.tpot_s, message("selection.per_token", got_s=serving.tpot_s, wanted_s=asked.tpot_s)),
    ]
    if speaks:  # nothing else keeps a cache
        room, wanted = serving.max_concurrency, asked.concurrency
        misses.append((wanted / max(room, 1e-9), message("selection.cache", got=room, wanted=wanted)))
    worst_ratio, worst = max(misses, key=lambda miss: miss[0])
    if worst_ratio > policy.near_ratio:
        reason = message("selection.too_slow_to_serve")
        return Verdict(ruled=Ruled(rule="R-T2", reason=reason, short_by=worst, short_ratio=1 - 1 / worst_ratio))
    late = [text for ratio, text in misses if ratio > 1]
    return Verdict(ruled=None, compromises=(*_tight(found), *late), is_in_time=not late)


def _tight(found: Found) -> Iterator[Message]:
    if not found.is_roomy:
        memory = found.figures
        yield message("selection.tight", peak_bytes=memory.device_bytes, capacity_bytes=memory.capacity_bytes)


def _over_pcie(found: Found, link: LinkKind, policy: Policy) -> Iterator[Message]:
    """R-S2: from four cards on, what shards states or splits layers wants NVLink; plain data parallelism may live on PCIe."""
    train, cards = found.workload.train, found.workload.gpu_count
    assert train is not None
    if link is LinkKind.PCIE and cards >= policy.nvlink_from_count and (train.sharding is not Sharding.NONE or train.tp > 1):
        yield message("selection.sharded_over_pcie", cards=cards)


def _too_slow(figures: Figures, total_s: float, deadline_s: float, policy: Policy, *, is_storage: bool) -> Ruled:
    short_by = message("selection.short_time", over_s=total_s - deadline_s)
    short_ratio = 1 - deadline_s / total_s
    if is_storage:
        return Ruled(rule="R-T6", reason=message("selection.storage_too_slow"), short_by=short_by, short_ratio=short_ratio)
    collective_ratio = figures.collective_ratio or 0.0
    if collective_ratio > policy.link_bound_ratio:
        return Ruled(
            rule="R-D6", reason=message("selection.link_too_slow", share_ratio=collective_ratio), short_by=short_by, short_ratio=short_ratio
        )
    return Ruled(rule="R-T1", reason=message("selection.too_slow"), short_by=short_by, short_ratio=short_ratio)
