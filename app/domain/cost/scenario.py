"""What is compared: options to own or to rent the same work, over one horizon, in one currency, at one dated exchange rate."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from app.domain.errors import InvalidInput
from app.domain.estimate import Assumption
from app.domain.money import Currency, FxRate, Money
from app.domain.units import HOURS_PER_YEAR

MONTHS_PER_YEAR = 12
MAX_MONTHS = 360  # thirty years; nobody plans a GPU for longer


class Kind(StrEnum):
    """How an option gets its GPUs: its own in its own room, its own in somebody's racks, leased, rented by the hour, or a mixture of these."""

    BUY = "buy"
    COLOCATE = "colocate"
    LEASE = "lease"
    RENT = "rent"
    HYBRID = "hybrid"


class Commitment(StrEnum):
    """How a rented GPU is paid: by the hour in use, for a term whether used or not, or at a price that may be taken away."""

    ON_DEMAND = "on-demand"
    ONE_YEAR = "1y"
    THREE_YEARS = "3y"
    SPOT = "spot"

    @property
    def is_fixed(self) -> bool:
        """Paid for every hour of the term, used or not."""
        return self in (Commitment.ONE_YEAR, Commitment.THREE_YEARS)


class Depreciation(StrEnum):
    """How the books write the purchase off. It is no cash: totals and present values do not depend on it."""

    STRAIGHT_LINE = "straight-line"
    DOUBLE_DECLINING = "double-declining"
    SUM_OF_DIGITS = "sum-of-digits"


