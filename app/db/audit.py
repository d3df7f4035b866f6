"""What people did, in the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select

from app.db.engine import Session
from app.db.models.audit import AuditEventModel


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """Something somebody did. `by` is a name as it was then; empty: the command line."""

    at: datetime
    by: str
    action: str
    params: Mapping[str, str]
    project_id: UUID | None


def add(session: Session, by: str, action: str, params: Mapping[str, str], project_id: UUID | None = None) -> None:
    """Notes what was done, in the transaction that does it."""
    session.add(AuditEventModel(by=by, action=action, params=dict(params), project_id=project_id))
    session.flush()


def events(session: Session, *, before: datetime | None, limit: int, actions: Sequence[str], by: str | None = None) -> list[AuditEvent]:
    """The newest of these actions before a moment, by anybody or one person."""
    model = AuditEventModel
    query = select(model).where(model.action.in_(actions)).order_by(model.at.desc(), model.id).limit(limit)
    query = query if before is None else query.where(model.at < before)
    query = query if by is None else query.where(model.by == by)
    return [
        AuditEvent(at=row.at, by=row.by, action=row.action, params=row.params, project_id=row.project_id) for row in session.scalars(query)
    ]
