"""GPUs and prices as the contract's JSON: keys carry their unit, money is an amount in text with its currency."""

from collections.abc import Callable
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
    return row_json(gpu)


def purchase_json(price: PurchasePrice) -> dict[str, Any]:
    """A purchase price."""
    document = row_json(price)
    return document | {
        "unit_price": money_json(price.unit_price, price.currency),
        "price_per_gpu": money_json(price.price_per_gpu, price.currency),
    }


def rental_json(price: RentalPrice) -> dict[str, Any]:
    """A rental price per hour."""
    document = row_json(price)
    return document | {
        "hourly_price": money_json(price.hourly_price, price.currency),
        "hourly_price_per_gpu": money_json(price.hourly_price_per_gpu, price.currency),
    }


def money_json(amount: Decimal | None, currency: str) -> dict[str, str] | None:
    """An amount in its currency."""
    return None if amount is None else {"amount": str(amount), "currency": currency}


def row_json(row: Any) -> dict[str, Any]:
    """Any row of the catalogue with all its fields."""
    document: dict[str, Any] = {}
    for item in fields(row):
        convert, value = _conversion(item.name), getattr(row, item.name)
        document[json_key(item.name)] = _plain(value if convert is None or value is None else round(convert(value), 6))
    return document


def json_key(field: str) -> str:
    """The key that a field has, with its unit."""
    return next((field.removesuffix(ending) + unit for ending, (unit, _) in CONVERTED.items() if field.endswith(ending)), field)


def _conversion(field: str) -> Callable[[Any], float] | None:
    return next((convert for ending, (_, convert) in CONVERTED.items() if field.endswith(ending)), None)


def _plain(value: Any) -> Any:
    if isinstance(value, Source):
        return {"title": value.title, "url": value.url, "on": value.on, "evidence": value.evidence.value}
    if isinstance(value, Decimal):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
