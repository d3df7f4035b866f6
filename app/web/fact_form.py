"""The form of any row of the catalogue: its fields are the columns of the seed file, in the vendor's unit, divided as on the detail page."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.catalogue.invariants.sources import FREE_UNITS, WORDS
from app.domain.catalogue.source import Evidence
from app.seeds.checking import COMPUTED_FROM
from app.seeds.reading import SOURCE_COLUMNS, SOURCE_PREFIX, ReadColumn, described_columns
from app.seeds.tables import BY_FIELD
from app.services.catalogue_edits import CellChange, Refusal
from app.text.render import render
from app.web.described import label, word
from app.web.filtering import Options
from app.web.locale import current_locale, gettext
from app.web.nouns import Noun

UNITS = {
    "_gb_s": "GB/s",
    "_gbit_s": "Gbit/s",
    "_tflops": "TFLOPS",
    "_gmacs": "GMAC",
    "_gib": "GiB",
    "_mib": "MiB",
    "_gb": "GB",
    "_mb": "MB",
    "_kw": "kW",
    "_w": "W",
    "_pct": "%",
    "_usd": "USD",
    "parameters_b": "10⁹",
    "parameters_m": "10⁶",
}
TOP, BOTTOM = "name", "source"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactField:
    """One input. `options` make it a choice; several lines of text have kind `area`."""

    header: str
    label: str
    unit: str
    kind: str  # text | area | choice
    options: Options = ()
    is_required: bool = False


def sections(noun: Noun) -> tuple[tuple[str, tuple[FactField, ...]], ...]:
    """All fields of a noun in the sections of its detail page; names before them, source and notes behind."""
    placed: dict[str, list[FactField]] = {name: [] for name in (TOP, *noun.groups, BOTTOM)}
    by_field = {field: group for group, fields in noun.groups.items() for field in fields}
    by_field |= {header: by_field[field] for field, header in COMPUTED_FROM.items() if field in by_field}
    for header, column in described_columns(BY_FIELD[noun.table]).items():
        last = column.field in ("notes", "unconfirmed_fields") or header in SOURCE_COLUMNS.values()
        placed[BOTTOM if last else by_field.get(column.field, TOP)].append(_field(noun.table, header, column))
    return tuple((name, tuple(fields)) for name, fields in placed.items() if fields)


def sentences(refusals: tuple[Refusal, ...]) -> dict[str, str]:
    """Refusals as errors of the form: at their column, or on top where another row would break."""
    errors: dict[str, str] = {}
    for refusal in refusals:
        text = render(refusal.reason, current_locale())
        if refusal.other:
            errors[""] = " ".join(filter(None, (errors.get(""), f"{refusal.other}: {text}")))
        else:
            errors.setdefault(refusal.header, text)
    return errors


def header_labels(table: str) -> Mapping[str, str]:
    """What each column is called."""
    return {header: _label(column.field) for header, column in described_columns(BY_FIELD[table]).items()}


def shown_changes(changes: tuple[CellChange, ...], table: str) -> tuple[tuple[str, str, str], ...]:
    """Changed cells with their label and unit: (label, before, after)."""
    labels = header_labels(table)
    return tuple((" ".join(filter(None, (labels[item.header], _unit(item.header)))), item.before, item.after) for item in changes)


def _field(table: str, header: str, column: ReadColumn) -> FactField:
    options = _options(table, column)
    kind = "choice" if options else "area" if column.field == "notes" else "text"
    is_name = column.field in ("slug", "name", "key", f"{SOURCE_PREFIX}title")
    required = not column.is_optional and (column.kind is not str or bool(options) or is_name)
    if required and options:
        options = (("", gettext("choose")), *options)
    return FactField(header=header, label=_label(column.field), unit=_unit(header), kind=kind, options=options, is_required=required)


def _options(table: str, column: ReadColumn) -> Options:
    blank: Options = (("", gettext("unknown")),) if column.is_optional else ()
    if column.kind is bool:
        return (*blank, ("y", gettext("yes")), ("n", gettext("no")))
    if column.kind is Evidence:
        return tuple((level.value, word("evidence", level)) for level in Evidence)
    if column.field in WORDS and not (column.field == "unit" and table == FREE_UNITS):
        return (*blank, *((value, word(column.field, value)) for value in sorted(value for value in WORDS[column.field] if value)))
    return ()


def _label(field: str) -> str:
    return label(field.replace(".", "_"))


def _unit(header: str) -> str:
    return next((unit for ending, unit in UNITS.items() if header.endswith(ending)), "")
