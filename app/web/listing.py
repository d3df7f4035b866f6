"""Any list of the catalogue: filtered, sorted, and each row in a line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from fastapi import Request

from app.db.engine import Session
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.quotes import Judged
from app.domain.catalogue.search import SURE
from app.domain.catalogue.source import Evidence
from app.services import catalogue as catalogues
from app.services.catalogue import StoredRevision
from app.web.binding import BoundForm
from app.web.described import Described, describe, label, word
from app.web.filtering import Options, filtered
from app.web.locale import gettext
from app.web.nouns import FilterField, Noun, choices

NAME, ON = "name", "on"
COMPARED = ("gpus", "servers")
SHOWN_COUNT = 1000  # hundreds of rows stand on one page; of an imported price book of thousands, the first ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column with the address that sorts by it, and how the list is sorted by it now: "" | ascending | descending."""

    name: str
    label: str
    href: str
    sorted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRow:
    """A line of a list. `judged` says of a price how old it is and whether it stands out."""

    key: str
    title: str
    cells: tuple[Described, ...]
    evidence: Evidence
    on: str
    judged: Judged[Any] | None
    is_unconfirmed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ListView:
    """A list with its filters. `as_of` is the change that led to an old revision; `used` names the filters that are set, `ticked`
    the rows to compare, whether they match or not: key → title."""

    noun: Noun
    filters: tuple[FilterField, ...]
    options: Mapping[str, Options]
    form: BoundForm[Any]
    name: Column
    columns: tuple[Column, ...]
    on: Column
    rows: tuple[ListedRow, ...]
    total_count: int
    revision: str
    as_of: StoredRevision | None
    can_compare: bool
    ticked: Mapping[str, str]
    used: tuple[str, ...]
    found_count: int


def asked_catalogue(request: Request, session: Session) -> tuple[Catalogue, StoredRevision | None]:
    """The catalogue as it stands, or as of the revision that the address names. NotFound: there was none."""
    revision = request.query_params.get("revision", "")
    if not revision:
        return catalogues.current(session), None
    return catalogues.at(session, revision), catalogues.change_of(session, revision)


def list_view(noun: Noun, request: Request, session: Session, today: date) -> ListView:
    """All rows of a noun that match the filters, without paging."""
    catalogue, as_of = asked_catalogue(request, session)
    rows = noun.rows(catalogue)
    options = {item.name: _options(item, rows, catalogue) for item in noun.filters if item.kind == "choice"}
    sortable = (NAME, *noun.columns, ON)
    offered = {name: [value for value, _ in found] for name, found in options.items()}
    form = filtered(noun.form, request, {**offered, "sort": [sign + name for name in sortable for sign in ("", "-")]})
    value = form.value or noun.form()
    order = str(getattr(value, "sort", ""))
    found = _sorted(noun, noun.find(catalogue, value.wanted(), today), order)  # type: ignore[attr-defined]
    columns = {name: _column(name, order, request) for name in sortable}
    return ListView(
        noun=noun,
        filters=noun.filters,
        options=options,
        form=form,
        name=columns[NAME],
        columns=tuple(columns[name] for name in noun.columns),
        on=columns[ON],
        rows=tuple(_listed(noun, item, catalogue) for item in found[:SHOWN_COUNT]),
        total_count=len(rows),
        revision=catalogue.revision,
        as_of=as_of,
        can_compare=noun.key in COMPARED,
        ticked=_ticked(noun, rows, request) if noun.key in COMPARED else {},
        used=tuple(name for name, text in form.raw.items() if text),
        found_count=len(found),
    )


def title_of(noun: Noun, row: Any, catalogue: Catalogue) -> str:
    """What a row is called; a price by its GPU, a factor in the reader's language."""
    slug = getattr(row, "gpu_slug", None)
    if slug and noun.is_price:
        return catalogue.gpu(slug).name
    return word("factor", row.factor) if noun.key == "factors" else noun.title(row)


def _ticked(noun: Noun, rows: Sequence[Any], request: Request) -> dict[str, str]:
    asked = set(request.query_params.getlist("row"))
    return {noun.identify(row): noun.title(row) for row in rows if noun.identify(row) in asked}


def _column(name: str, order: str, request: Request) -> Column:
    turned = f"-{name}" if order == name else name
    query = [(key, value) for key, value in request.query_params.multi_items() if key != "sort" and value]
    now = "descending" if order == f"-{name}" else "ascending" if order == name else ""
    return Column(name=name, label=label(name), href="?" + urlencode([*query, ("sort", turned)]), sorted=now)


def _sorted(noun: Noun, found: Sequence[Any], order: str) -> Sequence[Any]:
    """By a column; what is unknown comes last either way, and amounts are compared within their currency."""
    if not order:
        return found
    name, is_down = order.removeprefix("-"), order.startswith("-")

    def value(item: Any) -> Any:
        row = _row(item)
        raw = noun.title(row) if name == NAME else row.source.on if name == ON and not noun.is_price else getattr(row, name)
        return "|".join(raw) if isinstance(raw, tuple) else raw

    known = [item for item in found if value(item) is not None]
    known.sort(key=lambda item: value(item).casefold() if isinstance(value(item), str) else value(item), reverse=is_down)
    if any(isinstance(value(item), Decimal) for item in known):
        known.sort(key=lambda item: getattr(_row(item), "currency", ""), reverse=True)
    return [*known, *(item for item in found if value(item) is None)]


def _row(item: Any) -> Any:
    return item.price if isinstance(item, Judged) else item


def _options(item: FilterField, rows: Sequence[Any], catalogue: Catalogue) -> Options:
    if item.name == "evidence":
        levels = {row.source.evidence for row in rows}
        return ((SURE, gettext("vendor or confirmed")), *((level.value, word("evidence", level)) for level in Evidence if level in levels))
    values = choices(catalogue.precision_support if item.field == "precision" else rows, item.field)
    if item.field in ("gpu_slugs", "gpu_slug"):
        return tuple((slug, catalogue.gpu(slug).name) for slug in values)
    return tuple((value, word(item.field, value)) for value in values)


def _listed(noun: Noun, item: Any, catalogue: Catalogue) -> ListedRow:
    row = _row(item)
    return ListedRow(
        key=noun.identify(row),
        title=title_of(noun, row, catalogue),
        cells=tuple(describe(row, name, catalogue) for name in noun.columns),
        evidence=row.source.evidence,
        on=row.source.on,
        judged=item if isinstance(item, Judged) else None,
        is_unconfirmed=row.source.evidence.is_unconfirmed or getattr(row, "confidence", "") == "low",
    )
