"""What the options of a TCO scenario have in common, and the two plain kinds: owning and renting."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost import defaults, spreads
from app.domain.cost.defaults import default
from app.domain.cost.scenario import (
    CapexItem,
    Commitment,
    Depreciation,
    Driver,
    Kind,
    OneOff,
    OpexItem,
    Option,
    Power,
    Spread,
)
from app.domain.errors import InvalidInput, message
from app.domain.estimate import Assumption
from app.domain.money import Currency, Money
from app.domain.units import HOURS_PER_YEAR
from app.wire.fields import AMOUNT, ANY, SHARE, Bounds, Fields, read_number, read_object

COMMON = ("name", "kind", "n_gpus", "hours_per_year", "utilisation", "opex", "one_off")
BUY = ("capex", "residual", "depreciation", "power", "electricity_per_kwh", "pue", "cooling_per_year", "maintenance_ratio_per_year")
RENT = ("price_per_gpu_hour", "commitment", "spot_loss_ratio")
ELSEWHERE = ("colocation", "lease", "parts")
COUNT = Bounds(least=Decimal(1), most=Decimal(1_000_000))
QUANTITY = Bounds(most=Decimal(10_000_000), above_least=True)
HOURS = Bounds(most=Decimal(8784))  # a leap year
WATTS = Bounds(most=Decimal(10_000_000))
PUE = Bounds(least=Decimal(1), most=Decimal(10))
SIGNED = Bounds(least=-ANY)
MONTH = Bounds(most=Decimal(1200))
LOSS = Bounds(most=Decimal("0.95"))
MOST_ITEMS = 200


@dataclass(frozen=True, slots=True)
class Context:
    """The scenario around an option."""

    currency: Currency
    years: float
    catalogue: Catalogue

    def monthly(self, fields: Fields, key: str, item: str) -> OpexItem:
        """A monthly amount that has a key of its own."""
        return OpexItem(item=item, monthly_cost=Money(fields.number(key), self.currency), source="stated in the scenario")


@dataclass(slots=True)
class Notes:
    """What reading an option collects beside its values."""

    fields: Fields
    assumptions: list[Assumption] = field(default_factory=list)
    spreads: dict[Driver, Spread] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    def absent(self, key: str, value: float | str, code: str) -> None:
        """Lists what stands in for a key that nobody stated."""
        self.assumptions.append(Assumption(field=self.fields.at(key), value=value, why=message(code)))

    def ranged(self, fields: Fields, key: str, bounds: Bounds, driver: Driver, stated: Spread | None = None) -> Decimal:
        """A number, or an object with its low, typical and high, which then is the driver's spread instead of the usual one."""
        value = fields.data.get(key)
        if not isinstance(value, dict) or "amount" in value:
            if stated is not None:
                self.spreads[driver] = stated
            return _amount(value, fields.at(key), bounds)
        entry = read_object(value, fields.at(key))
        entry.only("low", "typical", "high")
        low, typical, high = (entry.number(end, bounds) for end in ("low", "typical", "high"))
        if not 0 < low <= typical <= high:
            raise InvalidInput(entry.at("low"), "tco.unordered_range")
        self.spreads[driver] = Spread(low_ratio=float(low / typical), high_ratio=float(high / typical), source="stated in the scenario")
        return typical


def buy_option(fields: Fields, context: Context) -> Option:
    """Owning: what is bought, what it draws, what it costs to run, what is left."""
    only(fields, BUY)
    return owned(fields, context, Notes(fields), Kind.BUY)


