"""Saved question pages in the database."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.engine import Session
from app.db.models.intake import IntakeQuestionModel
from app.domain.errors import Conflict
from app.domain.intake.draft import Typed


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedQuestion:
    """One question as last saved. `row_version` 0: never."""

    question: str
    typed: Typed = field(default_factory=Typed)
    row_version: int = 0
    updated_at: datetime | None = None


def of_project(session: Session, project_id: UUID) -> Mapping[str, SavedQuestion]:
    """The saved questions of a project by key."""
    return of_projects(session, [project_id]).get(project_id, {})


def of_projects(session: Session, project_ids: Iterable[UUID]) -> Mapping[UUID, Mapping[str, SavedQuestion]]:
    """The saved questions of several projects, in one query."""
    found: dict[UUID, dict[str, SavedQuestion]] = {}
    for model in session.scalars(select(IntakeQuestionModel).where(IntakeQuestionModel.project_id.in_(list(project_ids)))):
        found.setdefault(model.project_id, {})[model.question] = _to_domain(model)
    return found


def save(session: Session, project_id: UUID, question: str, typed: Typed, row_version: int) -> None:
    """Stores a question's page. Conflict: somebody saved it since `row_version` was read."""
    values = {"texts": dict(typed.texts), "unknown": sorted(typed.unknown)}
    key = (project_id, question)
    model = session.get(IntakeQuestionModel, key, with_for_update={"key_share": True}, populate_existing=True)
    if model is None:
        row = insert(IntakeQuestionModel).values(project_id=project_id, question=question, row_version=1, **values)
        stored = session.execute(row.on_conflict_do_nothing().returning(IntakeQuestionModel.question)).first()
        if row_version != 0 or stored is None:
            raise Conflict("intake.stale")
        return
    if _to_domain(model).typed == typed:
        return
    if model.row_version != row_version:
        raise Conflict("intake.stale")
    model.texts, model.unknown = dict(typed.texts), sorted(typed.unknown)
    session.flush()


def _to_domain(model: IntakeQuestionModel) -> SavedQuestion:
    return SavedQuestion(
        question=model.question,
        typed=Typed(texts={path: str(text) for path, text in model.texts.items()}, unknown=frozenset(model.unknown)),
        row_version=model.row_version,
        updated_at=model.updated_at,
    )
