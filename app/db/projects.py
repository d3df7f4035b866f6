"""Projects in the database."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select

from app.db.engine import Session
from app.db.models.projects import ProjectModel
from app.domain.errors import Conflict, NotFound
from app.domain.money import Currency


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRow:
    """What every page of a project knows about it."""

    id: UUID
    name: str
    currency: Currency
    published_case: str | None
    row_version: int
    created_at: datetime
    updated_at: datetime


def get(session: Session, project_id: UUID) -> ProjectRow:
    """One project. NotFound: there is none."""
    return _to_row(_model(session, project_id))


def all_rows(session: Session) -> tuple[ProjectRow, ...]:
    """Every project, the one changed last first."""
    return tuple(map(_to_row, session.scalars(select(ProjectModel).order_by(ProjectModel.updated_at.desc(), ProjectModel.id))))


def add(session: Session, name: str, currency: Currency, published_case: str | None = None) -> UUID:
    """Stores a new project; the caller handles the IntegrityError of a taken name."""
    model = ProjectModel(name=name, currency=currency.value, published_case=published_case)
    session.add(model)
    session.flush()
    return model.id


def change(session: Session, project_id: UUID, *, name: str, currency: Currency, row_version: int | None) -> None:
    """Renames or re-denominates. Conflict: somebody changed it since `row_version` was read."""
    model = session.get(ProjectModel, project_id, with_for_update={"key_share": True})
    if model is None:
        raise NotFound("project.not_found")
    if row_version is not None and model.row_version != row_version:
        raise Conflict("project.stale")
    model.name, model.currency = name, currency.value
    session.flush()


def touch(session: Session, project_id: UUID, now: datetime) -> None:
    """Notes that something inside the project changed."""
    _model(session, project_id).updated_at = now
    session.flush()


def delete(session: Session, project_id: UUID) -> None:
    """Removes the project and, by the foreign keys, everything that belongs to it."""
    session.delete(_model(session, project_id))
    session.flush()


def _model(session: Session, project_id: UUID) -> ProjectModel:
    model = session.get(ProjectModel, project_id)
    if model is None:
        raise NotFound("project.not_found")
    return model


def _to_row(model: ProjectModel) -> ProjectRow:
    return ProjectRow(
        id=model.id,
        name=model.name,
        currency=Currency(model.currency),
        published_case=model.published_case,
        row_version=model.row_version,
        created_at=model.created_at,
        updated_at=model.updated_at,
    )
