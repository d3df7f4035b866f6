"""Prices to buy and to rent. A price has no name: its address is a hash of what tells it from all others."""

from hashlib import sha256

from app.domain.catalogue.invariants import natural_key
from app.domain.catalogue.prices import PurchasePrice, RentalPrice
from app.domain.catalogue.quotes import find_purchases, find_rentals
from app.web.forms.catalogue import PriceFilter
from app.web.nouns.noun import WORDS, FilterField, Noun

LIKE_A_NAME_LENGTH = 10


def _filters(kind: str) -> tuple[FilterField, ...]:
    choices = (("gpu", "gpu_slug"), ("currency", "currency"), ("region", "region"), ("kind", kind), ("confidence", "confidence"))
    return (WORDS, *(FilterField(name, "choice", field) for name, field in choices), FilterField("fresh", "tick"))


def _identify(table: str, price: PurchasePrice | RentalPrice) -> str:
    return sha256(natural_key(table, price).encode()).hexdigest()[:LIKE_A_NAME_LENGTH]


PURCHASE = Noun(
    key="purchase",
    table="purchase_prices",
    find=find_purchases,
    form=PriceFilter,
    filters=_filters("condition"),
    title=lambda price: str(price.gpu_slug or price.item),
    identify=lambda price: _identify("purchase_prices", price),
    columns=("price_per_gpu", "unit", "gpus_per_unit_count", "unit_price", "on", "confidence", "condition", "region", "tax", "seller_type"),
    groups={
        "price": ("unit_price", "unit", "gpus_per_unit_count", "price_per_gpu", "quantity_count"),
        "general": ("item", "gpu_slug", "condition", "tax", "region", "seller_type", "currency", "on", "confidence"),
    },
)
RENTAL = Noun(
    key="rental",
    table="rental_prices",
    find=find_rentals,
    form=PriceFilter,
    filters=_filters("commitment"),
    title=lambda price: str(price.gpu_slug or price.gpu_quoted),
    identify=lambda price: _identify("rental_prices", price),
    columns=("hourly_price_per_gpu", "provider", "commitment", "region", "on", "confidence", "sku", "gpu_count", "hourly_price"),
    groups={
        "price": ("hourly_price_per_gpu", "hourly_price", "commitment", "currency"),
        "general": ("provider", "sku", "gpu_quoted", "gpu_slug", "gpu_count", "vcpu_count", "memory_gb", "region", "on", "confidence"),
    },
)
