"""What the books write off each year. No cash: it enters the profit view, never a total or a present value."""

from decimal import Decimal

from app.domain.cost.scenario import MONTHS_PER_YEAR, Depreciation


def written_off(purchase: Decimal, residual: Decimal, month_count: int, method: Depreciation) -> tuple[Decimal, ...]:
    """Write-off per calendar year; they sum to purchase − residual. Source: tco formula set §4.

    Valid: whole years for the declining methods; a last part of a year takes the rest."""
    year_count = -(-month_count // MONTHS_PER_YEAR)
    base = purchase - residual
    shares = []
    left = base
    for year in range(1, year_count + 1):
        months = min(MONTHS_PER_YEAR, month_count - (year - 1) * MONTHS_PER_YEAR)
        share = left if year == year_count else min(left, _share(method, base, left, year, year_count, Decimal(months) / month_count))
        shares.append(share)
        left -= share
    return tuple(shares)


def _share(method: Depreciation, base: Decimal, left: Decimal, year: int, year_count: int, part: Decimal) -> Decimal:
    if method is Depreciation.STRAIGHT_LINE:
        return base * part
    years_left = year_count - year + 1
    if method is Depreciation.SUM_OF_DIGITS:
        return base * years_left * 2 / (year_count * (year_count + 1))
    return max(left * 2 / year_count, left / years_left)
