"""The intake as people typed it: raw evidence, one row a question, so that five pages can be saved by five people."""

from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Timestamps


class IntakeQuestionModel(Timestamps, Base):
    """One question's page as last saved: the text of each field, and the fields answered with “don't know”."""

    __tablename__ = "intake_questions"
    __table_args__ = (CheckConstraint("question IN ('data', 'model', 'training', 'software', 'operations')", name="question"),)

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    question: Mapped[str] = mapped_column(primary_key=True)
    texts: Mapped[dict[str, Any]] = mapped_column(JSONB)
    unknown: Mapped[list[str]] = mapped_column(JSONB)
    row_version: Mapped[int] = mapped_column(server_default="1", default=1)

    __mapper_args__ = {"version_id_col": row_version}  # noqa: RUF012 -- SQLAlchemy reads a plain dict here
