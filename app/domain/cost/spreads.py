"""How far prices may move while a plan runs, for values that are stated once and lie in the future."""

from dataclasses import dataclass
from decimal import Decimal
from math import exp, hypot, log

from app.domain.cost.scenario import Spread

# Share of its price that a card keeps per year; proposal from the residual rows of the cost factors (0.54…0.82 over 8 cards), 2026-11
KEPT_LOW, KEPT_TYPICAL, KEPT_HIGH = Decimal("0.58"), Decimal("0.70"), Decimal("0.82")
# Drift of rents per year; H100 market rents 2025–2026 lay between −10 and +25 % a year, 2026-11
RENT_LOW, RENT_HIGH = 0.90, 1.25
# Electricity escalation per year: K. Manning on-prem LLM cost post, 2026-01
ELECTRICITY_ESCALATION = 0.042
# Definitive estimate of a price that was stated: −5…+10 %, PMI estimate classes
STATED_LOW, STATED_HIGH = 0.95, 1.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """The share of its price that hardware keeps over a plan."""

    typical: Decimal
    spread: Spread
    source: str


def residual_left(years: float) -> Left:
    """d^years on the cards only. Source: tco formula set §4, from the residual rows of the cost factors."""
    exponent = Decimal(repr(float(years)))
    typical = KEPT_TYPICAL**exponent
    source = f"cards keep {KEPT_TYPICAL} a year ({KEPT_LOW}–{KEPT_HIGH} seen on older cards, 2015–2025)"
    spread = Spread(low_ratio=float(KEPT_LOW**exponent / typical), high_ratio=float(KEPT_HIGH**exponent / typical), source=source)
    return Left(typical=typical, spread=spread, source=source)


def rent_drift(years: float) -> Spread:
    """Mean of a rent that drifts by a steady share a year: (d^years − 1) / (years · ln d), close to d^(years/2)."""
    return Spread(low_ratio=RENT_LOW ** (years / 2), high_ratio=RENT_HIGH ** (years / 2), source="rents drift by −10…+25 % a year")


def electricity_drift(years: float) -> Spread:
    """A tariff that is known today and may escalate or fall by the same share a year."""
    half = (1 + ELECTRICITY_ESCALATION) ** (years / 2)
    return Spread(low_ratio=1 / half, high_ratio=half, source="tariffs escalate by 4.2 % a year (K. Manning, 2026-01), or fall as fast")


def stated_price() -> Spread:
    """A price that somebody stated without a range: the class of a definitive estimate."""
    return Spread(low_ratio=STATED_LOW, high_ratio=STATED_HIGH, source="definitive estimate, −5…+10 % (PMI estimate classes)")


def together(first: Spread, second: Spread) -> Spread:
    """Two independent reasons to be uncertain: their log ratios in quadrature."""
    return Spread(
        low_ratio=exp(-hypot(log(first.low_ratio), log(second.low_ratio))),
        high_ratio=exp(hypot(log(first.high_ratio), log(second.high_ratio))),
        source=f"{first.source}; {second.source}",
    )
