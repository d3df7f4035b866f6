"""Projects."""

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Id, Timestamps


class ProjectModel(Timestamps, Base):
    """One dossier: a workload, its evidence, the options, their cost and the sheets."""

    __tablename__ = "projects"
    __table_args__ = (CheckConstraint("currency IN ('USD', 'CNY')", name="currency"),)

    id: Mapped[Id]
    name: Mapped[str] = mapped_column(unique=True)
    currency: Mapped[str]
    published_case: Mapped[str | None]
    row_version: Mapped[int] = mapped_column(server_default="1", default=1)

    __mapper_args__ = {"version_id_col": row_version}  # noqa: RUF012 -- SQLAlchemy reads a plain dict here