def owned(fields: Fields, context: Context, notes: Notes, kind: Kind, **more: Any) -> Option:
    """Hardware that is held all the year, whoever owns it and wherever it stands."""
    power = read_power(fields, notes)
    utilisation_ratio = _utilisation(fields, notes, power)
    capex = tuple(_bought(entry, context) for entry in fields.list("capex", MOST_ITEMS))
    if capex:
        notes.spreads[Driver.PURCHASE] = spreads.stated_price()
    elif kind is not Kind.LEASE:
        notes.absent("capex", 0, "tco.nothing_counted")
    for key in ("residual", "cooling_per_year", "maintenance_ratio_per_year"):
        if not fields.has(key):
            notes.absent(key, 0, "tco.nothing_counted")
    left = spreads.residual_left(context.years)
    residual = notes.ranged(fields, "residual", AMOUNT, Driver.RESIDUAL, left.spread) if fields.has("residual") else Decimal(0)
    if not residual:
        notes.spreads.pop(Driver.RESIDUAL, None)
    return Option(
        kind=kind,
        utilisation_ratio=utilisation_ratio,
        capex=capex,
        residual_value=Money(residual, context.currency),
        depreciation=fields.choice("depreciation", Depreciation, Depreciation.STRAIGHT_LINE),
        power=power,
        electricity_price=_tariff(fields, context, notes, power),
        pue_ratio=_pue(fields, context, notes, power),
        yearly_cooling_cost=_yearly(fields, "cooling_per_year", context),
        maintenance_ratio=notes.ranged(fields, "maintenance_ratio_per_year", SHARE, Driver.MAINTENANCE)
        if fields.has("maintenance_ratio_per_year")
        else Decimal(0),
        **more,
        **_common(fields, context, notes),
    )


def rent_option(fields: Fields, context: Context) -> Option:
    """Renting by the GPU-hour."""
    only(fields, RENT)
    notes = Notes(fields)
    utilisation_ratio = _utilisation(fields, notes, None)
    commitment = fields.choice("commitment", Commitment, Commitment.ON_DEMAND)
    if not fields.has("commitment"):
        notes.absent("commitment", commitment.value, "tco.on_demand_assumed")
    if not fields.has("price_per_gpu_hour"):
        raise InvalidInput(fields.at("price_per_gpu_hour"), "document.missing")
    drift = None if commitment.is_fixed else spreads.rent_drift(context.years)
    price = notes.ranged(fields, "price_per_gpu_hour", Bounds(most=Decimal(100_000)), Driver.RENT, drift)
    if commitment is Commitment.SPOT and not fields.has("spot_loss_ratio"):
        notes.absent("spot_loss_ratio", 0, "tco.no_loss_assumed")
    return Option(
        kind=Kind.RENT,
        utilisation_ratio=utilisation_ratio,
        gpu_hour_price=Money(price, context.currency),
        commitment=commitment,
        spot_loss_ratio=fields.number("spot_loss_ratio", LOSS, Decimal(0)),
        **_common(fields, context, notes),
    )


def only(fields: Fields, own: tuple[str, ...]) -> None:
    """InvalidInput: a key of another kind of option, or of none."""
    for key in (*BUY, *RENT, *ELSEWHERE):
        if key not in own and fields.has(key):
            raise InvalidInput(fields.at(key), "tco.not_for_kind", kind=fields.text("kind"))
    fields.only(*COMMON, *BUY, *RENT, *ELSEWHERE)


def _common(fields: Fields, context: Context, notes: Notes) -> dict[str, Any]:
    """What all kinds have, read last so that all notes are in."""
    if not fields.has("n_gpus"):
        notes.absent("n_gpus", 1, "tco.one_gpu_assumed")
    if not fields.has("hours_per_year"):
        notes.absent("hours_per_year", HOURS_PER_YEAR, "tco.always_on_assumed")
    opex = tuple(_monthly(entry, context) for entry in fields.list("opex", MOST_ITEMS))
    one_off = tuple(_once(entry, context) for entry in fields.list("one_off", MOST_ITEMS))
    return {
        "name": fields.text("name", fields.text("kind")),
        "gpu_count": fields.whole("n_gpus", COUNT, 1),
        "hours_per_year": fields.number("hours_per_year", HOURS, Decimal(HOURS_PER_YEAR)),
        "opex": opex,
        "one_off": one_off,
        "sources": notes.sources,
        "spreads": notes.spreads,
        "assumptions": tuple(notes.assumptions),
    }


def _utilisation(fields: Fields, notes: Notes, power: Power | None) -> Decimal:
    busy_ratio = None if power is None else power.busy_ratio
    assumed = Decimal(1) if busy_ratio is None else busy_ratio
    if not fields.has("utilisation"):
        notes.absent("utilisation", float(assumed), "tco.full_use_assumed" if busy_ratio is None else "tco.busy_share_assumed")
    return fields.number("utilisation", SHARE, assumed)


