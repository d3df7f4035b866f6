"""GPU-hours of an option: those it holds, and those it uses."""

from decimal import Decimal

from app.domain.cost.lines.rent import paid_hours
from app.domain.cost.scenario import Kind, Option


def held_gpu_hours(option: Option) -> Decimal:
    """GPU-hours a year that are paid for or owned."""
    return sum(
        (leaf.gpu_count * (paid_hours(leaf) if leaf.kind is Kind.RENT else leaf.hours_per_year) for leaf in option.leaves), Decimal(0)
    )


def used_gpu_hours(option: Option) -> Decimal:
    """GPU-hours a year with work on them."""
    return sum((leaf.gpu_count * leaf.hours_per_year * leaf.utilisation_ratio for leaf in option.leaves), Decimal(0))
