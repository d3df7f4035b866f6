"""Options and scenarios with plain values; a keyword replaces any of them."""

from datetime import date
from decimal import Decimal
from typing import Any

from app.domain.cost import CapexItem, Kind, Option, Scenario
from app.domain.money import Currency, FxRate, Money

SEVEN = FxRate(base=Currency.USD, quote=Currency.CNY, rate=Decimal(7), on=date(2026, 10, 30), source="test")


def money(amount: str | int, currency: Currency = Currency.USD) -> Money:
    """An amount, in dollars unless said otherwise."""
    return Money(Decimal(amount), currency)


def item(name: str, price: str | int, quantity: str | int = 1, currency: Currency = Currency.USD) -> CapexItem:
    """Something bought."""
    return CapexItem(item=name, unit_price=money(price, currency), quantity=Decimal(quantity))


def an_owned(**changes: Any) -> Option:
    """One GPU for 12,000 and nothing else."""
    values: dict[str, Any] = {"name": "own", "kind": Kind.BUY, "gpu_count": 1, "capex": (item("gpu", 12000),)}
    return Option(**values | changes)


def a_rented(**changes: Any) -> Option:
    """One GPU at 2.00 an hour, used 60 % of the time."""
    values: dict[str, Any] = {
        "name": "cloud",
        "kind": Kind.RENT,
        "gpu_count": 1,
        "gpu_hour_price": money(2),
        "utilisation_ratio": Decimal("0.6"),
    }
    return Option(**values | changes)


def a_scenario(*options: Option, **changes: Any) -> Scenario:
    """Three years in dollars without interest."""
    values: dict[str, Any] = {"currency": Currency.USD, "month_count": 36, "discount_ratio": Decimal(0), "fx": SEVEN, "options": options}
    return Scenario(**values | changes)