def read_power(fields: Fields, notes: Notes) -> Power | None:
    if not fields.has("power"):
        notes.absent("power", 0, "tco.nothing_counted")
        return None
    entry = fields.object("power")
    entry.only("average_w", "idle_w", "typical_w", "peak_w", "busy_ratio", "host_w")
    host_w = entry.number("host_w", WATTS, Decimal(0))
    if entry.has("average_w"):
        for key in ("idle_w", "typical_w", "busy_ratio"):
            if entry.has(key):
                raise InvalidInput(entry.at(key), "tco.power_twice")
        return Power(average_w=notes.ranged(entry, "average_w", WATTS, Driver.POWER), host_w=host_w)
    if not entry.has("typical_w"):
        raise InvalidInput(entry.at("average_w"), "tco.power_missing")
    typical_w = notes.ranged(entry, "typical_w", WATTS, Driver.POWER)
    idle_w = entry.number("idle_w", WATTS, Decimal(0))
    peak_w = entry.number("peak_w", WATTS, typical_w)
    if idle_w > typical_w or typical_w > peak_w:
        raise InvalidInput(entry.at("typical_w"), "tco.power_unordered")
    busy_ratio = entry.number("busy_ratio", SHARE) if entry.has("busy_ratio") else None
    return Power(idle_w=idle_w, typical_w=typical_w, peak_w=peak_w, busy_ratio=busy_ratio, host_w=host_w)


def _tariff(fields: Fields, context: Context, notes: Notes, power: Power | None) -> Money | None:
    key = Driver.ELECTRICITY.value
    if fields.has(key):
        drift = spreads.electricity_drift(context.years)
        return Money(notes.ranged(fields, key, Bounds(most=Decimal(1000)), Driver.ELECTRICITY, drift), context.currency)
    if power is None:
        return None
    tariff = default(context.catalogue, defaults.ELECTRICITY[context.currency])
    notes.assumptions.append(tariff.assumption(fields.at(key)))
    notes.spreads[Driver.ELECTRICITY] = tariff.spread
    notes.sources[Driver.ELECTRICITY] = tariff.source
    return Money(tariff.typical, context.currency)


def _pue(fields: Fields, context: Context, notes: Notes, power: Power | None) -> Decimal:
    if fields.has("pue"):
        return notes.ranged(fields, "pue", PUE, Driver.PUE)
    if power is None:
        return Decimal(1)
    pue = default(context.catalogue, defaults.PUE_AIR)
    notes.assumptions.append(pue.assumption(fields.at("pue")))
    notes.spreads[Driver.PUE] = pue.spread
    notes.sources[Driver.PUE] = pue.source
    return pue.typical


def _yearly(fields: Fields, key: str, context: Context) -> Money | None:
    return Money(fields.number(key), context.currency) if fields.has(key) else None


def _bought(entry: Fields, context: Context) -> CapexItem:
    entry.only("item", "unit_price", "qty", "currency", "source")
    return CapexItem(
        item=entry.text("item"),
        unit_price=Money(entry.number("unit_price"), entry.choice("currency", Currency, context.currency)),
        quantity=entry.number("qty", QUANTITY, Decimal(1)),
        source=entry.text("source", "stated in the scenario"),
    )


def _monthly(entry: Fields, context: Context) -> OpexItem:
    entry.only("item", "per_month", "source")
    amount = Money(entry.number("per_month"), context.currency)
    return OpexItem(item=entry.text("item"), monthly_cost=amount, source=entry.text("source", "stated in the scenario"))


def _once(entry: Fields, context: Context) -> OneOff:
    entry.only("item", "amount", "month", "source")
    return OneOff(
        item=entry.text("item"),
        amount=Money(entry.number("amount", SIGNED), context.currency),
        month=entry.whole("month", MONTH, 0),
        source=entry.text("source", "stated in the scenario"),
    )


def _amount(value: Any, path: str, bounds: Bounds) -> Decimal:
    return read_number(value, path, bounds)
