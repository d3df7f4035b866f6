"""Purchase prices, rental prices and cost factors. Amounts keep the digits they were quoted with."""

from decimal import Decimal

from sqlalchemy import Numeric
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base
from app.db.models.catalogue import Fact


class PurchasePriceModel(Fact, Base):
    """What somebody asked or paid."""

    __tablename__ = "purchase_prices"

    item: Mapped[str]
    gpu_slug: Mapped[str | None]
    unit: Mapped[str]
    gpus_per_unit_count: Mapped[int]
    unit_price: Mapped[Decimal] = mapped_column(Numeric())
    currency: Mapped[str]
    price_per_gpu: Mapped[Decimal | None] = mapped_column(Numeric())
    quantity_count: Mapped[int | None]
    condition: Mapped[str]
    region: Mapped[str]
    seller_type: Mapped[str]
    tax: Mapped[str]
    on: Mapped[str]
    confidence: Mapped[str]
    notes: Mapped[str]


class RentalPriceModel(Fact, Base):
    """What an instance costs per hour."""

    __tablename__ = "rental_prices"

    provider: Mapped[str]
    sku: Mapped[str]
    gpu_quoted: Mapped[str]
    gpu_slug: Mapped[str | None]
    gpu_count: Mapped[int]
    vcpu_count: Mapped[float | None]
    memory_gb: Mapped[float | None]
    commitment: Mapped[str]
    hourly_price: Mapped[Decimal] = mapped_column(Numeric())
    hourly_price_per_gpu: Mapped[Decimal] = mapped_column(Numeric())
    currency: Mapped[str]
    region: Mapped[str]
    on: Mapped[str]
    confidence: Mapped[str]
    notes: Mapped[str]


class CostFactorModel(Fact, Base):
    """A factor of the cost tables."""

    __tablename__ = "cost_factors"

    key: Mapped[str]
    group: Mapped[str]
    factor: Mapped[str]
    low: Mapped[Decimal | None] = mapped_column(Numeric())
    typical: Mapped[Decimal | None] = mapped_column(Numeric())
    high: Mapped[Decimal | None] = mapped_column(Numeric())
    unit: Mapped[str]
    region: Mapped[str]
    on: Mapped[str]
    confidence: Mapped[str]
    notes: Mapped[str]
