"""Prices for tests."""

from decimal import Decimal
from typing import Any

from app.domain.catalogue.prices import PurchasePrice, RentalPrice
from app.domain.catalogue.source import Evidence, Source

SOURCE = Source(title="a price list", url="https://example.com/prices", on="2026-09", evidence=Evidence.CONFIRMED)


def a_rental_price(**changes: Any) -> RentalPrice:
    """One GPU for 2 USD an hour, on demand."""
    fields: dict[str, Any] = {
        "provider": "cloud",
        "sku": "one-gpu",
        "gpu_quoted": "A100 80GB",
        "gpu_slug": "a100-sxm4-80gb",
        "gpu_count": 1,
        "vcpu_count": None,
        "memory_gb": None,
        "commitment": "on-demand",
        "hourly_price": Decimal(2),
        "hourly_price_per_gpu": Decimal(2),
        "currency": "USD",
        "region": "US",
        "on": "2026-09",
        "confidence": "high",
        "notes": "",
        "source": SOURCE,
    }
    return RentalPrice(**fields | changes)


def a_purchase_price(**changes: Any) -> PurchasePrice:
    """One card for 8 000 USD."""
    fields: dict[str, Any] = {
        "item": "a100-80gb-pcie",
        "gpu_slug": "a100-pcie-80gb",
        "unit": "gpu",
        "gpus_per_unit_count": 1,
        "unit_price": Decimal(8000),
        "currency": "USD",
        "price_per_gpu": Decimal(8000),
        "quantity_count": 1,
        "condition": "new",
        "region": "US",
        "seller_type": "reseller",
        "tax": "excl",
        "on": "2026-09",
        "confidence": "high",
        "notes": "",
        "source": SOURCE,
    }
    return PurchasePrice(**fields | changes)
