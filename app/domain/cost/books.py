"""The books beside the cash: what is written off of each thing bought, and what the money in it costs. Neither is part of a total or a present
value, where purchases stand as they are paid."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.domain.cost.depreciation import written_off
from app.domain.cost.line import by_line
from app.domain.cost.rounding import cents, shared_out
from app.domain.cost.scenario import MONTHS_PER_YEAR, Option, Scenario
from app.domain.money import Money

CARDS = "gpu"  # what is left at the end is first of all the cards'


@dataclass(frozen=True, slots=True, kw_only=True)
class BookYear:
    """A year of the books; `value` is what is not written off when it ends."""

    year: int
    depreciation: Money
    interest: Money
    value: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """Write-offs by line of purchase and by year; both add up to `depreciation`. `interest` is the cost of capital on what stands in the books."""

    lines: tuple[tuple[str, Money], ...]
    years: tuple[BookYear, ...]
    depreciation: Money
    interest: Money


def books_of(option: Option, scenario: Scenario) -> Books | None:
    """The books of what an option buys at the start; None: it buys nothing, or leases it.

    Interest of a year is r · (value before + value after) / 2. Source: tco formula set §§4, 11 (profit view)."""
    leaves = [leaf for leaf in option.leaves if leaf.capex and leaf.lease is None]
    if not leaves:
        return None
    currency, months = scenario.currency, scenario.month_count
    yearly = [sum(year, Decimal(0)) for year in zip(*(_written_off(leaf, scenario) for leaf in leaves), strict=True)]
    total = cents(sum(yearly, Decimal(0)))
    shares = _by_thing(leaves, scenario)
    years, value = [], cents(sum((leaf.purchase(currency, scenario.fx) for leaf in leaves), Decimal(0)))
    for index, amount in enumerate(shared_out(total, yearly)):
        span = Decimal(min(MONTHS_PER_YEAR, months - index * MONTHS_PER_YEAR)) / MONTHS_PER_YEAR
        interest = cents(scenario.discount_ratio * (value + value - amount) / 2 * span)
        value -= amount
        years.append(
            BookYear(year=index + 1, depreciation=Money(amount, currency), interest=Money(interest, currency), value=Money(value, currency))
        )
    return Books(
        lines=tuple(zip(shares, (Money(part, currency) for part in shared_out(total, list(shares.values()))), strict=True)),
        years=tuple(years),
        depreciation=Money(total, currency),
        interest=Money(sum((year.interest.amount for year in years), Decimal(0)), currency),
    )


def _residual(option: Option, scenario: Scenario) -> Decimal:
    return scenario.fx.convert(option.residual_value, scenario.currency).amount if option.residual_value else Decimal(0)


def _written_off(option: Option, scenario: Scenario) -> tuple[Decimal, ...]:
    purchase = option.purchase(scenario.currency, scenario.fx)
    return written_off(purchase, _residual(option, scenario), scenario.month_count, option.depreciation)


def _by_thing(options: Sequence[Option], scenario: Scenario) -> dict[str, Decimal]:
    """What each line of purchases loses over the plan: the residual value is taken off the cards, and what exceeds them off the rest."""
    found: dict[str, Decimal] = {}
    for option in options:
        parts, left = by_line(option, scenario), _residual(option, scenario)
        cards = min(parts.get(CARDS, Decimal(0)), left)
        rest = sum((amount for key, amount in parts.items() if key != CARDS), Decimal(0))
        for key, amount in parts.items():
            off = cards if key == CARDS else (left - cards) * amount / rest if rest else Decimal(0)
            found[key] = found.get(key, Decimal(0)) + amount - off
    return found
