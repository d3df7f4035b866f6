"""The catalogue: one filterable list a noun, and one page a row where each figure shows its source and date."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.source import Source
from app.domain.errors import NotFound
from app.domain.estimate import Derivation
from app.services import catalogue as catalogues
from app.web.binding import BoundForm, bind
from app.web.database import Read
from app.web.described import Described, describe, label, word
from app.web.filtering import Options, answered, asked
from app.web.nouns import NOUNS, FilterField, Noun, choices
from app.web.related import Related, related_of
from app.web.sessions import SignedIn
from app.web.templating import page

router = APIRouter()
FRAGMENTS = {"catalogue-table": ("table",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRow:
    """A line of a list."""

    key: str
    title: str
    cells: tuple[Described, ...]
    source: Source
    is_unconfirmed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueListView:
    """A list with its filters."""

    noun: str
    nouns: tuple[str, ...]
    filters: tuple[FilterField, ...]
    options: Mapping[str, Options]
    form: BoundForm[Any]
    columns: tuple[str, ...]
    rows: tuple[ListedRow, ...]
    total_count: int
    revision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """Fields that belong together; those that nobody published are only named."""

    key: str
    fields: tuple[Described, ...]
    unknown: tuple[Described, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueShowView:
    """One row of the catalogue."""

    noun: str
    nouns: tuple[str, ...]
    key: str
    title: str
    source: Source
    groups: tuple[FieldGroup, ...]
    derivations: Derivation
    related: tuple[Related, ...]
    notes: str
    revision: str


@router.get("/catalogue", name="catalogue.home")
def home(request: Request, session: Read, user: SignedIn) -> Response:
    """The GPUs come first."""
    return list_(request, "gpus", session, user)


@router.get("/catalogue/{noun}", name="catalogue.list")
def list_(request: Request, noun: str, session: Read, user: SignedIn) -> Response:
    """All rows of a noun that match the filters, without paging."""
    view = _list_view(_noun(noun), catalogues.current(session), request)
    return page(request, "catalogue/list.html", view, fragments=FRAGMENTS, **answered(view.form))


@router.get("/catalogue/{noun}/{key}", name="catalogue.show")
def show(request: Request, noun: str, key: str, session: Read, user: SignedIn) -> Response:
    """One row, each figure with its source."""
    found, catalogue = _noun(noun), catalogues.current(session)
    row = next((row for row in found.rows(catalogue) if found.identify(row) == key), None)
    if row is None:
        raise NotFound("catalogue.no_row", key=key[:60])
    return page(request, "catalogue/show.html", _show_view(found, row, catalogue))


def _noun(key: str) -> Noun:
    if key not in NOUNS:
        raise NotFound("request.not_found")
    return NOUNS[key]


def _list_view(noun: Noun, catalogue: Catalogue, request: Request) -> CatalogueListView:
    form: BoundForm[Any] = bind(noun.form, asked(request))
    all_rows = noun.rows(catalogue)
    found = all_rows if form.value is None else noun.find(catalogue, form.value.wanted())
    return CatalogueListView(
        noun=noun.key,
        nouns=tuple(NOUNS),
        filters=noun.filters,
        options={item.name: _options(item, all_rows, catalogue) for item in noun.filters if item.kind == "choice"},
        form=form,
        columns=tuple(map(label, noun.columns)),
        rows=tuple(_listed(noun, row, catalogue) for row in found),
        total_count=len(all_rows),
        revision=catalogue.revision,
    )


def _options(item: FilterField, rows: Any, catalogue: Catalogue) -> Options:
    values = choices(catalogue.precision_support if item.field == "precision" else rows, item.field)
    if item.field == "gpu_slugs":
        return tuple((slug, catalogue.gpu(slug).name) for slug in values)
    return tuple((value, word(item.field, value)) for value in values)


def _listed(noun: Noun, row: Any, catalogue: Catalogue) -> ListedRow:
    cells = tuple(describe(row, name, catalogue) for name in noun.columns)
    return ListedRow(
        key=noun.identify(row), title=noun.title(row), cells=cells, source=row.source, is_unconfirmed=row.source.evidence.is_unconfirmed
    )


def _show_view(noun: Noun, row: Any, catalogue: Catalogue) -> CatalogueShowView:
    groups = []
    for key, names in noun.groups.items():
        fields = [describe(row, name, catalogue) for name in names]
        known = tuple(field for field in fields if field.value is not None)
        groups.append(FieldGroup(key=key, fields=known, unknown=tuple(field for field in fields if field.value is None)))
    return CatalogueShowView(
        noun=noun.key,
        nouns=tuple(NOUNS),
        key=noun.identify(row),
        title=noun.title(row),
        source=row.source,
        groups=tuple(groups),
        derivations=tuple(step for group in groups for field in group.fields for step in field.derivation),
        related=related_of(row, catalogue),
        notes=row.notes,
        revision=catalogue.revision,
    )
