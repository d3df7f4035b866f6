"""Replaced cost inputs in the database."""

from dataclasses import asdict, dataclass
from decimal import Decimal
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from app.db.engine import Session
from app.db.models.costs import CostOverrideModel, CostSummaryModel
from app.db.models.intake import IntakeQuestionModel
from app.domain.cost.inputs import Override, Overrides
from app.domain.money import Currency


def of_project(session: Session, project_id: UUID) -> Overrides:
    """The overrides of a project by configuration and key."""
    found: dict[str, dict[str, Override]] = {}
    query = select(CostOverrideModel).where(CostOverrideModel.project_id == project_id)
    for model in session.scalars(query.order_by(CostOverrideModel.configuration, CostOverrideModel.key)):
        found.setdefault(model.configuration, {})[model.key] = Override(
            value=model.value,
            currency=Currency(model.currency) if model.currency else None,
            by=model.changed_by,
            on=model.updated_at.date(),
        )
    return found


def store(session: Session, project_id: UUID, configuration: str, key: str, override: Override) -> None:
    """Puts an override in place of an earlier one."""
    values = {"value": override.value, "currency": override.currency.value if override.currency else None, "changed_by": override.by}
    row = insert(CostOverrideModel).values(project_id=project_id, configuration=configuration, key=key, **values)
    stored = row.on_conflict_do_update(index_elements=["project_id", "configuration", "key"], set_={**values, "updated_at": func.now()})
    session.execute(stored)


def remove(session: Session, project_id: UUID, configuration: str, key: str) -> bool:
    """Goes back to the sourced value; False: it was that before."""
    mine = {"project_id": project_id, "configuration": configuration, "key": key}
    return session.scalar(delete(CostOverrideModel).filter_by(**mine).returning(CostOverrideModel.key)) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSummary:
    """The cost in one line: owning over the plan with its range; from which use on it beats renting, or which is always cheaper."""

    currency: str
    total: Decimal
    low: Decimal
    high: Decimal
    month_count: int
    break_even_ratio: float | None
    cheaper: str | None


def find_summary(session: Session, project_id: UUID) -> CostSummary | None:
    """The last stored line of a project."""
    model = session.scalar(select(CostSummaryModel).where(CostSummaryModel.project_id == project_id))
    return None if model is None else CostSummary(**{name: getattr(model, name) for name in CostSummary.__dataclass_fields__})


def store_summary(session: Session, project_id: UUID, summary: CostSummary) -> None:
    """Keeps a line in place of an earlier one."""
    values = asdict(summary)
    row = insert(CostSummaryModel).values(project_id=project_id, **values)
    session.execute(row.on_conflict_do_update(index_elements=["project_id"], set_={**values, "updated_at": func.now()}))


def is_behind_answers(session: Session, project_id: UUID) -> bool:
    """Whether an answer was saved after the line was stored."""
    stored_at = select(CostSummaryModel.updated_at).where(CostSummaryModel.project_id == project_id).scalar_subquery()
    later = select(IntakeQuestionModel.question).where(
        IntakeQuestionModel.project_id == project_id, IntakeQuestionModel.updated_at > stored_at
    )
    return session.scalar(select(later.exists())) or False
