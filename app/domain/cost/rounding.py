"""Cents: a total is rounded once, and what it is made of is shared out so that the parts still add up to it."""

from collections.abc import Sequence
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

from app.domain.money import MINOR_UNIT


def cents(amount: Decimal) -> Decimal:
    """To the minor unit, half up."""
    return amount.quantize(MINOR_UNIT, ROUND_HALF_UP)


def shared_out(total: Decimal, parts: Sequence[Decimal]) -> tuple[Decimal, ...]:
    """`total`, already in cents, over exact parts: each is rounded down, and the cents left go to the largest remainders.

    Source: Hare–Niemeyer, largest remainder. Valid: |total − Σ parts| under half a cent a part."""
    floors = [part.quantize(MINOR_UNIT, ROUND_FLOOR) for part in parts]
    left = int((total - sum(floors, Decimal(0))) / MINOR_UNIT)
    by_remainder = sorted(range(len(parts)), key=lambda index: floors[index] - parts[index])
    extra = set(by_remainder[:left])
    return tuple(floor + MINOR_UNIT if index in extra else floor for index, floor in enumerate(floors))
