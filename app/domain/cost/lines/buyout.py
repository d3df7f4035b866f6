"""Buying leased hardware at the end of its term."""

from app.domain.cost.line import CostLine, LineCost, LineKind
from app.domain.cost.scenario import Option, Scenario
from app.domain.estimate import Input, Step


def buyout(option: Option, scenario: Scenario) -> LineCost | None:
    """The agreed price at the end of the term, or of the plan where that is sooner."""
    held = option.lease
    if held is None or held.purchase_price is None or not held.purchase_price.amount:
        return None
    currency, source = scenario.currency, option.sources.get("lease", "")
    amount = scenario.fx.convert(held.purchase_price, currency).amount
    month = min(held.term_months, scenario.month_count)
    step = Step(
        key="cost.buyout",
        formula="c",
        inputs=(
            Input(symbol="c", value=float(amount), unit=currency.value, source=source),
            Input(symbol="m", value=month, unit="month"),
        ),
        result=float(amount),
        unit=currency.value,
        source=source,
    )
    return LineCost(steps=(step,), dated=((month, amount),))


LINE = CostLine(key="buyout", kind=LineKind.CAPEX, compute=buyout)
