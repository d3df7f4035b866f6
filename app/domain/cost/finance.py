"""Time value: present values of monthly cash, the annuity, and the internal rate of return.

The rate of return is found by plain bisection: the domain stays free of compiled finance code, and a test holds it against pyxirr."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, getcontext
from functools import lru_cache
from itertools import pairwise

from app.domain.cost.line import LineCost
from app.domain.cost.scenario import MONTHS_PER_YEAR

_ONE = Decimal(1)
LOWEST_RATE, HIGHEST_RATE = -0.99, 1e6  # per period; a return outside is no plan


def monthly_rate(yearly_ratio: Decimal) -> Decimal:
    """(1 + r)^(1/12) − 1. Source: tco formula set §5."""
    return _monthly_rate(yearly_ratio, getcontext().prec) if yearly_ratio else Decimal(0)


@lru_cache(maxsize=64)
def _monthly_rate(yearly_ratio: Decimal, _digits: int) -> Decimal:
    return (_ONE + yearly_ratio) ** (
        _ONE / MONTHS_PER_YEAR
    ) - _ONE  # a root to that many digits is slow, and a search asks for the same one


def annuity(rate: Decimal, period_count: int) -> Decimal:
    """(1 − (1 + r)^−n) / r: what one unit at the end of each period is worth at the start."""
    return (_ONE - (_ONE + rate) ** -period_count) / rate if rate else Decimal(period_count)


def present_value(line: LineCost, rate: Decimal, month_count: int) -> Decimal:
    """Start + yearly/12 · annuity + Σ dated / (1 + r)^m."""
    dated = sum((amount / (_ONE + rate) ** month for month, amount in line.dated), Decimal(0))
    return line.at_start + line.per_year / MONTHS_PER_YEAR * annuity(rate, month_count) + dated


def flow_value(flows: Sequence[float], rate: float) -> float:
    """Σ x_k / (1 + r)^k of periodic flows, the first at the start; by Horner, which leaves the range of floats as infinity of the right sign."""
    factor, value = 1 / (1 + rate), 0.0
    for flow in reversed(flows):
        value = value * factor + flow
    return value


@dataclass(frozen=True, slots=True)
class Return:
    """The rate per period that makes flows worth nothing; None with a code where there is none or more than one."""

    rate: float | None
    why: str | None = None


def internal_rate(flows: Sequence[float]) -> Return:
    """The root of flow_value by bisection; only flows with one change of sign have one root for certain (Descartes)."""
    signs = [flow > 0 for flow in flows if flow]
    changes = sum(left != right for left, right in pairwise(signs))
    if changes != 1:
        return Return(None, "cost.irr_none" if changes == 0 else "cost.irr_several")
    low, high = LOWEST_RATE, 1.0
    while (flow_value(flows, low) > 0) is (flow_value(flows, high) > 0):
        if high >= HIGHEST_RATE:
            return Return(None, "cost.irr_none")
        high *= 10
    start_is_positive = flow_value(flows, low) > 0
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if (flow_value(flows, middle) > 0) is start_is_positive:
            low = middle
        else:
            high = middle
    return Return((low + high) / 2)


def yearly(rate_per_month: float) -> float:
    """(1 + r)^12 − 1."""
    return float((1 + rate_per_month) ** MONTHS_PER_YEAR - 1)


def paid_back_at(flows: Sequence[float]) -> float | None:
    """The period, interpolated, at which the cumulative flow is back at nothing for good; None: not within the flows."""
    total, reached = 0.0, None
    for period, flow in enumerate(flows):
        before, total = total, total + flow
        if total < 0:
            reached = None
        elif reached is None:
            reached = period - (total / flow if before < 0 < flow else 0)
    return reached
