"""Payments of a lease."""

from app.domain.cost.line import CostLine, LineCost, LineKind, paid_monthly
from app.domain.cost.scenario import Option, Scenario
from app.domain.estimate import Input, Step


def lease(option: Option, scenario: Scenario) -> LineCost | None:
    """monthly payment · months of the term, and what is due at the start."""
    held = option.lease
    if held is None:
        return None
    currency, source = scenario.currency, option.sources.get("lease", "")
    per_month = scenario.fx.convert(held.monthly_cost, currency).amount
    step = Step(
        key="cost.lease",
        formula="c · n",
        inputs=(
            Input(symbol="c", value=float(per_month), unit=f"{currency.value}/month", source=source),
            Input(symbol="n", value=held.term_months, unit="months"),
        ),
        result=float(per_month * held.term_months),
        unit=currency.value,
        source=source,
    )
    cost = paid_monthly(step, per_month, held.term_months, scenario, ())
    if held.upfront is None or not held.upfront.amount:
        return cost
    upfront = scenario.fx.convert(held.upfront, currency).amount
    start = Step(
        key="cost.lease",
        formula="c",
        inputs=(
            Input(symbol="c", value=float(upfront), unit=currency.value, source=source),
            Input(symbol="m", value=0, unit="month"),
        ),
        result=float(upfront),
        unit=currency.value,
        source=source,
    )
    return cost.joined(LineCost(steps=(start,), dated=((0, upfront),)))


LINE = CostLine(key="lease", kind=LineKind.OPEX, compute=lease)
