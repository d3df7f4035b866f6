"""The configuration that a project goes on with."""

from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Json, Timestamps


class ChoiceModel(Timestamps, Base):
    """Which candidate of the plan was chosen, by its parts, and what the plan was computed from (`inputs_key`) when it was."""

    __tablename__ = "choices"

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    gpu: Mapped[str]
    server: Mapped[str]
    gpu_count: Mapped[int]
    node_count: Mapped[int]
    duration_s: Mapped[float | None]
    inputs_key: Mapped[str]
    catalogue_revision: Mapped[str | None]


class WeightsModel(Timestamps, Base):
    """What a project's people let its roles weigh: role → merit → weight. A role that is not there weighs as policy says."""

    __tablename__ = "project_weights"

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    weights: Mapped[Json]
