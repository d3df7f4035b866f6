"""What people put in place of an input of a project's cost."""

from decimal import Decimal
from uuid import UUID

from sqlalchemy import ForeignKey, Numeric
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, MoneyAmount, Timestamps


class CostOverrideModel(Timestamps, Base):
    """One replaced input: its key, the value, the currency where it is money, who put it there, and for which configuration (none: for all;
    "?": nobody recorded it)."""

    __tablename__ = "cost_overrides"

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    configuration: Mapped[str] = mapped_column(primary_key=True, server_default="")
    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[Decimal] = mapped_column(Numeric(24, 8))
    currency: Mapped[str | None]
    changed_by: Mapped[str | None]


class CostSummaryModel(Timestamps, Base):
    """What the project's configuration cost when somebody last chose it or changed an input: the one line that the rail shows."""

    __tablename__ = "cost_summaries"

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    currency: Mapped[str]
    total: Mapped[MoneyAmount]
    low: Mapped[MoneyAmount]
    high: Mapped[MoneyAmount]
    month_count: Mapped[int]
    break_even_ratio: Mapped[float | None]
    cheaper: Mapped[str | None]
