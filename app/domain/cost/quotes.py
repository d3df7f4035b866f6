"""One price from many dated ones, by a rule that is stated and the same everywhere.

Rows that count: new, in a plan currency (others are left out, there is no dated rate for them), offered by somebody (model assumptions and
worked examples are no offers). The home market of the plan's currency comes first when it has a row at most two years older than the newest
anywhere. Each source (for rents: each provider) has one vote a thing, its newest. A row weighs 3, 2 or 1 by confidence, halved for every
year (for rents: every half year) it is older than the newest. Typical is the weighted median; low and high are the weighted 10th and 90th
percentile, and at least as far off as the estimate class of the best row (PMI: definitive −5…+10 %, budget −10…+25 %, order of magnitude
−25…+75 %)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import TypeVar

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu
from app.domain.catalogue.prices import PurchasePrice, RentalPrice
from app.domain.cost.defaults import Default, default
from app.domain.cost.scenario import Commitment, Spread
from app.domain.errors import DataMissing
from app.domain.money import Currency, FxRate, Money

Row = TypeVar("Row", PurchasePrice, RentalPrice)
CONFIDENCE_WEIGHT = {"high": 3.0, "medium": 2.0, "low": 1.0}
ESTIMATE_CLASS = {  # shares of the typical price, by the best confidence among the rows
    "high": (Decimal("0.95"), Decimal("1.10")),
    "medium": (Decimal("0.90"), Decimal("1.25")),
    "low": (Decimal("0.75"), Decimal("1.75")),
}
PLAN_CURRENCIES = tuple(currency.value for currency in Currency)
HALF_LIFE_MONTHS = {PurchasePrice: 12, RentalPrice: 6}
FRESH_MONTHS = 24  # how much older than the newest row a preferred kind of row may be
NO_OFFER = ("model assumption", "given example")
MULTIPLIER = "hardware-structure.us.server-overhead-multiplier-on-gpu-price-"
MULTIPLIERS = {"Ampere": "a100", "Volta": "v100"}  # measured on these cards; the average for all others


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePrice:
    """What one GPU with its share of a server costs, in `currency`, and the rows that say so.

    `card` is the part of it that is the GPU; `multiplier` made the rest where only cards were quoted (None: whole servers were)."""

    low: Decimal
    typical: Decimal
    high: Decimal
    card: Decimal
    currency: Currency
    rows: tuple[PurchasePrice, ...]
    multiplier: Default
    left_out: tuple[str, ...] = ()  # currencies of rows for which there is no dated rate

    @property
    def is_whole_server(self) -> bool:
        """The rows are prices of whole machines."""
        return self.rows[0].unit in ("server", "rack", "workstation")

    @property
    def spread(self) -> Spread:
        """The range as shares of the typical price."""
        return Spread(low_ratio=float(self.low / self.typical), high_ratio=float(self.high / self.typical), source=cited(self.rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class RentPrice:
    """What one GPU-hour costs, in `currency`, and the rows that say so."""

    low: Decimal
    typical: Decimal
    high: Decimal
    currency: Currency
    rows: tuple[RentalPrice, ...]

    @property
    def spread(self) -> Spread:
        """The range as shares of the typical price."""
        return Spread(low_ratio=float(self.low / self.typical), high_ratio=float(self.high / self.typical), source=cited(self.rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    revision: str
    slug: str
    currency: Currency
    fx: FxRate
    commitment: Commitment | None = None
    catalogue: Catalogue = field(compare=False)
    gpu: Gpu = field(compare=False)


def reference_price(gpu: Gpu, catalogue: Catalogue, currency: Currency, fx: FxRate) -> ReferencePrice:
    """Whole-server quotes where they are fresh enough, else card quotes times the sourced multiplier. DataMissing: nobody quoted one."""
    return _reference_price(_Key(revision=catalogue.revision, slug=gpu.slug, currency=currency, fx=fx, catalogue=catalogue, gpu=gpu))


def rent_price(gpu: Gpu, catalogue: Catalogue, currency: Currency, fx: FxRate, commitment: Commitment) -> RentPrice:
    """The price of a GPU-hour under a commitment. DataMissing: nobody quoted one."""
    key = _Key(revision=catalogue.revision, slug=gpu.slug, currency=currency, fx=fx, commitment=commitment, catalogue=catalogue, gpu=gpu)
    return _rent_price(key)


def newest_on(rows: Sequence[PurchasePrice | RentalPrice]) -> str:
    """The date of the newest row."""
    return max(row.on for row in rows)


def months_of(on: str) -> int:
    """Months since year 0 of "2024", "2024-05" or "2024-05-31"; a bare year counts as its middle."""
    year, _, rest = on.partition("-")
    return int(year) * 12 + (int(rest[:2]) if rest else 6)


def cited(rows: Sequence[PurchasePrice | RentalPrice]) -> str:
    """The rows' sources, newest first, each once with its date."""
    newest = sorted(rows, key=lambda row: row.on, reverse=True)
    return "; ".join(dict.fromkeys(f"{row.source.title} ({row.on})" for row in newest))


