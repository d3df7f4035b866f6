"""The hardware maintenance contract, a share of what was bought."""

from decimal import Decimal

from app.domain.cost.line import CostLine, LineCost, LineKind, by_line
from app.domain.cost.scenario import Driver, Option, Scenario
from app.domain.estimate import Input, Step


def maintenance(option: Option, scenario: Scenario) -> LineCost | None:
    """µ · C₀ a year. Source: tco formula set §2."""
    purchase = option.purchase(scenario.currency, scenario.fx)
    if not option.maintenance_ratio or not purchase:
        return None
    per_year: Decimal = option.maintenance_ratio * purchase
    parts = by_line(option, scenario)
    bought = Step(
        key="cost.purchase",
        formula=" + ".join(parts),
        inputs=tuple(
            Input(symbol=key, value=float(amount), unit=scenario.currency.value, step=f"cost.{key.removesuffix('_capex')}")
            for key, amount in parts.items()
        ),
        result=float(purchase),
        unit=scenario.currency.value,
        source="",
    )
    step = Step(
        key="cost.maintenance",
        formula="µ · C₀ · y",
        inputs=(
            Input(symbol="µ", value=float(option.maintenance_ratio), unit="1/year", source=option.sources.get(Driver.MAINTENANCE, "")),
            Input(symbol="C₀", value=float(purchase), unit=scenario.currency.value, step="cost.purchase"),
            Input(symbol="y", value=scenario.years, unit="years"),
        ),
        result=float(per_year) * scenario.years,
        unit=scenario.currency.value,
        source="",
    )
    return LineCost(steps=(bought, step), per_year=per_year, drivers=(Driver.MAINTENANCE, Driver.PURCHASE))


LINE = CostLine(key="maintenance", kind=LineKind.OPEX, compute=maintenance)
