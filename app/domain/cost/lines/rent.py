"""Rent by the GPU-hour."""

from decimal import Decimal

from app.domain.cost.line import CostLine, LineCost, LineKind
from app.domain.cost.scenario import MONTHS_PER_YEAR, Commitment, Driver, Kind, Option, Scenario
from app.domain.estimate import Input, Step


def rent(option: Option, scenario: Scenario) -> LineCost | None:
    """On demand: p·n·h·u; for a term: p·n·h whether used or not; spot: p·n·h·u / (1 − L), with the work lost to interruptions done again.

    Source: tco formula set §3."""
    if option.kind is not Kind.RENT or option.gpu_hour_price is None:
        return None
    price = scenario.fx.convert(option.gpu_hour_price, scenario.currency).amount
    per_year = price * option.gpu_count * paid_hours(option)
    inputs = [
        Input(symbol="p", value=float(price), unit=f"{scenario.currency.value}/GPU-h", source=option.sources.get(Driver.RENT, "")),
        Input(symbol="n", value=option.gpu_count),
        Input(symbol="h", value=float(option.hours_per_year), unit="h/year"),
        Input(symbol="y", value=scenario.years, unit="years"),
    ]
    formula = "p · n · h · y"
    if not option.commitment.is_fixed:
        formula += " · u"
        inputs.append(Input(symbol="u", value=float(option.utilisation_ratio)))
    if option.commitment is Commitment.SPOT:
        formula += " ÷ (1 − L)"
        inputs.append(Input(symbol="L", value=float(option.spot_loss_ratio)))
    step = Step(
        key="cost.rent",
        formula=formula,
        inputs=tuple(inputs),
        result=float(per_year * scenario.month_count / MONTHS_PER_YEAR),
        unit=scenario.currency.value,
        source="",
    )
    return LineCost(steps=(step,), per_year=per_year, drivers=() if option.commitment.is_fixed else (Driver.RENT,))


def paid_hours(option: Option) -> Decimal:
    """Hours a year for which each rented GPU is paid."""
    if option.commitment.is_fixed:
        return option.hours_per_year
    return option.hours_per_year * option.utilisation_ratio / (1 - option.spot_loss_ratio)


LINE = CostLine(key="rent", kind=LineKind.OPEX, compute=rent)
