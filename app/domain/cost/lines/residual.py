"""What the hardware still brings at the end: cash that comes back."""

from app.domain.cost.line import CostLine, LineCost, LineKind
from app.domain.cost.scenario import Driver, Option, Scenario
from app.domain.estimate import Input, Step


def residual(option: Option, scenario: Scenario) -> LineCost | None:
    """−R at the end of the last month. Source: tco formula set §4."""
    if option.residual_value is None or not option.residual_value.amount:
        return None
    amount = -scenario.fx.convert(option.residual_value, scenario.currency).amount
    step = Step(
        key="cost.residual",
        formula="−R",
        inputs=(
            Input(symbol="R", value=float(-amount), unit=scenario.currency.value, source=option.sources.get(Driver.RESIDUAL, "")),
            Input(symbol="m", value=scenario.month_count, unit="month"),
        ),
        result=float(amount),
        unit=scenario.currency.value,
        source="",
    )
    return LineCost(steps=(step,), dated=((scenario.month_count, amount),), drivers=(Driver.RESIDUAL, Driver.PURCHASE))


LINE = CostLine(key="residual", kind=LineKind.CAPEX, compute=residual)
