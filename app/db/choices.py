"""Chosen configurations, and what a project lets its roles weigh, in the database."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from app.db.engine import Session
from app.db.models.choices import ChoiceModel, WeightsModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A configuration by its parts, how long its run takes, the key of what the plan was computed from and its catalogue's revision."""

    gpu: str
    server: str
    gpu_count: int
    node_count: int
    duration_s: float | None
    inputs_key: str
    catalogue_revision: str | None


def find(session: Session, project_id: UUID) -> Choice | None:
    """The choice of a project, if somebody asked for options yet."""
    model = session.scalar(select(ChoiceModel).where(ChoiceModel.project_id == project_id))
    return None if model is None else Choice(**{name: getattr(model, name) for name in Choice.__dataclass_fields__})


def store(session: Session, project_id: UUID, choice: Choice) -> None:
    """Keeps a choice in place of an earlier one."""
    values = asdict(choice)
    session.execute(
        insert(ChoiceModel)
        .values(project_id=project_id, **values)
        .on_conflict_do_update(index_elements=["project_id"], set_={**values, "updated_at": func.now()})
    )


def find_weights(session: Session, project_id: UUID) -> Mapping[str, Mapping[str, float]]:
    """Role → merit → weight, as far as the project says."""
    return session.scalar(select(WeightsModel.weights).where(WeightsModel.project_id == project_id)) or {}


def store_weights(session: Session, project_id: UUID, weights: Mapping[str, Mapping[str, float]]) -> None:
    """Keeps weights in place of earlier ones; none: policy holds again."""
    values = {"weights": {role: dict(parts) for role, parts in weights.items()}}
    row = insert(WeightsModel).values(project_id=project_id, **values)
    session.execute(row.on_conflict_do_update(index_elements=["project_id"], set_={**values, "updated_at": func.now()}))
