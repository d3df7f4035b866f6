"""Adding, changing and retiring a row of the catalogue, whatever its noun: one form over the columns of its seed file."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from app.db.engine import Session
from app.domain.catalogue.invariants import natural_key
from app.domain.errors import Conflict
from app.seeds.reading import headers
from app.seeds.tables import BY_FIELD
from app.services import catalogue as catalogues
from app.services import catalogue_edits as edits
from app.services import policy_preview
from app.services.catalogue_edits import RetiredRow, RetireRow, Saved, SaveRow, StoredRow
from app.services.policy_preview import Preview
from app.web import htmx
from app.web.access import IsAdmin
from app.web.binding import BoundForm, Form
from app.web.database import Now, Read, Write
from app.web.fact_form import FactField, header_labels, sections, sentences
from app.web.listing import title_of
from app.web.locale import gettext
from app.web.nouns import Noun
from app.web.routes.catalogue import noun_of, row_of
from app.web.templating import page

router = APIRouter()
WHY, VERSION, PREVIEWED = "why", "row_version", "previewed"
POLICY = ("policy_rows", "policy_values")
CELL_LENGTH, NOTE_LENGTH = 8000, 500
NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFormView:
    """A row's form. `key` is its address; none: a new row. `preview` is what a change of policy would do, which is looked at before it is
    stored; `is_retiring`: that change takes the row out."""

    noun: Noun
    key: str
    title: str
    sections: tuple[tuple[str, tuple[FactField, ...]], ...]
    labels: Mapping[str, str]
    form: BoundForm[Any]
    preview: Preview | None = None
    is_retiring: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RetiredView:
    """Rows that were taken out, and what bringing back one of policy would do."""

    noun: Noun
    rows: tuple[RetiredRow, ...]
    form: BoundForm[Any]
    labels: Mapping[str, str]
    preview: Preview | None
    is_retiring: bool = False


@router.get("/catalogue/{noun}/-/new", name="catalogue.new")
def new(request: Request, noun: str, session: Read, caller: IsAdmin) -> Response:
    """An empty form, or one filled with the row that `like` names."""
    found, like = noun_of(noun), request.query_params.get("like", "")
    raw = _raw(_stored(session, found, like)) if like else {}
    return _page(request, found, "", "", BoundForm(raw=raw))


@router.post("/catalogue/{noun}/-/new", name="catalogue.add")
def add(request: Request, noun: str, caller: IsAdmin, form: Form, session: Write, now: Now) -> Response:
    """Adds a row."""
    found, bound = noun_of(noun), _bound(noun_of(noun), form)
    command = SaveRow(table=found.table, cells=bound.raw, by=caller.user.name, note=bound.raw[WHY])
    if shown := _look_first(session, bound, command, now):
        return _page(request, found, "", "", bound, preview=shown)
    saved = _done(bound, lambda: edits.save(session, command, now.date()))
    return _answer(request, session, found, "", bound, saved)


@router.get("/catalogue/{noun}/{key}/edit", name="catalogue.edit")
def edit(request: Request, noun: str, key: str, session: Read, caller: IsAdmin) -> Response:
    """A row as it stands."""
    found = noun_of(noun)
    fact = row_of(found, key, catalogue := catalogues.current(session))
    return _page(request, found, key, title_of(found, fact, catalogue), BoundForm(raw=_raw(edits.get(session, found.table, fact))))


@router.post("/catalogue/{noun}/{key}/edit", name="catalogue.save")
def save(request: Request, noun: str, key: str, caller: IsAdmin, form: Form, session: Write, now: Now) -> Response:
    """Changes a row, or retires it."""
    found, bound = noun_of(noun), _bound(noun_of(noun), form)
    row, typed = _stored(session, found, key), bound.raw[VERSION]
    number = int(typed) if typed.isdecimal() else 0
    by, note = caller.user.name, bound.raw[WHY]
    try:
        command: SaveRow | RetireRow = (
            RetireRow(table=found.table, row_id=row.id, number=number, by=by, note=note)
            if "retire" in form
            else SaveRow(table=found.table, cells=bound.raw, row_id=row.id, number=number, by=by, note=note)
        )
        if shown := _look_first(session, bound, command, now):
            return _page(request, found, key, key, bound, preview=shown, is_retiring=isinstance(command, RetireRow))
        saved = _done(bound, lambda: _stored_change(session, command, now))
    except Conflict as conflict:
        return _page(request, found, key, key, bound.rejected(conflict).beside(_raw(row)), 409)
    return _answer(request, session, found, key, bound, saved)


@router.get("/catalogue/{noun}/-/retired", name="catalogue.retired")
def retired(request: Request, noun: str, session: Read, caller: IsAdmin) -> Response:
    """Rows that were taken out, each with a button that brings it back."""
    return _retired_page(request, session, noun_of(noun))


@router.post("/catalogue/{noun}/-/retired", name="catalogue.restore")
def restore(request: Request, noun: str, caller: IsAdmin, form: Form, session: Write, now: Now) -> Response:
    """Brings a retired row back as it last was."""
    found, typed = noun_of(noun), {name: str(form.get(name, "")) for name in ("row_id", VERSION, WHY, PREVIEWED)}
    row_id, number = (int(typed[name]) if NUMBER.fullmatch(typed[name]) else 0 for name in ("row_id", VERSION))
    note = typed[WHY].replace("\x00", "")[:NOTE_LENGTH].strip() or gettext("Brought back.")
    command = edits.restoring(session, found.table, row_id, number, by=caller.user.name, note=note)
    bound: BoundForm[Any] = BoundForm(raw=typed | {WHY: note})
    if shown := _look_first(session, bound, command, now):
        return _retired_page(request, session, found, bound, preview=shown)
    saved = edits.save(session, command, now.date())
    if saved.refusals:
        return _retired_page(request, session, found, BoundForm(raw=bound.raw, errors=sentences(saved.refusals)), status_code=422)
    return _answer(request, session, found, "", bound, saved)


def _look_first(session: Session, bound: BoundForm[Any], command: SaveRow | RetireRow, now: datetime) -> Preview | None:
    """What a change of policy would do, unless the form was made from that very preview; None as well where it changes nothing or is refused."""
    if command.table not in POLICY or bound.errors:
        return None
    changed, _ = edits.would_be(session, command, now.date())
    if changed is None or changed.revision in (bound.raw[PREVIEWED], catalogues.current(session).revision):
        return None
    return policy_preview.preview(session, changed, now.date())


def _stored_change(session: Session, command: SaveRow | RetireRow, now: datetime) -> Saved:
    if isinstance(command, RetireRow):
        return edits.retire(session, command, now.date())
    return edits.save(session, command, now.date())


def _done(bound: BoundForm[Any], store: Callable[[], Saved]) -> Saved:
    """Stores once the form says why."""
    return Saved() if bound.errors else store()


def _answer(request: Request, session: Session, noun: Noun, key: str, bound: BoundForm[Any], saved: Saved) -> Response:
    """To the row, or to its list when it is gone; else the form with what was refused."""
    if bound.errors or saved.refusals:
        errors = {**bound.errors, **sentences(saved.refusals)}
        return _page(request, noun, key, key, BoundForm(raw=bound.raw, errors=errors), 422)
    fact = next((row for row in noun.rows(catalogues.current(session)) if natural_key(noun.table, row) == saved.key), None)
    if fact is not None:
        return htmx.see_other(request, request.app.url_path_for("catalogue.show", noun=noun.key, key=noun.identify(fact)))
    name = ("prices.list", "kind") if noun.is_price else ("catalogue.list", "noun")
    return htmx.see_other(request, request.app.url_path_for(name[0], **{name[1]: noun.key}))


def _page(
    request: Request,
    noun: Noun,
    key: str,
    title: str,
    form: BoundForm[Any],
    status_code: int = 200,
    *,
    preview: Preview | None = None,
    is_retiring: bool = False,
) -> Response:
    labels = {**header_labels(noun.table), WHY: gettext("Reason")}
    view = FactFormView(
        noun=noun, key=key, title=title, sections=sections(noun), labels=labels, form=form, preview=preview, is_retiring=is_retiring
    )
    return page(request, "catalogue/form.html", view, status_code=status_code)


def _retired_page(
    request: Request,
    session: Session,
    noun: Noun,
    form: BoundForm[Any] | None = None,
    status_code: int = 200,
    *,
    preview: Preview | None = None,
) -> Response:
    view = RetiredView(
        noun=noun, rows=edits.retired(session, noun.table), form=form or BoundForm(), labels=header_labels(noun.table), preview=preview
    )
    return page(request, "catalogue/retired.html", view, status_code=status_code)


def _bound(noun: Noun, form: FormData) -> BoundForm[Any]:
    """The cells as they were sent; what nobody could read is an error."""
    raw, errors = {}, {}
    for name in (*headers(BY_FIELD[noun.table]), WHY, VERSION, PREVIEWED):
        value = form.get(name)
        raw[name] = value if isinstance(value, str) else ""
        if len(raw[name]) > CELL_LENGTH:
            errors[name] = gettext("This is too long.")
        if "\x00" in raw[name]:
            raw[name], errors[name] = "", gettext("This cannot be read.")
    if not raw[WHY].strip():
        errors[WHY] = gettext("Say why, and where the figures come from.")
    return BoundForm(raw=raw, errors=errors)


def _stored(session: Session, noun: Noun, key: str) -> StoredRow:
    return edits.get(session, noun.table, row_of(noun, key, catalogues.current(session)))


def _raw(row: StoredRow) -> dict[str, str]:
    cells = row.cells or {}
    return {name: cells.get(name, "") for name in headers(BY_FIELD[row.table])} | {VERSION: str(row.number)}
