"""Jinja filters and the number component's parts: every number on a page passes through one of these."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from babel.dates import format_date, format_datetime, format_timedelta
from babel.numbers import format_decimal

from app.domain.errors import Message, message
from app.domain.estimate import Basis, Derivation, Estimate, Step, by_key
from app.domain.money import Currency, Money
from app.domain.sheet.cost import NAMED_OPTIONS
from app.text import formats
from app.text.citations import citation
from app.text.fields import assumed_text, field_text, step_label
from app.text.figures import BASIS_MARKS, Figure, figure, formula_with_values
from app.text.render import render
from app.web.described import word
from app.web.locale import current_locale, gettext
from app.web.trust import expected_error, measured_by

Number = Estimate | Money | float | Decimal | str


def _typical(value: Estimate | float) -> float:
    return value.typical if isinstance(value, Estimate) else value


def gib(value: Estimate | float) -> str:
    """Bytes as GiB."""
    return formats.memory(_typical(value), current_locale())


def gb_per_s(value: Estimate | float) -> str:
    """Bytes a second as GB/s."""
    return formats.bandwidth(_typical(value), current_locale())


def tflops(value: Estimate | float) -> str:
    """Operations a second as TFLOPS."""
    return formats.compute(_typical(value), current_locale())


def watts(value: Estimate | float) -> str:
    """Watts or kilowatts."""
    return formats.power(_typical(value), current_locale())


def percent(value: Estimate | float) -> str:
    """A ratio as per cent."""
    return formats.share(_typical(value), current_locale())


def seconds(value: Estimate | float) -> str:
    """Seconds as a person would say them."""
    return formats.duration(_typical(value), current_locale())


def kwh(value: Estimate | float) -> str:
    """Kilowatt-hours."""
    return formats.energy(_typical(value), current_locale())


def money(value: Money, *, cents: bool = True) -> str:
    """Money with its currency."""
    return formats.money(value, current_locale(), cents=cents)


def amount(value: Decimal, currency: str) -> str:
    """A quoted price in its own currency."""
    return formats.quoted(value, currency, current_locale())


def count(value: float) -> str:
    """A plain number with the reader's separators: whole as it is, otherwise three significant digits."""
    return formats.significant(value, current_locale()) if isinstance(value, float) else str(format_decimal(value, locale=current_locale()))


def interval(value: Number, unit: str = "") -> str:
    """A number with its range in one line: `62.1 (58–70) GiB`. `unit` is a suffix (`bytes`, `w`, `s` …) or printed as it is."""
    parts = figure(value, unit, current_locale())
    return " ".join(filter(None, (parts.typical, f"({parts.low}–{parts.high})" if parts.low else "", parts.unit)))


def figure_of(value: Number, unit: str = "", basis: Basis | None = None) -> Figure:
    """The parts that macros/number.html sets."""
    return figure(value, unit, current_locale(), basis)


def with_values(step: Step) -> str:
    """The formula of a step with its numbers."""
    return formula_with_values(step, current_locale())


def words(said: Message | None) -> str:
    """The sentence of a message."""
    return "" if said is None else render(said, current_locale())


def basis_name(basis: Basis) -> str:
    """What a basis mark means."""
    return {
        Basis.MEASURED: gettext("measured"),
        Basis.TRIAL: gettext("measured in a trial"),
        Basis.PUBLISHED: gettext("published"),
        Basis.VENDOR: gettext("vendor’s figure"),
        Basis.MODELLED: gettext("modelled"),
        Basis.ASSUMED: gettext("assumed"),
    }[basis]


def basis_mark(basis: Basis) -> str:
    """The sign of a basis."""
    return BASIS_MARKS[basis]


def option_name(name: str) -> str:
    """The heading of a cost option."""
    return render(message(f"sheet.column.{name}"), current_locale()) if name in NAMED_OPTIONS else name


def cite(source: str) -> str:
    """A source, our own remarks in it translated."""
    return citation(source, current_locale())


def field_name(path: str) -> str:
    """The label of a field of the contract, or its path where it has none."""
    return field_text(path, current_locale())


def assumed(value: str | int | float | bool | None) -> str:
    """An assumed value; a dash for none."""
    return assumed_text(value, current_locale())


def step_of(derivation: Derivation, key: str) -> Step | None:
    """The step of a derivation that makes a figure, if it has one."""
    return by_key(derivation).get(key)


def step_name(key: str) -> str:
    """The name of the figure that a step makes, or its key where it has none."""
    return step_label(key, current_locale())


def whole_money(value: float, currency: Currency) -> str:
    """An amount without cents."""
    return formats.money(Money(Decimal(repr(value)), currency), current_locale(), cents=False)


def on(value: date) -> str:
    """A date."""
    return str(format_date(value, "yyyy-MM-dd", locale=current_locale()))


def at(value: datetime) -> str:
    """A time, to the minute, with its zone."""
    return str(format_datetime(value, "yyyy-MM-dd HH:mm 'UTC'", locale=current_locale()))


def ago(value: datetime, now: datetime) -> str:
    """How long ago something was."""
    return str(format_timedelta(min(value - now, now - now), add_direction=True, locale=current_locale()))


FILTERS: dict[str, Any] = {
    filter_.__name__: filter_
    for filter_ in (gib, gb_per_s, tflops, watts, percent, seconds, kwh, money, count, interval, with_values, words, basis_name, basis_mark)
} | {
    "figure": figure_of,
    "code_words": lambda code: words(message(code)),
    "many": lambda value: formats.compact(value, current_locale()),
    "on": on,
    "at": at,
    "ago": ago,
    "word": lambda value, field: word(field, value),
    "amount": amount,
    "option_name": option_name,
    "cite": cite,
    "whole_money": whole_money,
    "field_name": field_name,
    "assumed": assumed,
    "step_name": step_name,
    "expected_error": expected_error,
    "measured_by": measured_by,
    "step_of": step_of,
}
