"""Projects in the database."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, delete, desc, func, select

from app.db.engine import Session
from app.db.models.choices import ChoiceModel, WeightsModel
from app.db.models.costs import CostOverrideModel
from app.db.models.intake import IntakeQuestionModel
from app.db.models.projects import ProjectMemberModel, ProjectModel
from app.db.models.sheets import SheetModel
from app.db.models.telemetry import TelemetryUploadModel
from app.domain.errors import Conflict, NotFound
from app.domain.money import Currency

_PARTS = (
    (IntakeQuestionModel.project_id, IntakeQuestionModel.updated_at),
    (TelemetryUploadModel.project_id, TelemetryUploadModel.created_at),
    (TelemetryUploadModel.project_id, TelemetryUploadModel.removed_at),
    (ChoiceModel.project_id, ChoiceModel.updated_at),
    (WeightsModel.project_id, WeightsModel.updated_at),
    (CostOverrideModel.project_id, CostOverrideModel.updated_at),
    (SheetModel.project_id, SheetModel.issued_at),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRow:
    """What every page of a project knows about it. `updated_at` is the newest change to it or to any part of it."""

    id: UUID
    name: str
    currency: Currency
    published_case: str | None
    row_version: int
    created_at: datetime
    updated_at: datetime


def get(session: Session, project_id: UUID) -> ProjectRow:
    """One project. NotFound: there is none."""
    found = session.execute(_with_change().where(ProjectModel.id == project_id, ProjectModel.deleted_at.is_(None))).one_or_none()
    if found is None:
        raise NotFound("project.not_found")
    model, changed_at = found
    return _to_row(model, changed_at)


def rows(session: Session, *, member_id: UUID | None = None, only_id: UUID | None = None) -> tuple[ProjectRow, ...]:
    """Projects, the one changed last first: all, those of a member, or one."""
    query = _with_change().where(ProjectModel.deleted_at.is_(None))
    if member_id is not None:
        mine = select(ProjectMemberModel.project_id).where(ProjectMemberModel.user_id == member_id)
        query = query.where(ProjectModel.id.in_(mine))
    if only_id is not None:
        query = query.where(ProjectModel.id == only_id)
    found = session.execute(query.order_by(desc("changed_at"), ProjectModel.id))
    return tuple(_to_row(model, changed_at) for model, changed_at in found)


def add(session: Session, name: str, currency: Currency, made_by_id: UUID, published_case: str | None = None) -> UUID:
    """Stores a new project; the caller handles the IntegrityError of a taken name."""
    model = ProjectModel(name=name, currency=currency.value, made_by_id=made_by_id, published_case=published_case)
    session.add(model)
    session.flush()
    return model.id


def change(session: Session, project_id: UUID, *, name: str, currency: Currency, row_version: int | None) -> None:
    """Renames or re-denominates. Conflict: somebody changed it since `row_version` was read."""
    model = session.get(ProjectModel, project_id, with_for_update={"key_share": True})
    if model is None:
        raise NotFound("project.not_found")
    if (model.name, model.currency) == (name, currency.value):
        return
    if row_version is not None and model.row_version != row_version:
        raise Conflict("project.stale")
    model.name, model.currency = name, currency.value
    session.flush()


def mark_deleted(session: Session, project_id: UUID, at: datetime | None) -> None:
    """Deletes the project so that it can be brought back, or with None brings it back; the caller handles the IntegrityError of a taken name."""
    _model(session, project_id).deleted_at = at
    session.flush()


def find_deleted(session: Session, project_id: UUID) -> str | None:
    """The name of a project that can be brought back."""
    return session.scalar(select(ProjectModel.name).where(ProjectModel.id == project_id, ProjectModel.deleted_at.is_not(None)))


def forget_deleted(session: Session, before: datetime) -> None:
    """Removes projects deleted before that and, by the foreign keys, everything that belongs to them."""
    session.execute(delete(ProjectModel).where(ProjectModel.deleted_at < before))


def _model(session: Session, project_id: UUID) -> ProjectModel:
    model = session.get(ProjectModel, project_id)
    if model is None:
        raise NotFound("project.not_found")
    return model


def _with_change() -> Select[ProjectModel, datetime]:
    # Read from the parts, not noted at the project: whoever saves a part need not lock the project or think of this.
    newest = [
        select(func.max(column)).where(project_id == ProjectModel.id).correlate(ProjectModel).scalar_subquery()
        for project_id, column in _PARTS
    ]
    return select(ProjectModel, func.greatest(ProjectModel.updated_at, *newest).label("changed_at"))


def _to_row(model: ProjectModel, changed_at: datetime) -> ProjectRow:
    return ProjectRow(
        id=model.id,
        name=model.name,
        currency=Currency(model.currency),
        published_case=model.published_case,
        row_version=model.row_version,
        created_at=model.created_at,
        updated_at=changed_at,
    )
