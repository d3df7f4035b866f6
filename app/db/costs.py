"""Replaced cost inputs in the database."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from app.db.engine import Session
from app.db.models.costs import CostOverrideModel
from app.domain.cost.inputs import Override
from app.domain.money import Currency


def of_project(session: Session, project_id: UUID) -> Mapping[str, Override]:
    """The overrides of a project by key."""
    models = session.scalars(select(CostOverrideModel).where(CostOverrideModel.project_id == project_id).order_by(CostOverrideModel.key))
    return {model.key: Override(value=model.value, currency=Currency(model.currency) if model.currency else None) for model in models}


def store(session: Session, project_id: UUID, key: str, override: Override) -> None:
    """Puts an override in place of an earlier one."""
    values = {"value": override.value, "currency": override.currency.value if override.currency else None}
    row = insert(CostOverrideModel).values(project_id=project_id, key=key, **values)
    session.execute(row.on_conflict_do_update(index_elements=["project_id", "key"], set_=values))


def remove(session: Session, project_id: UUID, key: str) -> None:
    """Goes back to the sourced value."""
    session.execute(delete(CostOverrideModel).where(CostOverrideModel.project_id == project_id, CostOverrideModel.key == key))
