"""One cost input as a field: what people type, and how its value is written back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from uuid import UUID

from app.domain.cost.input_kinds import KINDS
from app.domain.cost.inputs import CostInput
from app.domain.errors import Conflict, DomainError, InvalidInput, message
from app.domain.intake.numbers import COUNT, WATTS, read_money, read_number
from app.domain.money import Currency
from app.services.costs import Elsewhere, InputRow, SetInput
from app.text.citations import citation
from app.text.render import render
from app.web.locale import current_locale

PERCENT = {"": Decimal("0.01"), "%": Decimal("0.01")}
SHOWN_DIGITS = Decimal("0.0001")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputField:
    """An input ready to be set: texts in the reader's language. `typed` is shown back after an error."""

    key: str
    option: str
    label: str
    typed: str
    unit: str
    source: str
    is_overridden: bool
    sourced: str
    seen: str
    changed_by: str | None = None
    changed_on: date | None = None
    error: str | None = None
    theirs: str | None = None  # what somebody else set meanwhile


def field(row: InputRow, currency: Currency, typed: str | None = None, error: DomainError | None = None) -> InputField:
    """The field of an input as stored, or as somebody typed it with what is wrong with it."""
    locale = current_locale()
    entry = row.entry
    return InputField(
        key=entry.key,
        option=entry.key.split(".")[0] if "." in entry.key else "",
        label=render(message(f"cost.input.{entry.label}"), locale),
        typed=written(entry) if typed is None else typed,
        unit=unit_text(entry, currency, locale),
        source=citation(entry.source, locale),
        is_overridden=row.is_overridden,
        sourced=written(row.sourced),
        seen=row.seen,
        changed_by=row.override.by if row.override else None,
        changed_on=row.override.on if row.override else None,
        error=None if error is None else render(error.message, locale),
        theirs=f"{written(entry)} {unit_text(entry, currency, locale)}".strip() if isinstance(error, Conflict) else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ElsewhereField:
    """An input that was set for another configuration, in the reader's language. `gpus` is empty where nobody recorded for which."""

    key: str
    configuration: str
    option: str
    label: str
    value: str
    gpus: str
    servers: str
    is_candidate: bool
    changed_by: str | None
    changed_on: date | None


def elsewhere_field(entry: Elsewhere, names: Mapping[str, str]) -> ElsewhereField:
    """What stands beside the inputs that count; `names` are of GPUs and servers."""
    option, _, label = entry.key.rpartition(".")
    unit = next((kind.unit for kind in KINDS if kind.name == label), "1")
    scale = 100 if unit == "ratio" else 1
    shown = f"{(entry.override.value * scale).quantize(SHOWN_DIGITS).normalize():f}"
    said = entry.override.currency or {"ratio": "%", "w": "W"}.get(unit, "")
    gpus, _, servers = ("" if "*" not in part else _counted(part, names) for part in entry.configuration.partition("@"))
    return ElsewhereField(
        key=entry.key,
        configuration=entry.configuration,
        option=option,
        label=render(message(f"cost.input.{label}"), current_locale()),
        value=f"{shown} {said}".strip(),
        gpus=gpus,
        servers=servers,
        is_candidate=entry.candidate is not None,
        changed_by=entry.override.by,
        changed_on=entry.override.on,
    )


def _counted(part: str, names: Mapping[str, str]) -> str:
    count, _, slug = part.partition("*")
    return f"{count} × {names.get(slug, slug)}"


def unit_text(entry: CostInput, currency: Currency, locale: str) -> str:
    """`CNY per kWh`, `% per year`, `W`."""
    unit = {"money": currency.value, "ratio": "%", "w": "W", "1": ""}[entry.unit]
    return " ".join(part for part in (unit, render(message(f"cost.per.{entry.per}"), locale) if entry.per else "") if part)


def written(entry: CostInput) -> str:
    """A value as it would be typed: shares in per cent, four decimals at most."""
    value = entry.value * 100 if entry.unit == "ratio" else entry.value
    rounded = value.quantize(SHOWN_DIGITS).normalize()
    return f"{rounded:f}"


def command(project_id: UUID, row: InputRow, typed: str, currency: Currency, seen: str, by: str = "") -> SetInput:
    """What to store. InvalidInput: it cannot be read as this input's number."""
    entry = row.entry
    if not typed.strip():
        raise InvalidInput(entry.key, "document.missing")
    if entry.unit == "money":
        money = read_money(entry.key, typed, currency)
        return SetInput(project_id=project_id, key=entry.key, value=money.amount, currency=money.currency, seen=seen, by=by)
    units: Mapping[str, Decimal] = {"ratio": PERCENT, "w": WATTS, "1": COUNT}[entry.unit]
    default = "w" if entry.unit == "w" else ""
    value = read_number(entry.key, typed, units, default)
    return SetInput(project_id=project_id, key=entry.key, value=value, currency=currency, seen=seen, by=by)
