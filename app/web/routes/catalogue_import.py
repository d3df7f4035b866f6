"""Importing and exporting facts as files: an upload is looked at first, and stored when somebody confirms what it would change."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import PurePath
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from app.db.engine import Session
from app.domain.errors import Conflict, InvalidInput, Message, NotFound
from app.seeds.exporting import as_csv, as_xlsx
from app.seeds.spreadsheets import FILE_LIMIT_BYTES
from app.services import catalogue_edits as edits
from app.services import import_jobs, imports, jobs
from app.services.import_jobs import AskImport, Found
from app.services.imports import ImportPlan
from app.services.jobs import JobRow
from app.storage import DatabaseStorage
from app.web import htmx
from app.web.access import IsAdmin, KeepsPrices, SignedIn
from app.web.binding import BoundForm, Form
from app.web.database import Now, Read, Write, database
from app.web.fact_form import shown_changes
from app.web.listing import asked_catalogue
from app.web.routes.catalogue import noun_of
from app.web.templating import page

router = APIRouter()
SHOWN_COUNT = 200
ROW_LIMIT = 20_000  # a few seconds; the command line takes more
NAME_LENGTH, NOTE_LENGTH = 120, 500
EXPORTS = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "xlsx": (as_xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportView:
    """The upload form, and what a file that was uploaded would change."""

    is_prices: bool
    form: BoundForm[Any]
    planned: ImportPlan | None
    changes: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
    problems: tuple[tuple[str, Message], ...]
    notice: Message | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportJobView:
    """A large file that a worker looks at or stores, and what it found once it is finished."""

    job: JobRow
    found: Found | None
    changes: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
    now: datetime


@router.get("/admin/import", name="catalogue.import")
def catalogue_form(request: Request, caller: IsAdmin) -> Response:
    """Where files of facts are uploaded."""
    return _page(request, is_prices=False)


@router.post("/admin/import", name="catalogue.import_file")
def catalogue_file(request: Request, caller: IsAdmin, form: Form, session: Write, now: Now) -> Response:
    """Shows what a file would change, or stores it once that was confirmed."""
    return _answer(request, form, session, caller.user.name, now.date(), imports.CATALOGUE_TABLES)


@router.get("/admin/import/jobs/{job_id}", name="catalogue.import_job")
def catalogue_job(request: Request, job_id: UUID, session: Read, caller: IsAdmin, now: Now) -> Response:
    """How far a large file is, and what it would change."""
    return _job_page(request, session, job_id, now, "catalogue")


@router.get("/prices/import/jobs/{job_id}", name="prices.import_job")
def prices_job(request: Request, job_id: UUID, session: Read, caller: KeepsPrices, now: Now) -> Response:
    """The same for prices."""
    return _job_page(request, session, job_id, now, "prices")


@router.get("/prices/import", name="prices.import")
def prices_form(request: Request, caller: KeepsPrices) -> Response:
    """Where files of prices are uploaded."""
    return _page(request, is_prices=True)


@router.post("/prices/import", name="prices.import_file")
def prices_file(request: Request, caller: KeepsPrices, form: Form, session: Write, now: Now) -> Response:
    """The same for prices alone."""
    return _answer(request, form, session, caller.user.name, now.date(), imports.PRICE_TABLES)


@router.get("/catalogue/{noun}/-/export.{kind}", name="catalogue.export")
def export(request: Request, noun: str, kind: str, session: Read, caller: SignedIn) -> Response:
    """All rows of a noun under the headers of its seed file: the file reads in again unchanged."""
    found, (_, as_of) = noun_of(noun), asked_catalogue(request, session)
    if kind not in EXPORTS:
        raise NotFound("request.not_found")
    write, media_type = EXPORTS[kind]
    name = f"{found.table}-{as_of.revision if as_of else 'current'}.{kind}"
    content = write(found.table, edits.lines(session, found.table, as_of.id if as_of else None))
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _answer(request: Request, form: FormData, session: Session, by: str, today: date, tables: Collection[str]) -> Response:
    is_prices, raw, notice = tables == imports.PRICE_TABLES, _raw(form), None
    try:
        name, content = _content(request, form, session, raw)
        if len(content) > import_jobs.FROM_BYTES:
            return _as_job(request, session, raw, by, "prices" if is_prices else "catalogue")
        planned = imports.plan(session, name, content, tables, today, row_limit=ROW_LIMIT)
        if raw["confirmed"] and planned.rows:
            if raw["revision"] == planned.revision:
                imports.store(session, planned, by=by, note=raw["note"] or name)
                where = "prices.home" if is_prices else "catalogue.home"
                return htmx.see_other(request, str(request.app.url_path_for(where)))
            notice = Conflict("import.stale").message
    except InvalidInput as error:
        refused: BoundForm[Any] = BoundForm(raw=raw)
        return _page(request, is_prices=is_prices, form=refused.rejected(error), status_code=422)
    raw |= {"revision": planned.revision}
    return _page(request, is_prices=is_prices, form=BoundForm(raw=raw), planned=planned, notice=notice, status_code=409 if notice else 200)


def _as_job(request: Request, session: Session, raw: dict[str, str], by: str, tables: str) -> Response:
    """A large file is read by a worker; so is storing it. A file above the limit was not kept, so its job would have nothing to read."""
    if not raw["stored"]:
        raise InvalidInput("file", "import.too_large", limit_mb=FILE_LIMIT_BYTES // 1_000_000)
    revision = raw["revision"] if raw["confirmed"] else ""
    command = AskImport(stored=raw["stored"], name=raw["name"], tables=tables, by=by, note=raw["note"], revision=revision)
    job_id = import_jobs.ask(session, command)
    return htmx.see_other(request, str(request.app.url_path_for(f"{tables}.import_job", job_id=job_id)))


def _job_page(request: Request, session: Session, job_id: UUID, now: datetime, tables: str) -> Response:
    job = jobs.get_job(session, job_id)  # whoever may import may see it
    if job.kind != import_jobs.JOB or job.arguments["tables"] != tables:
        raise NotFound("request.not_found")
    found = import_jobs.found(job)
    changes = tuple((row.key, shown_changes(row.changes, row.table)) for row in found.changed) if found else ()
    return page(request, "catalogue/import_job.html", ImportJobView(job=job, found=found, changes=changes, now=now))


def _content(request: Request, form: FormData, session: Session, raw: dict[str, str]) -> tuple[str, bytes]:
    """The file that was uploaded now, or the one that was looked at before, by its hash."""
    storage, upload = DatabaseStorage(database(request)), form.get("file")
    if isinstance(upload, UploadFile) and upload.filename:
        content = upload.file.read(FILE_LIMIT_BYTES + 1)
        raw["name"] = PurePath(upload.filename).name[:NAME_LENGTH]
        if len(content) <= FILE_LIMIT_BYTES:
            raw["stored"], _ = storage.put(session, [content])
        return raw["name"], content
    content = b"".join(storage.read(raw["stored"])) if raw["stored"] else b""
    if not content:
        raise InvalidInput("file", "import.no_file")
    return raw["name"], content


def _raw(form: FormData) -> dict[str, str]:
    values = {name: form.get(name) for name in ("note", "name", "stored", "revision", "confirmed")}
    return {name: value.replace("\x00", "")[:NOTE_LENGTH] if isinstance(value, str) else "" for name, value in values.items()}


def _page(
    request: Request,
    *,
    is_prices: bool,
    form: BoundForm[Any] | None = None,
    planned: ImportPlan | None = None,
    notice: Message | None = None,
    status_code: int = 200,
) -> Response:
    changed = planned.changed[:SHOWN_COUNT] if planned else ()
    view = ImportView(
        is_prices=is_prices,
        form=form or BoundForm(raw={}),
        planned=planned,
        changes=tuple((row.key, shown_changes(row.changes, row.table)) for row in changed),
        problems=tuple(map(imports.said, planned.problems[:SHOWN_COUNT])) if planned else (),
        notice=notice,
    )
    return page(request, "catalogue/import.html", view, status_code=status_code)