@lru_cache(maxsize=4096)
def _reference_price(key: _Key) -> ReferencePrice:
    priced = [row for row in key.catalogue.purchase_prices if row.gpu_slug == key.slug and row.price_per_gpu]
    rows = [row for row in priced if _is_offer(row)]
    if not rows:
        raise DataMissing("cost.no_price", gpu=key.gpu.name)
    servers = [row for row in rows if row.unit in ("server", "rack")]
    cards = [row for row in rows if row.unit in ("gpu", "baseboard")] or [row for row in rows if row not in servers]
    suffix = MULTIPLIERS.get(key.gpu.architecture, "average")
    multiplier = default(key.catalogue, MULTIPLIER + suffix)
    if servers and (not cards or _newest(servers) >= _newest(cards) - FRESH_MONTHS):
        low, typical, high, used = _priced(_home(servers, key), key)
        card = typical / multiplier.typical
    else:
        low, card, high, used = _priced(_home(cards, key), key)
        low, typical, high = low * multiplier.low, card * multiplier.typical, high * multiplier.high
    return ReferencePrice(
        low=low,
        typical=typical,
        high=high,
        card=card,
        currency=key.currency,
        rows=tuple(used),
        multiplier=multiplier,
        left_out=tuple(sorted({row.currency for row in priced} - set(PLAN_CURRENCIES))),
    )


@lru_cache(maxsize=4096)
def _rent_price(key: _Key) -> RentPrice:
    assert key.commitment is not None
    wanted = key.commitment.value
    rows = [
        row
        for row in key.catalogue.rental_prices
        if row.gpu_slug == key.slug and row.commitment == wanted and row.currency in PLAN_CURRENCIES and row.hourly_price_per_gpu > 0
    ]
    if not rows:
        raise DataMissing("cost.no_rent", gpu=key.gpu.name, commitment=wanted)
    low, typical, high, used = _priced(_home(rows, key), key)
    return RentPrice(low=low, typical=typical, high=high, currency=key.currency, rows=tuple(used))


def _is_offer(row: PurchasePrice) -> bool:
    return row.condition == "new" and row.currency in PLAN_CURRENCIES and row.seller_type not in NO_OFFER


def _home(rows: list[Row], key: _Key) -> list[Row]:
    """The rows of the plan's own market if they are fresh, else of every market."""
    home = [row for row in rows if _is_chinese(row) is (key.currency is Currency.CNY)]
    return home if home and _newest(home) >= _newest(rows) - FRESH_MONTHS else rows


def _is_chinese(row: PurchasePrice | RentalPrice) -> bool:
    return row.currency == Currency.CNY or row.region == "China" or row.region.startswith("cn-")


def _priced(rows: list[Row], key: _Key) -> tuple[Decimal, Decimal, Decimal, list[Row]]:
    rows = _votes(rows)
    newest = _newest(rows)
    half_life = HALF_LIFE_MONTHS[type(rows[0])]
    weighted = sorted(
        (_per_gpu(row, key), CONFIDENCE_WEIGHT[row.confidence] * 0.5 ** ((newest - months_of(row.on)) / half_life)) for row in rows
    )
    typical = _quantile(weighted, 0.5)
    low, high = ESTIMATE_CLASS[max((row.confidence for row in rows), key=CONFIDENCE_WEIGHT.__getitem__)]
    return min(_quantile(weighted, 0.1), typical * low), typical, max(_quantile(weighted, 0.9), typical * high), rows


def _votes(rows: list[Row]) -> list[Row]:
    """The newest row of each source and thing; of several of one date the median."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        key = (row.source.title, row.item) if isinstance(row, PurchasePrice) else (row.provider, row.commitment)
        groups.setdefault(key, []).append(row)
    votes = []
    for group in groups.values():
        last = max(row.on for row in group)
        newest = sorted((row for row in group if row.on == last), key=_amount)
        votes.append(newest[len(newest) // 2])
    return votes


def _amount(row: PurchasePrice | RentalPrice) -> Decimal:
    return row.unit_price if isinstance(row, PurchasePrice) else row.hourly_price_per_gpu


def _per_gpu(row: PurchasePrice | RentalPrice, key: _Key) -> Decimal:
    amount = row.price_per_gpu if isinstance(row, PurchasePrice) else row.hourly_price_per_gpu
    assert amount is not None
    return key.fx.convert(Money(amount, Currency(row.currency)), key.currency).amount


def _quantile(weighted: list[tuple[Decimal, float]], share_ratio: float) -> Decimal:
    """The first value at which the weights reach the share of their sum."""
    goal, reached = share_ratio * sum(weight for _, weight in weighted), 0.0
    for value, weight in weighted:
        reached += weight
        if reached >= goal:
            return value
    return weighted[-1][0]


def _newest(rows: Sequence[PurchasePrice | RentalPrice]) -> int:
    return max(months_of(row.on) for row in rows)