class Driver(StrEnum):
    """An uncertain input, named as the contract names it. Options that share a driver share its luck."""

    PURCHASE = "capex"
    RESIDUAL = "residual"
    POWER = "power"
    ELECTRICITY = "electricity_per_kwh"
    PUE = "pue"
    MAINTENANCE = "maintenance_ratio_per_year"
    OPEX = "opex"
    RENT = "price_per_gpu_hour"
    COLOCATION = "colocation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How far a driver may lie from its stated value: its 10th and 90th percentile as shares of it, and who says so."""

    low_ratio: float
    high_ratio: float
    source: str

    def __post_init__(self) -> None:
        assert 0 < self.low_ratio <= 1 <= self.high_ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class CapexItem:
    """Something bought once: the price stays in the currency of the quote."""

    item: str
    unit_price: Money
    quantity: Decimal
    source: str = ""

    def price(self, currency: Currency, fx: FxRate) -> Decimal:
        """quantity · unit price, in `currency`."""
        return fx.convert(self.unit_price, currency).amount * self.quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Power of one GPU: a stated mean, or idle and busy watts with the share of hours under load; `host_w` is all the rest of the machines."""

    average_w: Decimal | None = None
    idle_w: Decimal = Decimal(0)
    typical_w: Decimal = Decimal(0)
    peak_w: Decimal | None = None
    busy_ratio: Decimal | None = None
    host_w: Decimal = Decimal(0)

    def gpu_w(self, utilisation_ratio: Decimal) -> Decimal:
        """idle + busy · (typical − idle), where an unstated busy share is the utilisation."""
        if self.average_w is not None:
            return self.average_w
        busy_ratio = utilisation_ratio if self.busy_ratio is None else self.busy_ratio
        return self.idle_w + busy_ratio * (self.typical_w - self.idle_w)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpexItem:
    """Something paid every month."""

    item: str
    monthly_cost: Money
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOff:
    """Something paid once, at the end of a month; month 0 is the start."""

    item: str
    amount: Money
    month: int
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Colocation:
    """Room in somebody's racks: `quantity` kilowatts reserved for the peak, or cabinets, at `unit_price` a month for `term_months`.

    A term that outlasts the plan is paid to its end when the plan ends. `includes_power`: no meter is read."""

    unit_price: Money
    quantity: Decimal
    is_by_power: bool
    includes_power: bool = False
    setup: Money | None = None
    term_months: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Hardware paid by the month: `purchase_price` buys it at the end of the term, None gives it back.

    A term that outlasts the plan is paid to its end when the plan ends."""

    monthly_cost: Money
    term_months: int
    upfront: Money | None = None
    purchase_price: Money | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One way to get the GPUs. Amounts are in any plan currency and converted at the scenario's rate. A mixture has `parts` and nothing else.

    `sources` says for an input (by the contract's name) where its value comes from; `spreads` how uncertain it is."""

    name: str
    kind: Kind
    gpu_count: int
    utilisation_ratio: Decimal = Decimal(1)
    hours_per_year: Decimal = Decimal(HOURS_PER_YEAR)
    capex: tuple[CapexItem, ...] = ()
    residual_value: Money | None = None
    depreciation: Depreciation = Depreciation.STRAIGHT_LINE
    power: Power | None = None
    electricity_price: Money | None = None
    pue_ratio: Decimal = Decimal(1)
    yearly_cooling_cost: Money | None = None
    maintenance_ratio: Decimal = Decimal(0)
    opex: tuple[OpexItem, ...] = ()
    one_off: tuple[OneOff, ...] = ()
    gpu_hour_price: Money | None = None
    commitment: Commitment = Commitment.ON_DEMAND
    spot_loss_ratio: Decimal = Decimal(0)
    colocation: Colocation | None = None
    lease: Lease | None = None
    parts: tuple["Option", ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    spreads: Mapping[Driver, Spread] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()

    @property
    def leaves(self) -> tuple["Option", ...]:
        """The options that cost something themselves: the parts of a mixture, else the option."""
        return self.parts or (self,)

    @property
    def is_owned(self) -> bool:
        """Held all the year, used or not: everything but renting by the hour."""
        return self.kind is not Kind.RENT

    def purchase(self, currency: Currency, fx: FxRate) -> Decimal:
        """Σ quantity · unit price of everything bought at the start."""
        return sum((item.price(currency, fx) for item in self.capex), Decimal(0))

    def check_residual(self, currency: Currency, fx: FxRate, field: str) -> None:
        """InvalidInput: more would be left at the end than was paid at the start, and the purchase would earn money."""
        paid = self.purchase(currency, fx)
        if self.lease is not None:
            leased = self.lease.monthly_cost.times(self.lease.term_months)
            parts = (leased, self.lease.upfront, self.lease.purchase_price)
            paid += sum((fx.convert(part, currency).amount for part in parts if part is not None), Decimal(0))
        if self.residual_value is not None and fx.convert(self.residual_value, currency).amount > paid:
            raise InvalidInput(field, "cost.residual_above_purchase", paid=f"{paid:,.2f} {currency.value}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxRates:
    """Shares of the net price. `is_recoverable`: whoever pays may deduct value-added tax, so it costs time but no money; duty always costs."""

    goods_ratio: Decimal = Decimal(0)
    services_ratio: Decimal = Decimal(0)
    duty_ratio: Decimal = Decimal(0)
    is_recoverable: bool = True
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Options on one basis. `discount_ratio` is a nominal yearly rate; payments fall at the end of each month, purchases at the start."""

    currency: Currency
    month_count: int
    discount_ratio: Decimal
    fx: FxRate
    options: tuple[Option, ...]
    discount_source: str = ""
    tax: TaxRates | None = None
    rule_of_thumb_ratio: Decimal | None = (
        None  # use above which owning is said to be cheaper: tested against the figures, never used in them
    )
    assumptions: tuple[Assumption, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.month_count <= MAX_MONTHS:
            raise InvalidInput("years", "cost.years_out_of_range", most=MAX_MONTHS // MONTHS_PER_YEAR)
        if not self.options:
            raise InvalidInput("options", "cost.no_options")
        names = [option.name for option in self.options]
        for index, option in enumerate(self.options):
            if option.name in names[:index]:
                raise InvalidInput(f"options[{index}].name", "cost.same_name", name=option.name)
            self._check_dates(option, f"options[{index}]")

    def _check_dates(self, option: Option, path: str) -> None:
        for place, payment in enumerate(option.one_off):
            if not 0 <= payment.month <= self.month_count:
                raise InvalidInput(f"{path}.one_off[{place}].month", "cost.month_outside", most=self.month_count)
        lease = option.lease
        if lease is not None and lease.purchase_price is None and lease.term_months < self.month_count:
            raise InvalidInput(f"{path}.lease.term_months", "cost.lease_too_short", months=self.month_count)
        for place, part in enumerate(option.parts):
            self._check_dates(part, f"{path}.parts[{place}]")

    @property
    def years(self) -> float:
        """The horizon in years, for people; formulas count months."""
        return self.month_count / MONTHS_PER_YEAR

    @property
    def year_count(self) -> int:
        """Calendar rows of the yearly table; the last may be a part of a year."""
        return -(-self.month_count // MONTHS_PER_YEAR)
