"""Prices as a buyer should look at them: how old they are, and which stand out from their like."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from math import exp, log
from statistics import median
from typing import Generic, TypeVar

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.prices import PurchasePrice, RentalPrice
from app.domain.catalogue.search import matches

RENTAL_STALE_MONTHS = 12
PURCHASE_STALE_MONTHS = 18  # list and marketplace prices of cards move more slowly than clouds’ prices
LIKE_COUNT = 4  # fewer prices show no outlier
MAD_TO_SIGMA = 1.4826  # normal distribution
OUTLIER_SIGMA = 3.5  # Iglewicz and Hoaglin, 1993
LEAST_FACTOR = 2.0  # prices within twice the median are never suspicious

PriceT = TypeVar("PriceT", PurchasePrice, RentalPrice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged(Generic[PriceT]):
    """A price, its age in months, whether it is stale, and by which factor of the median of its like it stands out, if it does."""

    price: PriceT
    age_months: int
    is_stale: bool
    outlier_ratio: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PricesWanted:
    """Which prices: empty texts ask for nothing."""

    words: str = ""
    gpu_slug: str = ""
    currency: str = ""
    region: str = ""
    kind: str = ""  # condition of a purchase, commitment of a rental
    confidence: str = ""
    is_fresh_only: bool = False


def age_months(on: str, today: date) -> int:
    """Whole months since a year, a month or a day; a year counts from its middle."""
    year, _, rest = on.partition("-")
    month = int(rest[:2]) if rest else 6
    return max(0, (today.year - int(year)) * 12 + today.month - month)


def judge_purchases(prices: Sequence[PurchasePrice], today: date) -> tuple[Judged[PurchasePrice], ...]:
    """Purchase prices with their age; like are those of one GPU (or item), currency, condition and kind of unit."""
    return _judge(
        prices,
        today,
        lambda price: (price.gpu_slug or price.item, price.currency, price.condition, price.unit),
        lambda price: price.price_per_gpu if price.price_per_gpu is not None else price.unit_price,
        PURCHASE_STALE_MONTHS,
    )


def judge_rentals(prices: Sequence[RentalPrice], today: date) -> tuple[Judged[RentalPrice], ...]:
    """Rental prices with their age; like are those of one GPU, currency and commitment."""
    return _judge(
        prices,
        today,
        lambda price: (price.gpu_slug or price.gpu_quoted, price.currency, price.commitment),
        lambda price: price.hourly_price_per_gpu,
        RENTAL_STALE_MONTHS,
    )


def find_purchases(catalogue: Catalogue, wanted: PricesWanted, today: date) -> tuple[Judged[PurchasePrice], ...]:
    """Purchase prices that meet every condition, newest first."""
    judged = judge_purchases(catalogue.purchase_prices, today)
    found = (
        item for item in judged if _suits(item, wanted, item.price.condition, (item.price.item, item.price.seller_type, item.price.notes))
    )
    return tuple(sorted(found, key=lambda item: item.price.on, reverse=True))


def find_rentals(catalogue: Catalogue, wanted: PricesWanted, today: date) -> tuple[Judged[RentalPrice], ...]:
    """Rental prices that meet every condition, newest first."""
    judged = judge_rentals(catalogue.rental_prices, today)
    found = (
        item for item in judged if _suits(item, wanted, item.price.commitment, (item.price.provider, item.price.sku, item.price.gpu_quoted))
    )
    return tuple(sorted(found, key=lambda item: item.price.on, reverse=True))


def _suits(item: Judged[PriceT], wanted: PricesWanted, kind: str, texts: tuple[str, ...]) -> bool:
    price = item.price
    return (
        matches(wanted.words, (*texts, price.gpu_slug, price.region, price.source.title))
        and wanted.gpu_slug in ("", price.gpu_slug)
        and wanted.currency in ("", price.currency)
        and wanted.region in ("", price.region)
        and wanted.kind in ("", kind)
        and wanted.confidence in ("", price.confidence)
        and not (wanted.is_fresh_only and item.is_stale)
    )


def _judge(
    prices: Sequence[PriceT],
    today: date,
    like: Callable[[PriceT], Hashable],
    per_gpu: Callable[[PriceT], Decimal],
    stale_months: int,
) -> tuple[Judged[PriceT], ...]:
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for price in prices:
        groups[like(price)].append(log(per_gpu(price)))
    centres = {key: (median(values), _scale(values), len(values)) for key, values in groups.items()}
    judged = []
    for price in prices:
        age = age_months(price.on, today)
        ratio = _outlier_ratio(log(per_gpu(price)), *centres[like(price)])
        judged.append(Judged(price=price, age_months=age, is_stale=age > stale_months, outlier_ratio=ratio))
    return tuple(judged)


def _scale(values: Sequence[float]) -> float:
    centre = median(values)
    return MAD_TO_SIGMA * median(abs(value - centre) for value in values)


def _outlier_ratio(value: float, centre: float, sigma: float, count: int) -> float | None:
    """price ÷ median of its like, when its logarithm lies more than 3.5 robust standard deviations and a factor of two away."""
    distance = abs(value - centre)
    if count < LIKE_COUNT or distance <= max(OUTLIER_SIGMA * sigma, log(LEAST_FACTOR)):
        return None
    return exp(value - centre)
