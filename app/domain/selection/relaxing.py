"""What would make an eliminated option possible: the nearest change of the answers, from the figures by which the best of its kind missed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Decimal
from math import ceil

from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import Message, message
from app.domain.intake import Requirements
from app.domain.money import Money
from app.domain.selection.plan import Eliminated
from app.domain.units import Seconds, Watts, days

FRUGAL_METHODS = ("full", "lora", "qlora8", "qlora4")
FRUGAL_WEIGHTS = ("fp32", "bf16", "fp8", "int4")
Relaxed = tuple[Message, Requirements] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxation:
    """A change of the answers in words, and the answers after it."""

    change: Message
    needs: Requirements


def relaxation(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxation | None:
    """The change for the option of this entry that came closest; None: no answer stands in its way, or none that a plan could change."""
    relax = _BY_CODE.get(entry.reason.code)
    found = relax(entry, needs, catalogue) if relax else None
    return None if found is None else Relaxation(change=found[0], needs=found[1])


def _operations(needs: Requirements, **changes: object) -> Requirements:
    return replace(needs, operations=replace(needs.operations, **changes))  # type: ignore[arg-type]


def _software(needs: Requirements, **changes: object) -> Requirements:
    return replace(needs, software=replace(needs.software, **changes))  # type: ignore[arg-type]


def _training(needs: Requirements, **changes: object) -> Requirements:
    assert needs.training is not None
    return replace(needs, training=replace(needs.training, **changes))  # type: ignore[arg-type]


def _liquid(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    return message("relax.liquid"), _operations(needs, cooling="liquid")


def _desktop(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    return message("relax.desktop"), _operations(needs, allows_desktop=True)


def _rack(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:
    peak_w = catalogue.server(entry.server).max_power_w if entry.server else None
    if peak_w is None or entry.short_by is None:
        return None
    change = message("relax.rack", power_w=peak_w, more_w=_number(entry.short_by, "power_w"))
    return change, _operations(needs, rack_w=Watts(peak_w), rack_amps=None, rack_volts=None)


def _budget(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    budget = needs.operations.budget
    if budget is None or entry.short_by is None:
        return None
    more = Decimal(ceil(_number(entry.short_by, "short_amount"))) + 1
    wanted = Money((budget.amount + more).quantize(Decimal(1), ROUND_UP), budget.currency)
    change = message("relax.budget", currency=budget.currency.value, wanted_amount=float(wanted.amount))
    return change, _operations(needs, budget=wanted)


def _deadline(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    if needs.training is None or entry.short_by is None:
        return None
    wanted_s = days(ceil((needs.training.deadline_s + _number(entry.short_by, "over_s")) / days(1)))
    return message("relax.deadline", wanted_s=float(wanted_s)), _training(needs, deadline_s=Seconds(wanted_s))


def _serving(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    asked, short = needs.inference, entry.short_by
    if asked is None or short is None:
        return None
    if short.code == "selection.first_token":
        got = _number(short, "got_s")
        return message("relax.first_token", wanted_s=got), replace(needs, inference=replace(asked, ttft_s=Seconds(got)))
    if short.code == "selection.per_token":
        got = _number(short, "got_s")
        return message("relax.per_token", wanted_s=got), replace(needs, inference=replace(asked, tpot_s=Seconds(got)))
    got = _number(short, "got")
    if short.code == "selection.rate":
        rate = got / needs.operations.growth_ratio_6m
        return message("relax.rate", wanted=rate), replace(needs, inference=replace(asked, qps=rate))
    return message("relax.concurrency", wanted=got), replace(needs, inference=replace(asked, concurrency=got))


def _memory(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    if needs.training is not None:
        method = _next(FRUGAL_METHODS, needs.training.method)
        return (message(f"relax.method.{method}"), _training(needs, method=method)) if method else None
    assert needs.inference is not None
    weights = _next(FRUGAL_WEIGHTS, needs.inference.weight_precision)
    if weights is None:
        return None
    return message("relax.weights", precision=weights.upper()), replace(needs, inference=replace(needs.inference, weight_precision=weights))


def _cuda(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    wanted = str(entry.reason.params.get("minimum") or entry.reason.params.get("last"))
    return message("relax.cuda", wanted=wanted), _software(needs, cuda=wanted)


def _hypervisor(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    return message("relax.hypervisor"), _software(needs, hypervisor=None)


def _any_vendor(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    return message("relax.any_vendor"), _software(needs, cuda=None, libraries=())


def _precision(entry: Eliminated, needs: Requirements, catalogue: Catalogue) -> Relaxed:  # noqa: ARG001 -- one signature
    if needs.training is None or needs.training.precision == "fp16-mixed":
        return None
    return message("relax.precision"), _training(needs, precision="fp16-mixed")


def _next(order: tuple[str, ...], now: str) -> str | None:
    """The next thriftier one; what is not in the order, or its last, has none."""
    index = order.index(now) + 1 if now in order else len(order)
    return order[index] if index < len(order) else None


def _number(text: Message, name: str) -> float:
    value = text.params[name]
    assert isinstance(value, int | float)
    return float(value)


_BY_CODE: Mapping[str, Callable[[Eliminated, Requirements, Catalogue], Relaxed]] = {
    "selection.liquid": _liquid,
    "selection.consumer": _desktop,
    "selection.desk_side": _desktop,
    "selection.rack_power": _rack,
    "selection.over_budget": _budget,
    "selection.too_slow": _deadline,
    "selection.too_slow_at_peak": _deadline,
    "selection.link_too_slow": _deadline,
    "selection.storage_too_slow": _deadline,
    "selection.too_slow_to_serve": _serving,
    "selection.memory": _memory,
    "selection.cuda_too_old": _cuda,
    "selection.cuda_too_new": _cuda,
    "selection.hypervisor": _hypervisor,
    "selection.needs_cuda": _any_vendor,
    "selection.precision": _precision,
    "selection.framework_precision": _precision,
}
