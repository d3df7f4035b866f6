"""Projects and who belongs to them."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Id, Timestamps


class ProjectModel(Timestamps, Base):
    """One dossier: a workload, its evidence, the options, their cost and the sheets. With `deleted_at` it is there for whoever brings it back."""

    __tablename__ = "projects"
    __table_args__ = (
        CheckConstraint("currency IN ('USD', 'CNY')", name="currency"),
        Index("projects_name_key", "name", unique=True, postgresql_where=text("deleted_at IS NULL")),
    )

    id: Mapped[Id]
    name: Mapped[str]
    currency: Mapped[str]
    published_case: Mapped[str | None]
    made_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    deleted_at: Mapped[datetime | None]
    row_version: Mapped[int] = mapped_column(server_default="1", default=1)

    __mapper_args__ = {"version_id_col": row_version}  # noqa: RUF012 -- SQLAlchemy reads a plain dict here


class ProjectMemberModel(Base):
    """A user who belongs to a project; what they may do there follows from their role."""

    __tablename__ = "project_members"

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    added_at: Mapped[datetime] = mapped_column(server_default=func.now())
