"""Uploads that grow: an agent's pieces, each counted once. The stream's id is the upload's, chosen by the agent; its file is kept under that id."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db import files
from app.db.engine import Session
from app.db.models.telemetry import TelemetryUploadModel
from app.db.telemetry import UploadRow, to_row


def lock(session: Session, upload_id: UUID) -> UploadRow | None:
    """The stream as it stands, whosever it is; nobody else adds to it until the transaction ends. None: there is none."""
    query = select(TelemetryUploadModel).where(TelemetryUploadModel.id == upload_id).with_for_update()
    model = session.scalar(query.execution_options(populate_existing=True))
    return None if model is None else to_row(model)


def begin(session: Session, *, upload_id: UUID, project_id: UUID, agent: str, now: datetime) -> None:
    """A stream without pieces; nothing happens where the id is taken, which `lock` then tells."""
    files.begin(session, _key(upload_id))
    row = insert(TelemetryUploadModel).values(
        id=upload_id, project_id=project_id, content_hash=_key(upload_id), name=agent, agent=agent, size_bytes=0, heard_at=now
    )
    session.execute(row.on_conflict_do_nothing(index_elements=["id"]))


def find_piece(session: Session, upload_id: UUID, number: int) -> bytes | None:
    """What came under that number."""
    return files.find_piece(session, _key(upload_id), number)


def append(session: Session, upload_id: UUID, number: int, piece: bytes) -> None:
    """Adds what came under that number."""
    files.append(session, _key(upload_id), number, piece)
    grown = TelemetryUploadModel.size_bytes + len(piece)
    session.execute(update(TelemetryUploadModel).where(TelemetryUploadModel.id == upload_id).values(size_bytes=grown))


def hear(session: Session, upload_id: UUID, *, node: Mapping[str, Any] | None, gpu: str | None, now: datetime, is_over: bool) -> None:
    """Notes that the agent was heard, and what it says of its machine. A board that people named stays."""
    values: dict[str, Any] = {"heard_at": now, "gpu": func.coalesce(TelemetryUploadModel.gpu, gpu)}
    if node is not None:
        values["node"] = dict(node)
    if is_over:
        values["ended_at"] = now
    session.execute(update(TelemetryUploadModel).where(TelemetryUploadModel.id == upload_id).values(**values))


def _key(upload_id: UUID) -> str:
    return f"stream-{upload_id}"
