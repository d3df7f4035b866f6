"""Issued configuration sheets."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Id


class SheetModel(Base):
    """One issue of a project's sheet. The document is kept as text, byte for byte what was hashed; a trigger refuses every change."""

    __tablename__ = "sheets"
    __table_args__ = (UniqueConstraint("project_id", "number"), CheckConstraint("number > 0", name="number"))

    id: Mapped[Id]
    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    number: Mapped[int]
    document: Mapped[str]
    sha256: Mapped[str]
    issued_at: Mapped[datetime]
    issued_by: Mapped[str]
