"""Who did what, as far as no other table remembers it."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, func
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Id, Json


class AuditEventModel(Base):
    """Something somebody did: `action` is the code of a sentence, `params` what stands in it. Nothing changes or removes it."""

    __tablename__ = "audit_events"
    __table_args__ = (Index(None, "at"),)

    id: Mapped[Id]
    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())  # several of one transaction keep their order
    by: Mapped[str]
    action: Mapped[str]
    params: Mapped[Json]
    project_id: Mapped[UUID | None]
