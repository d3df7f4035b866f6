"""What people put in place of an input of a project's cost."""

from decimal import Decimal
from uuid import UUID

from sqlalchemy import ForeignKey, Numeric
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Timestamps


class CostOverrideModel(Timestamps, Base):
    """One replaced input: its key, the value, and the currency where it is money."""

    __tablename__ = "cost_overrides"

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[Decimal] = mapped_column(Numeric(24, 8))
    currency: Mapped[str | None]
