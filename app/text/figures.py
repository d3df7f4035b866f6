"""A number as people read it, taken apart: digits, unit, range and basis, so that pages and documents can set each in its place.

The unit is named by the suffix of the quantity (`bytes`, `bytes_per_s`, `flops`, `w`, `kwh`, `s`, `ratio`) or, for anything else, is printed
as given (`tokens/s`)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from babel.numbers import format_decimal

from app.domain.estimate import Basis, Estimate, Step
from app.domain.money import Money
from app.domain.units import (
    KILO,
    as_days,
    as_gb_per_s,
    as_gib,
    as_hours,
    as_kw,
    as_mib,
    as_ms,
    as_percent,
    as_tflops,
    gib,
    hours,
)
from app.text.formats import money, significant, unit_name

BASIS_MARKS = {
    Basis.MEASURED: "●",
    Basis.TRIAL: "●",
    Basis.PUBLISHED: "◐",
    Basis.VENDOR: "◐",
    Basis.MODELLED: "◯",
    Basis.ASSUMED: "◌",
}


class Scale(NamedTuple):
    """The unit a quantity of this size is shown in."""

    unit: str
    convert: Callable[[float], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number ready to be set: all parts are text in the reader's language. `low` and `high` are empty when there is no range."""

    typical: str
    unit: str
    low: str = ""
    high: str = ""
    full: str
    basis: Basis | None = None

    @property
    def mark(self) -> str:
        """The sign of the basis."""
        return "" if self.basis is None else BASIS_MARKS[self.basis]


@lru_cache(maxsize=8192)  # a page sets hundreds, and most of them stand on the next page too
def figure(value: Estimate | Money | float | Decimal | str, unit: str, locale: str, basis: Basis | None = None) -> Figure:
    """The parts of a number, low and high in the unit that suits the typical value."""
    if isinstance(value, Money):
        return Figure(typical=money(value, locale, cents=abs(value.amount) < 1000), unit="", full=money(value, locale), basis=basis)
    if isinstance(value, str):
        return Figure(typical=value, unit=unit, full=value, basis=basis)
    estimate = value if isinstance(value, Estimate) else Estimate(float(value), float(value), float(value))
    scale = scale_of(estimate.typical, unit)
    low, typical, high = (significant(scale.convert(part), locale) for part in (estimate.low, estimate.typical, estimate.high))
    exact = format_decimal(Decimal(repr(scale.convert(estimate.typical))), format="#,##0.##########", locale=locale)
    ranged = (low, high) != (typical, typical)
    return Figure(
        typical=typical,
        unit=unit_name(scale.unit, locale),
        low=low if ranged else "",
        high=high if ranged else "",
        full=f"{exact} {unit_name(scale.unit, locale)}".rstrip(),
        basis=basis if basis is not None else (estimate.basis if isinstance(value, Estimate) else None),
    )


def scale_of(value: float, unit: str) -> Scale:
    """How a quantity of this size is shown."""
    return _SCALES[unit](abs(value)) if unit in _SCALES else Scale(unit, float)


def formula_with_values(step: Step, locale: str) -> str:
    """The formula of a step with each symbol replaced by its value."""
    values = {item.symbol: item.value if isinstance(item.value, str) else significant(item.value, locale) for item in step.inputs}
    symbols = sorted(filter(None, values), key=len, reverse=True)
    if not symbols:
        return step.formula
    pattern = "|".join(rf"(?<![^\W\d]){re.escape(symbol)}(?!\w)" for symbol in symbols)
    return re.sub(pattern, lambda found: values[found.group()], step.formula)


def _duration(value_s: float) -> Scale:
    if value_s < 1:
        return Scale("ms", as_ms)
    if value_s < hours(1):
        return Scale("s", float)
    return Scale("h", as_hours) if value_s < hours(48) else Scale("d", as_days)


_SCALES: dict[str, Callable[[float], Scale]] = {
    "bytes": lambda value: Scale("MiB", as_mib) if 0 < value < gib(0.1) else Scale("GiB", as_gib),
    "bytes_per_s": lambda _: Scale("GB/s", as_gb_per_s),
    "flops": lambda _: Scale("TFLOPS", as_tflops),
    "w": lambda value: Scale("kW", as_kw) if value >= KILO else Scale("W", float),
    "kwh": lambda _: Scale("kWh", float),
    "s": _duration,
    "ratio": lambda _: Scale("%", as_percent),
}
