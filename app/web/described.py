"""Rows of the catalogue as fields to show: each with its name, value, unit, evidence, source and date. Templates loop over them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.derived import derivation_of
from app.domain.catalogue.source import Evidence, Source
from app.domain.errors import message
from app.domain.estimate import Derivation, Step
from app.domain.units import as_billions, as_millions, as_tflops, billions
from app.text.formats import quoted
from app.text.render import render
from app.text.words import words
from app.web.locale import current_locale, gettext

UNITS = {
    "_bytes_per_s": "bytes_per_s",
    "_bytes": "bytes",
    "_flops": "flops",
    "_w": "w",
    "_ratio": "",
    "_price_usd": "USD",
    "_gb": "GB",
    "rack_units": "U",
}

FACTOR_UNITS = {"ratio": "", "fraction": "ratio"}  # a PUE of 1.54 stays so, a share reads as per cent
NUMERIC = frozenset(
    {
        "price_per_gpu",
        "hourly_price_per_gpu",
        "low",
        "typical",
        "high",
        "hidden",
        "ffn_hidden",
        "vocab",
        "max_context",
        "rack_units",
        "head_dim",
    }
)
NUMERIC_ENDINGS = ("_bytes_per_s", "_bytes", "_flops", "_w", "_ratio", "_count", "_gb", "_usd", "_price")


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A field of a row, ready to be set. `value` is a number or a text; None: nobody published it."""

    name: str
    label: str
    value: float | Decimal | str | None
    unit: str
    evidence: Evidence
    source: Source
    derivation: Derivation = ()

    @property
    def is_text(self) -> bool:
        """Whether it is words rather than a number."""
        return isinstance(self.value, str)

    @property
    def is_numeric(self) -> bool:
        """Whether its column is aligned to the right: by name, since an unknown value has no type."""
        return self.name in NUMERIC or self.name.endswith(NUMERIC_ENDINGS)

    @property
    def is_unconfirmed(self) -> bool:
        """Whether it must look unconfirmed."""
        return self.evidence.is_unconfirmed

    @property
    def step(self) -> Step | None:
        """The step that ends its derivation."""
        return self.derivation[-1] if self.derivation else None


def describe(row: Any, name: str, catalogue: Catalogue) -> Described:
    """One field of a row."""
    value, unit = _value(row, name)
    steps = derivation_of(row, name, catalogue)
    source = _source(row, name, catalogue)
    evidence = source.evidence
    if steps:
        evidence = Evidence.MODELLED
    elif name in getattr(row, "unconfirmed_fields", ()):
        evidence = Evidence.PRESS
    return Described(name=name, label=label(name), value=value, unit=unit, evidence=evidence, source=source, derivation=steps)


def label(name: str) -> str:
    """A field's name in the reader's language."""
    return render(message(f"field.{name}"), current_locale())


def word(field: str, value: str | None) -> str:
    """A word of a column in the reader's language; what has no translation is a name and stays."""
    code = f"value.{field}.{value}"
    return render(message(code), current_locale()) if code in words() else (value or "")


def _source(row: Any, name: str, catalogue: Catalogue) -> Source:
    """The row's source, unless the field has its own."""
    if name == "idle_w" and row.idle_factor:
        return catalogue.factor(row.idle_factor).source
    if name == "msrp_price_usd" and row.msrp_source:
        return Source(title=row.msrp_source, url=None, on=row.launched_on or row.source.on, evidence=Evidence.PRESS)
    own: Source = row.source
    return own


def _value(row: Any, name: str) -> tuple[float | Decimal | str | None, str]:
    value = getattr(row, name)
    if isinstance(value, bool):
        return (gettext("yes") if value else gettext("no")), ""
    if isinstance(value, tuple):
        return ", ".join(value) or None, ""
    if isinstance(value, str):
        return word(name, value) or None, ""
    if value is None:
        return None, ""
    if isinstance(value, Decimal) and hasattr(row, "currency"):
        return quoted(value, row.currency, current_locale()), ""
    if isinstance(value, Decimal) and hasattr(row, "unit"):
        return value, FACTOR_UNITS.get(row.unit, row.unit)
    scale = SCALED.get(name)
    return scale(value) if scale else (value, next((unit for suffix, unit in UNITS.items() if name.endswith(suffix)), ""))


def _parameters(count: float) -> tuple[float, str]:
    return (as_billions(count), "B") if count >= billions(1) else (as_millions(count), "M")


def _macs(count: float) -> tuple[float, str]:
    return as_billions(count), "GMAC"


def _operations(flops: float) -> tuple[float, str]:
    return as_tflops(flops), "TOPS"


SCALED: Mapping[str, Callable[[Any], tuple[float, str]]] = {
    "parameter_count": _parameters,
    "active_parameter_count": _parameters,
    "forward_mac_count": _macs,
    "peak_int8_dense_flops": _operations,
    "peak_int4_dense_flops": _operations,
    "efficiency_ratio": lambda ratio: (ratio, "ratio"),
}
