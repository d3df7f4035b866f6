"""Two options against each other: the use at which they cost the same, and what the dearer start earns."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from app.domain.cost.finance import internal_rate, paid_back_at, yearly
from app.domain.cost.line import LineCost
from app.domain.cost.lines import LINES
from app.domain.cost.scenario import MONTHS_PER_YEAR, Option, Power, Scenario
from app.domain.errors import Message, message

PresentValue = Callable[[Option, Scenario], Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`first` against `second`. What cannot be said is None, and `reasons` says why by the contract's name of the figure.

    `investment` is the option that takes more cash at the start: payback and rate of return are its."""

    first: str
    second: str
    break_even_utilisation: float | None
    break_even_hours: float | None
    investment: str | None
    payback_months: float | None
    irr: float | None
    saving: Decimal  # present value of the second less that of the first
    reasons: dict[str, Message]


def compare(scenario: Scenario, first: Option, second: Option, present_value: PresentValue) -> Comparison:
    """Break-even from present values at no and at full use, which are linear between; payback and return from the difference of cash."""
    reasons: dict[str, Message] = {}
    utilisation = _break_even(scenario, first, second, present_value, reasons)
    investment, payback, rate = _returns(scenario, first, second, reasons)
    hours_per_year = float(max(first.hours_per_year, second.hours_per_year))
    return Comparison(
        first=first.name,
        second=second.name,
        break_even_utilisation=utilisation,
        break_even_hours=None if utilisation is None else utilisation * hours_per_year * scenario.month_count / MONTHS_PER_YEAR,
        investment=investment,
        payback_months=payback,
        irr=rate,
        saving=present_value(second, scenario) - present_value(first, scenario),
        reasons=reasons,
    )


def used(option: Option, utilisation_ratio: Decimal) -> Option:
    """The option at another utilisation; a stated busy share keeps its ratio to it, up to all of the time."""
    power = option.power
    if power is not None and power.busy_ratio is not None:
        power = replace(power, busy_ratio=_busy(option, power, utilisation_ratio))
    return replace(option, utilisation_ratio=utilisation_ratio, power=power)


def _busy(option: Option, power: Power, utilisation_ratio: Decimal) -> Decimal:
    assert power.busy_ratio is not None
    if not option.utilisation_ratio:
        return utilisation_ratio
    return min(Decimal(1), power.busy_ratio * utilisation_ratio / option.utilisation_ratio)


def _break_even(
    scenario: Scenario, first: Option, second: Option, present_value: PresentValue, reasons: dict[str, Message]
) -> float | None:
    """u* = (F₁ − F₂) / (v₂ − v₁), with F the cost at no use and v the difference up to full use. Source: tco formula set §8."""
    if first.parts or second.parts:
        reasons["break_even_utilisation"] = reasons["break_even_hours"] = message("cost.no_use_of_parts")
        return None
    idle = present_value(used(first, Decimal(0)), scenario) - present_value(used(second, Decimal(0)), scenario)
    full = present_value(used(first, Decimal(1)), scenario) - present_value(used(second, Decimal(1)), scenario)
    if idle * full < 0 or not idle or not full:
        if idle != full:
            return float(idle / (idle - full))
        reason = message("cost.same_at_any_use")
    else:
        reason = message("cost.never_breaks_even", name=first.name if idle < 0 else second.name)
    reasons["break_even_utilisation"] = reasons["break_even_hours"] = reason
    return None


def _returns(
    scenario: Scenario, first: Option, second: Option, reasons: dict[str, Message]
) -> tuple[str | None, float | None, float | None]:
    """Differential cash of the dearer start: what the other would pay less what it pays itself, month by month."""
    flows = [float(out) for out in _difference(scenario, first, second)]
    if not flows[0]:
        reasons["payback_months"] = reasons["irr"] = message("cost.no_investment")
        return None, None, None
    investment, other = (first, second) if flows[0] < 0 else (second, first)
    if flows[0] > 0:
        flows = [-flow for flow in flows]
    payback = paid_back_at(flows)
    if payback is None:
        reasons["payback_months"] = message("cost.not_paid_back", name=investment.name, other=other.name)
    rate = internal_rate(flows)
    if rate.why is not None:
        reasons["irr"] = message(rate.why)
    return investment.name, payback, None if rate.rate is None else yearly(rate.rate)


def _difference(scenario: Scenario, first: Option, second: Option) -> list[Decimal]:
    """Cash of the second option less that of the first, at the start and at the end of each month."""
    flows = [Decimal(0)] * (scenario.month_count + 1)
    for option, sign in ((second, 1), (first, -1)):
        for cost in (line.compute(leaf, scenario) for leaf in option.leaves for line in LINES):
            if cost is not None:
                _add(flows, cost, sign)
    return flows


def _add(flows: list[Decimal], cost: LineCost, sign: int) -> None:
    flows[0] += sign * cost.at_start
    for month, amount in cost.dated:
        flows[month] += sign * amount
    if cost.per_year:
        for month in range(1, len(flows)):
            flows[month] += sign * cost.per_year / MONTHS_PER_YEAR
