"""Agents: what they send from their nodes, piece by piece, as uploads that grow. A piece counts once, however often it is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from app.db import streams
from app.db.engine import Session
from app.db.telemetry import UploadRow
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.units import GIB, MIB
from app.services import access, catalogue, jobs, projects, telemetry
from app.services.access import Caller, Right

PIECE_LIMIT_BYTES = 4 * MIB
STREAM_LIMIT_BYTES = GIB  # then the agent begins another: a profile reads the whole log
SILENT_AFTER = timedelta(minutes=5)
READ_EVERY = timedelta(minutes=1)  # how often a growing log is read again, at most,
READ_SHARE = 20  # and never for more than a twentieth of the time


@dataclass(frozen=True, slots=True, kw_only=True)
class TakePiece:
    """A piece as it comes in. `number`: its place in the stream `upload_id`; no content: the stream is over."""

    upload_id: UUID
    agent: str
    number: int
    content: bytes
    node: Mapping[str, Any] | None = None


def project_of(session: Session, caller: Caller, named: UUID | None) -> UUID:
    """Where an agent's pieces go: the project of its token, or the one it names. InvalidInput: neither. NotFound, Forbidden: not there."""
    project_id = named or caller.only_project_id
    if project_id is None:
        raise InvalidInput("project", "agent.no_project")
    access.require(session, caller, project_id, Right.UPLOAD)
    return project_id


def take(session: Session, project_id: UUID, command: TakePiece, *, now: datetime) -> bool:
    """Stores a piece and has the log read again when that is due; False: it was there already.

    Conflict: the id is another stream's, the stream is over, full or taken away, or the number holds something else; the agent then begins a
    new stream."""
    with session.begin_nested():
        projects.get_project(session, project_id)
        streams.begin(session, upload_id=command.upload_id, project_id=project_id, agent=command.agent, now=now)
        stream = streams.lock(session, command.upload_id)
        if stream is None or stream.project_id != project_id or stream.agent != command.agent or stream.removed_at is not None:
            raise Conflict("agent.other_stream", field="Upload-Id")
        is_new = _store(session, stream, command)
        streams.hear(session, stream.id, node=command.node, gpu=_board(session, command.node), now=now, is_over=not command.content)
        if is_new and _is_due(session, stream, is_over=not command.content, now=now):
            telemetry.read_again(session, stream)
    return is_new


def is_live(upload: UploadRow, now: datetime) -> bool:
    """Whether an agent still sends."""
    return upload.heard_at is not None and upload.ended_at is None and now - upload.heard_at < SILENT_AFTER


def _store(session: Session, stream: UploadRow, command: TakePiece) -> bool:
    if not command.content:
        return stream.ended_at is None
    known = streams.find_piece(session, stream.id, command.number)
    if known is not None:
        if known != command.content:
            raise Conflict("agent.other_piece", field="Chunk-Seq", number_count=command.number)
        return False
    if stream.ended_at is not None or stream.size_bytes + len(command.content) > STREAM_LIMIT_BYTES:
        raise Conflict("agent.stream_over", field="Upload-Id")
    streams.append(session, stream.id, command.number, command.content)
    return True


def _is_due(session: Session, stream: UploadRow, *, is_over: bool, now: datetime) -> bool:
    """A run that is under way reads on by itself when it sees that the stream ended."""
    if stream.job_id is None:
        return True
    try:
        job = jobs.get_job(session, stream.job_id)
    except NotFound:
        return True
    if not job.is_finished or job.started_at is None or job.finished_at is None:
        return False
    return is_over or now - job.finished_at >= max(READ_EVERY, READ_SHARE * (job.finished_at - job.started_at))


def _board(session: Session, node: Mapping[str, Any] | None) -> str | None:
    """The board's slug where all GPUs of the node bear one name that is a board's; a name that fits several is asked about on the page."""
    names = {gpu["name"] for gpu in (node or {}).get("gpus", ())}
    if len(names) != 1:
        return None
    slug = names.pop().casefold().removeprefix("nvidia ").replace(" ", "-")
    return slug if any(gpu.slug == slug for gpu in catalogue.current(session).gpus) else None
