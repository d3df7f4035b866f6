"""Background jobs as people see them. The queue itself is Procrastinate's own tables."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, BigInt, Id, Json


class JobModel(Base):
    """One piece of background work: what, for which project, how far, and how it ended."""

    __tablename__ = "jobs"
    __table_args__ = (
        CheckConstraint("state IN ('queued', 'running', 'failed', 'succeeded')", name="state"),
        CheckConstraint("progress_ratio >= 0 AND progress_ratio <= 1", name="progress"),
    )

    id: Mapped[Id]
    kind: Mapped[str]
    project_id: Mapped[UUID | None] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    arguments: Mapped[Json]
    state: Mapped[str] = mapped_column(server_default="queued", default="queued")
    progress_ratio: Mapped[float | None]
    result: Mapped[Json | None]
    failure_code: Mapped[str | None]
    failure_params: Mapped[Json | None]
    attempts: Mapped[int] = mapped_column(server_default="0", default=0)
    queue_id: Mapped[BigInt | None]
    lock_token: Mapped[UUID | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
