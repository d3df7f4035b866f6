"""Room and power reserved in somebody's racks, by contract."""

from app.domain.cost.line import CostLine, LineCost, LineKind, paid_monthly
from app.domain.cost.scenario import Driver, Option, Scenario
from app.domain.estimate import Input, Step


def colocation(option: Option, scenario: Scenario) -> LineCost | None:
    """quantity · price a month for the term, and the set-up at the start. Source: tco formula set §2; power is reserved for the peak."""
    held = option.colocation
    if held is None:
        return None
    currency, fx = scenario.currency, scenario.fx
    price = fx.convert(held.unit_price, currency).amount
    months = max(scenario.month_count, held.term_months)
    per_month = price * held.quantity
    source = option.sources.get(Driver.COLOCATION, "")
    unit = "kW" if held.is_by_power else "cabinets"
    step = Step(
        key="cost.colocation",
        formula="p · q · n",
        inputs=(
            Input(symbol="p", value=float(price), unit=f"{currency.value}/{unit}/month", source=source),
            Input(symbol="q", value=float(held.quantity), unit=unit, source=option.sources.get("colocation.quantity", "")),
            Input(symbol="n", value=months, unit="months"),
        ),
        result=float(per_month * months),
        unit=currency.value,
        source=source,
    )
    cost = paid_monthly(step, per_month, months, scenario, (Driver.COLOCATION,))
    if held.setup is None or not held.setup.amount:
        return cost
    setup = fx.convert(held.setup, currency).amount
    return cost.joined(LineCost(steps=(_setup_step(float(setup), currency.value, source),), dated=((0, setup),)))


def _setup_step(amount: float, unit: str, source: str) -> Step:
    inputs = (Input(symbol="c", value=amount, unit=unit, source=source), Input(symbol="m", value=0, unit="month"))
    return Step(key="cost.colocation", formula="c", inputs=inputs, result=amount, unit=unit, source=source)


LINE = CostLine(key="colocation", kind=LineKind.OPEX, compute=colocation)
