"""Cooling that is billed apart from the energy which the PUE already counts."""

from app.domain.cost.line import CostLine, LineCost, LineKind
from app.domain.cost.scenario import Option, Scenario
from app.domain.estimate import Input, Step


def cooling(option: Option, scenario: Scenario) -> LineCost | None:
    """yearly cost · years, as stated."""
    if option.yearly_cooling_cost is None or not option.yearly_cooling_cost.amount:
        return None
    per_year = scenario.fx.convert(option.yearly_cooling_cost, scenario.currency).amount
    step = Step(
        key="cost.cooling",
        formula="c · y",
        inputs=(
            Input(
                symbol="c",
                value=float(per_year),
                unit=f"{scenario.currency.value}/year",
                source=option.sources.get("cooling_per_year", ""),
            ),
            Input(symbol="y", value=scenario.years, unit="years"),
        ),
        result=float(per_year) * scenario.years,
        unit=scenario.currency.value,
        source="",
    )
    return LineCost(steps=(step,), per_year=per_year)


LINE = CostLine(key="cooling", kind=LineKind.OPEX, compute=cooling)
