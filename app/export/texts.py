"""Values of a sheet as text in the reader's language."""

from app.domain.errors import Message, message
from app.domain.estimate import Step
from app.domain.money import Money
from app.domain.sheet import Criterion, Quantity, Value
from app.text.citations import citation
from app.text.figures import figure, formula_with_values
from app.text.formats import money, significant
from app.text.render import render


def said(code: str, locale: str, **params: str | int | float) -> str:
    """The sentence of a code."""
    return render(message(code, **params), locale)


def value_text(value: Value | None, locale: str) -> str:
    """A value with its range, unit and basis mark."""
    if value is None:
        return "–"
    if isinstance(value, Message):
        return render(value, locale)
    if isinstance(value, Money):
        return money(value, locale)
    return quantity_text(value, locale) if isinstance(value, Quantity) else value


def quantity_text(value: Quantity, locale: str) -> str:
    """`62.1 (58–70) GiB ◯`."""
    shown = figure(value.estimate, value.unit, locale)
    ranged = f"({shown.low}–{shown.high})" if shown.low else ""
    return " ".join(part for part in (shown.typical, ranged, shown.unit, shown.mark) if part)


def limit_text(criterion: Criterion, locale: str) -> str:
    """The limit with its direction."""
    shown = figure(criterion.limit.estimate, criterion.limit.unit, locale)
    return said("sheet.upper" if criterion.is_upper else "sheet.lower", locale, limit=f"{shown.typical} {shown.unit}".strip())


def rule_text(rule: str) -> str:
    """A rule of the handbook by its id; reasons of our own have none that a reader could look up."""
    return rule if rule.startswith("R-") else "–"


def source_text(source: str, locale: str) -> str:
    """A citation, our own remarks in it translated."""
    return citation(source, locale)


def step_texts(step: Step, locale: str) -> tuple[str, str, str, str]:
    """Formula, the same with values, inputs, result."""
    inputs = "; ".join(
        " ".join(part for part in (f"{entry.symbol} = {_number(entry.value, locale)}", entry.unit if entry.unit != "1" else "") if part)
        + (f" [{source_text(entry.source, locale)}]" if entry.source else "")
        for entry in step.inputs
    )
    result = f"{_number(step.result, locale)} {step.unit if step.unit != '1' else ''}".strip()
    return step.formula, formula_with_values(step, locale), inputs, result


def _number(value: float | str, locale: str) -> str:
    return value if isinstance(value, str) else significant(float(value), locale)
