"""Dated, sourced prices and cost factors."""

from dataclasses import dataclass
from decimal import Decimal

from app.domain.catalogue.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class PurchasePrice:
    """What somebody asked or paid for a card, a board or a whole machine. `currency` is as quoted (USD, CNY, TWD)."""

    item: str
    gpu_slug: str | None
    unit: str  # gpu | server | workstation | rack | baseboard | switch
    gpus_per_unit_count: int
    unit_price: Decimal
    currency: str
    price_per_gpu: Decimal | None
    quantity_count: int | None
    condition: str
    region: str
    seller_type: str
    tax: str
    on: str
    confidence: str  # high | medium | low
    notes: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class RentalPrice:
    """What a provider asks for an instance, per hour."""

    provider: str
    sku: str
    gpu_quoted: str  # as the provider calls it, also for boards outside the catalogue
    gpu_slug: str | None
    gpu_count: int
    vcpu_count: float | None
    memory_gb: float | None
    commitment: str  # on-demand | 1y | 3y | spot | monthly | reserved-unspecified
    hourly_price: Decimal
    hourly_price_per_gpu: Decimal
    currency: str
    region: str
    on: str
    confidence: str
    notes: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class CostFactor:
    """A factor of the cost tables with the range seen. `typical` may be unknown where only a range was published.

    `key` is stable and unique, for example `electricity.us.industrial`; ratios in `unit` ("ratio", "fraction …") run 0…1."""

    key: str
    group: str
    factor: str
    low: Decimal | None
    typical: Decimal | None
    high: Decimal | None
    unit: str
    region: str
    on: str
    confidence: str
    notes: str
    source: Source
