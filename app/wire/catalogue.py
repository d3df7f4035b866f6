"""GPUs and prices as the contract's JSON: keys carry their unit, money is an amount in text with its currency."""

from dataclasses import fields
from decimal import Decimal
from typing import Any

from app.domain.catalogue.hardware import Gpu
from app.domain.catalogue.prices import PurchasePrice, RentalPrice
from app.domain.catalogue.source import Source
from app.domain.units import as_gb_per_s, as_gib, as_tflops

CONVERTED = {
    "_bytes_per_s": ("_gbps", as_gb_per_s),
    "_bytes": ("_gib", as_gib),
    "_flops": ("_tflops", as_tflops),
}


def gpu_json(gpu: Gpu) -> dict[str, Any]:
    """A GPU with all its figures; null: nobody published it."""
    return _object(gpu)


def purchase_json(price: PurchasePrice) -> dict[str, Any]:
    """A purchase price."""
    document = _object(price)
    return document | {
        "unit_price": money_json(price.unit_price, price.currency),
        "price_per_gpu": money_json(price.price_per_gpu, price.currency),
    }


def rental_json(price: RentalPrice) -> dict[str, Any]:
    """A rental price per hour."""
    document = _object(price)
    return document | {
        "hourly_price": money_json(price.hourly_price, price.currency),
        "hourly_price_per_gpu": money_json(price.hourly_price_per_gpu, price.currency),
    }


def money_json(amount: Decimal | None, currency: str) -> dict[str, str] | None:
    """An amount in its currency."""
    return None if amount is None else {"amount": str(amount), "currency": currency}


def _object(row: Any) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for item in fields(row):
        name, value = item.name, getattr(row, item.name)
        for ending, (unit, convert) in CONVERTED.items():
            if name.endswith(ending):
                name = name.removesuffix(ending) + unit
                value = None if value is None else round(convert(value), 6)
                break
        document[name] = _plain(value)
    return document


def _plain(value: Any) -> Any:
    if isinstance(value, Source):
        return {"title": value.title, "url": value.url, "on": value.on, "evidence": value.evidence.value}
    if isinstance(value, Decimal):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
