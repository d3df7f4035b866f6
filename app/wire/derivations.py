"""Steps, assumptions and money as JSON, the same in every answer."""

from typing import Any

from app.domain.estimate import Assumption, Derivation, Step
from app.domain.money import Money
from app.text.render import render


def money_json(money: Money) -> dict[str, str]:
    """The contract's money: a decimal string with at least the minor unit, and the currency."""
    amount = money.amount if money.amount.as_tuple().exponent in range(-6, -1) else money.rounded().amount
    return {"amount": f"{amount:f}", "currency": money.currency.value}


def derivation_json(derivation: Derivation) -> list[dict[str, Any]]:
    """Every step with its formula, inputs and source."""
    return [step_json(step) for step in derivation]


def step_json(step: Step) -> dict[str, Any]:
    """One step; inputs that another step made name it."""
    return {
        "key": step.key,
        "formula": step.formula,
        "inputs": [
            {"symbol": entry.symbol, "value": entry.value, "unit": entry.unit, "source": entry.source, "step": entry.step}
            for entry in step.inputs
        ],
        "result": step.result,
        "unit": step.unit,
        "source": step.source,
        "rule": step.rule,
        "basis": step.basis.name.lower(),
    }


def assumption_json(assumption: Assumption, locale: str) -> dict[str, Any]:
    """What was assumed, for which field of the contract, and why."""
    return {"field": assumption.field, "value": assumption.value, "why": render(assumption.why, locale)}
