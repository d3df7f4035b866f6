"""Telemetry for scripts and nodes: a log in, its job out; profiles as the command line prints them."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import JSONResponse, Response

from app.domain.errors import InvalidInput, message
from app.domain.telemetry import Rejected
from app.domain.telemetry.decompress import GZIP, ZSTD
from app.services import jobs, telemetry
from app.services.telemetry import AcceptUpload, UploadRow
from app.storage import DatabaseStorage
from app.text.render import render
from app.web.access import CanRead, CanUpload
from app.web.database import Read, Write, database
from app.web.locale import current_locale
from app.web.problems import FieldProblem, respond
from app.web.uploads import Body
from app.wire.jobs import job_json
from app.wire.profile import profile_json, series_json

router = APIRouter(prefix="/projects/{project_id}/telemetry", tags=["telemetry"])
ENCODINGS = {"": b"", "identity": b"", "gzip": GZIP, "x-gzip": GZIP, "zstd": ZSTD}
UNSUPPORTED = frozenset({"telemetry.binary", "telemetry.unknown_format", "telemetry.corrupt", "telemetry.encoding"})
_LOG = {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}


@router.post("", name="api.telemetry.upload", status_code=202, openapi_extra=_LOG)
def upload(
    request: Request,
    project_id: UUID,
    caller: CanUpload,
    body: Body,
    session: Write,
    name: Annotated[str, Query(max_length=300)] = "",
    gpu: Annotated[str | None, Query(max_length=100)] = None,
    content_encoding: Annotated[str, Header()] = "",
    idempotency_key: Annotated[str | None, Header()] = None,
) -> Response:
    """The body is the log, plain or compressed (`Content-Encoding: gzip` or `zstd`). Answers with the job that reads it.

    The same log, or the same Idempotency-Key, answers with the job that is there already. `gpu` names the board by its catalogue slug."""
    encoding = content_encoding.strip().lower()
    try:
        if encoding not in ENCODINGS:
            raise Rejected("telemetry.encoding", encoding=encoding[:40])
        head = body.read(4)
        body.seek(0)
        if not head.startswith(ENCODINGS[encoding]):
            raise InvalidInput("Content-Encoding", "telemetry.encoding_mismatch", encoding=encoding)
        command = AcceptUpload(project_id=project_id, name=name or "upload", gpu=gpu or None, idempotency_key=idempotency_key)
        accepted = telemetry.accept(session, DatabaseStorage(database(request)), command, body)
    except Rejected as error:
        return rejected(request, error)
    answer = _job_of(session, accepted)
    headers = {"Location": str(request.app.url_path_for("api.jobs.show", job_id=answer["id"]))} if answer["id"] else {}
    return JSONResponse(answer, status_code=202, headers=headers)


@router.get("", name="api.telemetry.list")
def uploads(project_id: UUID, session: Read, caller: CanRead) -> dict[str, Any]:
    """The project's uploads, newest first."""
    return {"uploads": [_upload_json(one) for one in telemetry.uploads_of_project(session, project_id)]}


@router.get("/{upload_id}", name="api.telemetry.show")
def show(project_id: UUID, upload_id: UUID, session: Read, caller: CanRead, series: bool = False) -> dict[str, Any]:
    """The profile, as `gpuplan profile` prints it; `series=true` adds the time series."""
    found = telemetry.profiled(session, project_id, upload_id)
    answer = profile_json(found.profile, found.diagnoses, current_locale())
    return answer | series_json(found.profile) if series else answer


def rejected(request: Request, error: Rejected) -> Response:
    """415 for what is no telemetry that we know, 422 for telemetry that holds nothing; with the line where there is one."""
    status = 415 if error.message.code in UNSUPPORTED else 422
    where = () if error.line is None else (FieldProblem(f"line {error.line}", error.message.code, _line_reason(error)),)
    return respond(request, status, error.message, where)


def _line_reason(error: Rejected) -> str:
    reason = error.message.params.get("reason")
    return render(
        reason if reason is not None and not isinstance(reason, str | int | float) else message(error.message.code), current_locale()
    )


def _job_of(session: Read, upload: UploadRow) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": None, "state": "succeeded"}
    if upload.job_id is not None:
        job = jobs.get_job(session, upload.job_id)
        shown = job_json(
            job_id=job.id,
            kind=job.kind,
            state=job.state,
            progress_ratio=job.progress_ratio,
            result=job.result,
            failure=job.failure,
            created_at=job.created_at,
            started_at=job.started_at,
            finished_at=job.finished_at,
            locale=current_locale(),
        )
    return {**shown, "upload_id": str(upload.id), "content_hash": upload.digest}


def _upload_json(upload: UploadRow) -> dict[str, Any]:
    return {
        "id": str(upload.id),
        "name": upload.name,
        "gpu": upload.gpu,
        "size_bytes": upload.size_bytes,
        "content_hash": upload.digest,
        "created_at": upload.created_at.isoformat(),
        "agent": upload.agent,
        "node": upload.node,
        "heard_at": None if upload.heard_at is None else upload.heard_at.isoformat(),
        "ended_at": None if upload.ended_at is None else upload.ended_at.isoformat(),
        "job_id": None if upload.job_id is None else str(upload.job_id),
        "is_profiled": upload.is_profiled,
        "samples": upload.sample_count,
        "duration_s": upload.duration_s,
        "rule": upload.rule,
        "verdict": upload.verdict,
        "confidence": None if upload.confidence is None else upload.confidence.word,
    }
