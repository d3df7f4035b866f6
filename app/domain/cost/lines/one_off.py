"""Single payments on their dates: delay, set-up, migration."""

from app.domain.cost.line import CostLine, LineCost, LineKind
from app.domain.cost.scenario import OneOff, Option, Scenario
from app.domain.estimate import Input, Step


def one_off(option: Option, scenario: Scenario) -> LineCost | None:
    """Each amount at the end of its month."""
    payments = [payment for payment in option.one_off if payment.amount.amount]
    if not payments:
        return None
    dated = tuple((payment.month, scenario.fx.convert(payment.amount, scenario.currency).amount) for payment in payments)
    return LineCost(steps=tuple(_step(payment, scenario) for payment in payments), dated=dated)


def _step(payment: OneOff, scenario: Scenario) -> Step:
    amount = float(scenario.fx.convert(payment.amount, scenario.currency).amount)
    source = payment.source or payment.item
    return Step(
        key="cost.one_off",
        formula="c",
        inputs=(
            Input(symbol="c", value=amount, unit=scenario.currency.value, source=source),
            Input(symbol="m", value=payment.month, unit="month"),
        ),
        result=amount,
        unit=scenario.currency.value,
        source=source,
    )


LINE = CostLine(key="one_off", kind=LineKind.OPEX, compute=one_off)
