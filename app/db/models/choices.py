"""The configuration that a project goes on with."""

from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Timestamps


class ChoiceModel(Timestamps, Base):
    """Which candidate of the plan was chosen, by its parts, and what the plan was computed from (`inputs_key`) when it was."""

    __tablename__ = "choices"

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    gpu: Mapped[str]
    server: Mapped[str]
    gpu_count: Mapped[int]
    node_count: Mapped[int]
    duration_low_s: Mapped[float | None]
    duration_s: Mapped[float | None]
    duration_high_s: Mapped[float | None]
    inputs_key: Mapped[str]
    catalogue_revision: Mapped[str | None]
