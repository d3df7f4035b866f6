"""The catalogue: one filterable list a noun, and one page a row where each figure shows its source and date."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.db.engine import Session
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.source import Source
from app.domain.errors import NotFound
from app.domain.estimate import Derivation
from app.services import catalogue_edits as edits
from app.services.catalogue import StoredRevision
from app.services.catalogue_edits import CellChange, RowVersion, StoredRow
from app.web.access import SignedIn
from app.web.database import Now, Read
from app.web.described import Described, describe
from app.web.fact_form import shown_changes
from app.web.filtering import answered
from app.web.listing import asked_catalogue, list_view, title_of
from app.web.nouns import NOUNS, Noun
from app.web.related import Related, related_of
from app.web.templating import page

router = APIRouter()
FRAGMENTS = {"catalogue-table": ("count", "table")}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """Fields that belong together; those that nobody published are only named."""

    key: str
    fields: tuple[Described, ...]
    unknown: tuple[Described, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownVersion:
    """A version of the row with its changes: (label, before, after)."""

    version: RowVersion
    changes: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueShowView:
    """One row of the catalogue."""

    noun: Noun
    key: str
    title: str
    source: Source
    groups: tuple[FieldGroup, ...]
    derivations: Derivation
    related: tuple[Related, ...]
    notes: str
    revision: str
    as_of: StoredRevision | None
    versions: tuple[ShownVersion, ...]
    shipped: tuple[tuple[str, str, str], ...]


@router.get("/catalogue", name="catalogue.home")
def home(request: Request, session: Read, caller: SignedIn, now: Now) -> Response:
    """The GPUs come first."""
    return list_(request, "gpus", session, caller, now)


@router.get("/catalogue/{noun}", name="catalogue.list")
def list_(request: Request, noun: str, session: Read, caller: SignedIn, now: Now) -> Response:
    """All rows of a noun that match the filters, without paging."""
    found = noun_of(noun)
    if found.is_price:
        return RedirectResponse(request.app.url_path_for("prices.list", kind=noun), status_code=303)
    view = list_view(found, request, session, now.date())
    return page(request, "catalogue/list.html", view, fragments=FRAGMENTS, **answered(view.form))


@router.get("/catalogue/{noun}/{key}", name="catalogue.show")
def show(request: Request, noun: str, key: str, session: Read, caller: SignedIn) -> Response:
    """One row, each figure with its source."""
    found, (catalogue, as_of) = noun_of(noun), asked_catalogue(request, session)
    row = row_of(found, key, catalogue)
    stored = edits.find(session, found.table, row)
    return page(request, "catalogue/show.html", _show_view(found, row, catalogue, as_of, session, stored))


def noun_of(key: str) -> Noun:
    """The noun of an address. NotFound: there is none."""
    if key not in NOUNS:
        raise NotFound("request.not_found")
    return NOUNS[key]


def row_of(noun: Noun, key: str, catalogue: Catalogue) -> Any:
    """The row of an address. NotFound: there is none."""
    row = next((row for row in noun.rows(catalogue) if noun.identify(row) == key), None)
    if row is None:
        raise NotFound("catalogue.no_row", key=key[:60])
    return row


def _show_view(
    noun: Noun, row: Any, catalogue: Catalogue, as_of: StoredRevision | None, session: Session, stored: StoredRow | None
) -> CatalogueShowView:
    groups = []
    for key, names in noun.groups.items():
        fields = [describe(row, name, catalogue) for name in names]
        known = tuple(field for field in fields if field.value is not None)
        groups.append(FieldGroup(key=key, fields=known, unknown=tuple(field for field in fields if field.value is None)))
    return CatalogueShowView(
        noun=noun,
        key=noun.identify(row),
        title=title_of(noun, row, catalogue),
        source=row.source,
        groups=tuple(groups),
        derivations=tuple(step for group in groups for field in group.fields for step in field.derivation),
        related=related_of(row, catalogue),
        notes=row.notes,
        revision=catalogue.revision,
        as_of=as_of,
        versions=() if stored is None else _versions(session, stored),
        shipped=()
        if stored is None or stored.shipped is None
        else _shown(stored, edits.cell_changes(noun.table, stored.cells, stored.shipped)),
    )


def _versions(session: Session, stored: StoredRow) -> tuple[ShownVersion, ...]:
    return tuple(ShownVersion(version=version, changes=_shown(stored, version.changes)) for version in edits.history(session, stored))


def _shown(stored: StoredRow, changes: Iterable[CellChange]) -> tuple[tuple[str, str, str], ...]:
    return shown_changes(tuple(changes), stored.table)
