"""The Evidence step: logs in, verdicts out."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Annotated, BinaryIO
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Query, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import JSONResponse, Response, StreamingResponse

from app.db.engine import Session
from app.domain.errors import Conflict, DomainError, InvalidInput
from app.services import catalogue, jobs, telemetry, tokens
from app.services import rail as rails
from app.services.telemetry import AcceptUpload
from app.services.tokens import NewToken
from app.storage import DatabaseStorage
from app.web import htmx
from app.web.access import CanRead, CanUpload
from app.web.binding import BoundForm, Form, blank
from app.web.database import Now, Read, Write, database
from app.web.evidence import EvidenceProfileView, EvidenceView, boards, poll_delay, profile_view, upload_line
from app.web.forms.evidence import UploadForm
from app.web.locale import current_locale
from app.web.sessions import site_of
from app.web.templating import page
from app.web.uploads import LogForm, as_file
from app.wire.profile import profile_json, series_json

router = APIRouter(prefix="/projects/{project_id}/evidence")
FRAGMENTS = {"uploads": ("uploads",), "upload-form": ("upload_form",), "profile": ("profile",)}
COMPRESSED = {b"\x1f\x8b": ("application/gzip", ".gz"), b"\x28\xb5": ("application/zstd", ".zst")}


@router.get("", name="evidence.list")
def uploads(
    request: Request, project_id: UUID, session: Read, caller: CanRead, now: Now, removed: Annotated[UUID | None, Query()] = None
) -> Response:
    """The upload form, the one command, and what was uploaded."""
    return page(request, "evidence/list.html", _list(request, session, project_id, now, removed=removed), fragments=FRAGMENTS)


@router.post("", name="evidence.add")
def add(request: Request, project_id: UUID, caller: CanUpload, form: LogForm, session: Write, now: Now) -> Response:
    """Takes logs in, all or none; the page then shows their jobs."""
    try:
        sent = tuple(_sent(project_id, form))
        if not sent:
            raise InvalidInput("log", "telemetry.no_file")
        telemetry.accept_all(session, DatabaseStorage(database(request)), sent)
    except DomainError as error:
        bound = blank(UploadForm, {"pasted": form.get("pasted", ""), "gpu": form.get("gpu", "")}).rejected(error)
        view = _list(request, session, project_id, now, form=bound)
        return page(request, "evidence/list.html", view, fragments=FRAGMENTS, status_code=422)
    return htmx.see_other(request, str(request.app.url_path_for("evidence.list", project_id=project_id)))


@router.post("/command", name="evidence.command")
def command(request: Request, project_id: UUID, session: Write, caller: CanUpload, now: Now) -> Response:
    """Makes a token and shows the command with it, this once."""
    name = f"telemetry {now:%Y-%m-%d %H:%M}"
    made = tokens.new_token(session, caller.user.id, name, project_id)
    return page(request, "evidence/list.html", _list(request, session, project_id, now, made=made), fragments=FRAGMENTS)


@router.get("/{upload_id}", name="evidence.show")
def show(request: Request, project_id: UUID, upload_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """The profile: verdict first."""
    return page(request, "evidence/show.html", _profile(session, project_id, upload_id, now), fragments=FRAGMENTS)


@router.get("/{upload_id}/profile.json", name="evidence.json")
def document(request: Request, project_id: UUID, upload_id: UUID, session: Read, caller: CanRead) -> Response:
    """The same profile as JSON, with its time series."""
    found = telemetry.profiled(session, project_id, upload_id)
    return JSONResponse(profile_json(found.profile, found.diagnoses, current_locale()) | series_json(found.profile))


@router.get("/{upload_id}/raw", name="evidence.raw")
def raw(request: Request, project_id: UUID, upload_id: UUID, session: Read, caller: CanRead) -> Response:
    """The log as it was sent."""
    upload = telemetry.get_upload(session, project_id, upload_id)
    pieces = DatabaseStorage(database(request)).read(upload.content_hash)
    first = next(pieces, b"")
    media_type, ending = COMPRESSED.get(first[:2], ("text/plain; charset=utf-8", ""))
    name = upload.name if upload.name.endswith(ending) else upload.name + ending
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    if upload.agent is None:  # what an agent sends may grow meanwhile
        headers["Content-Length"] = str(upload.size_bytes)
    return StreamingResponse(_with_first(first, pieces), media_type=media_type, headers=headers)


@router.post("/{upload_id}/board", name="evidence.board")
def name_board(request: Request, project_id: UUID, upload_id: UUID, caller: CanUpload, form: Form, session: Write, now: Now) -> Response:
    """Names the board and has the log read again. Where somebody named another one meanwhile, the page shows both and asks again."""
    gpu, seen = (str(form.get(name, "")) or None for name in ("gpu", "seen"))
    try:
        telemetry.rename_board(session, project_id, upload_id, gpu, seen)
    except Conflict as error:
        view = replace(_profile(session, project_id, upload_id, now), board=gpu, notice=error.message)
        return page(request, "evidence/show.html", view, status_code=409)
    return htmx.see_other(request, str(request.app.url_path_for("evidence.show", project_id=project_id, upload_id=upload_id)))


@router.post("/{upload_id}/delete", name="evidence.delete")
def delete(request: Request, project_id: UUID, upload_id: UUID, session: Write, caller: CanUpload, now: Now) -> Response:
    """Takes an upload away; the list then offers to undo it."""
    telemetry.remove(session, project_id, upload_id, now=now)
    return htmx.see_other(request, f"{request.app.url_path_for('evidence.list', project_id=project_id)}?removed={upload_id}")


@router.post("/{upload_id}/restore", name="evidence.restore")
def restore(request: Request, project_id: UUID, upload_id: UUID, session: Write, caller: CanUpload) -> Response:
    """Brings an upload back."""
    telemetry.restore(session, project_id, upload_id)
    return htmx.see_other(request, str(request.app.url_path_for("evidence.list", project_id=project_id)))


def _profile(session: Session, project_id: UUID, upload_id: UUID, now: datetime) -> EvidenceProfileView:
    upload = telemetry.get_upload(session, project_id, upload_id)
    found = telemetry.profiled(session, project_id, upload_id) if upload.is_profiled else None
    job = jobs.get_job(session, upload.job_id) if upload.job_id else None
    rail = rails.rail(session, project_id)
    return profile_view(rail, upload, job, found, catalogue.current(session), now, current_locale())


def _sent(project_id: UUID, form: FormData) -> Iterator[tuple[AcceptUpload, BinaryIO, str]]:
    gpu = str(form.get("gpu", "")) or None
    for file in form.getlist("log"):
        if isinstance(file, UploadFile) and file.filename:
            yield AcceptUpload(project_id=project_id, name=file.filename, gpu=gpu), file.file, "log"
    pasted = str(form.get("pasted", ""))
    if pasted.strip():
        yield AcceptUpload(project_id=project_id, name="pasted", gpu=gpu), as_file(pasted), "pasted"


def _list(
    request: Request,
    session: Session,
    project_id: UUID,
    now: datetime,
    *,
    form: BoundForm[UploadForm] | None = None,
    made: NewToken | None = None,
    removed: UUID | None = None,
) -> EvidenceView:
    rail = rails.rail(session, project_id)
    known = {job.id: job for job in jobs.jobs_of_project(session, project_id, telemetry.JOB)}
    gone = telemetry.find_removed(session, project_id, removed) if removed else None
    found = telemetry.uploads_of(session, project_id)
    leading = telemetry.leading(found)
    lines = tuple(upload_line(upload, known, leading.id if leading else None, now) for upload in found)
    return EvidenceView(
        rail=rail,
        uploads=lines,
        poll_delay_s=poll_delay((line.job for line in lines), now),
        form=form or blank(UploadForm),
        boards=boards(catalogue.current(session)),
        command=_command(request, project_id, made.secret if made else "$GPUPLAN_TOKEN"),
        agent_command=_agent_command(request, project_id, made.secret if made else "$GPUPLAN_TOKEN"),
        made=made,
        removed=gone,
        now=now,
    )


def _command(request: Request, project_id: UUID, token: str) -> str:
    url = f"{site_of(request)}{request.app.url_path_for('api.telemetry.upload', project_id=project_id)}?name=$(hostname)"
    return f'nvidia-smi dmon -s pucvmet -o DT -d 1 -c 300 | curl -fsS --data-binary @- -H "Authorization: Bearer {token}" "{url}"'


def _agent_command(request: Request, project_id: UUID, token: str) -> str:
    site = site_of(request)
    fetched = f"curl -fsSO {site}{request.app.url_path_for('agent.file')}"
    return f"{fetched} && GPUPLAN_TOKEN={token} python3 agent.py --server {site} --project {project_id}"


def _with_first(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest
