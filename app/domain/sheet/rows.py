"""Small helpers that make rows."""

from app.domain.errors import Message, message
from app.domain.estimate import Basis, Derivation, Estimate, Step, exact
from app.domain.money import Money
from app.domain.sheet.types import Quantity, Row, Value


def row(key: str, value: Value, *, note: Message | None = None, source: str = "", step: Step | None = None) -> Row:
    """A row by the key of its label."""
    return Row(label=message(f"sheet.{key}"), value=value, note=note, source=source, step=step)


def amount(value: float, unit: str, basis: Basis = Basis.VENDOR) -> Quantity:
    """A number without a range."""
    return Quantity(estimate=exact(float(value), basis), unit=unit)


def ranged(estimate: Estimate, unit: str) -> Quantity:
    """A number with its range."""
    return Quantity(estimate=estimate, unit=unit)


def said(money: Money) -> Message:
    """An amount inside a sentence."""
    code = money.currency.value.lower()
    return message(f"money.{code}", **{f"amount_{code}": float(money.amount)})


def find_step(derivation: Derivation, *keys: str) -> Step | None:
    """The first of these steps that the derivation has."""
    steps = {step.key: step for step in derivation}
    return next((steps[key] for key in keys if key in steps), None)
