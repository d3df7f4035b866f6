"""The options of a TCO scenario, by kind: owned, in somebody's racks, leased, rented, or a mixture of these."""

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal

from app.domain.cost.scenario import MAX_MONTHS, Colocation, Driver, Kind, Lease, Option, Power
from app.domain.errors import InvalidInput, message
from app.domain.estimate import Assumption
from app.domain.money import Money
from app.domain.units import KILO
from app.wire.fields import AMOUNT, POSITIVE, Bounds, Fields
from app.wire.tco_options import BUY, COUNT, MOST_ITEMS, Context, Notes, buy_option, only, owned, read_power, rent_option

MONTHS = Bounds(least=Decimal(1), most=Decimal(MAX_MONTHS))
KILOWATTS = Bounds(most=Decimal(1_000_000), above_least=True)
COLOCATION = (
    "per_kw_month",
    "reserved_kw",
    "per_cabinet_month",
    "cabinets",
    "kw_per_cabinet",
    "utility",
    "cross_connect_per_month",
    "remote_hands_per_month",
    "setup",
    "term_months",
)
LEASE = ("per_month", "term_months", "upfront", "end", "purchase_price")
EXTRAS = {"cross_connect_per_month": "cross-connect", "remote_hands_per_month": "operations"}
METERED, INCLUDED = "metered", "included"
RETURNED, BOUGHT = "return", "purchase"


def read_option(fields: Fields, context: Context) -> Option:
    """An option of any kind."""
    return READERS[fields.choice("kind", Kind)](fields, context)


def colocate_option(fields: Fields, context: Context) -> Option:
    """Own hardware in somebody's racks: power reserved for the peak, or whole cabinets, by contract."""
    only(fields, (*BUY, "colocation"))
    notes = Notes(fields)
    entry = fields.object("colocation")
    entry.only(*COLOCATION)
    power = read_power(fields, Notes(fields))
    by_power = entry.has("per_kw_month")
    if by_power is entry.has("per_cabinet_month"):
        raise InvalidInput(entry.at("per_kw_month"), "tco.colocation_price")
    for key in ("per_cabinet_month", "cabinets", "kw_per_cabinet") if by_power else ("reserved_kw",):
        if entry.has(key):
            raise InvalidInput(entry.at(key), "tco.colocation_price")
    price = notes.ranged(entry, "per_kw_month" if by_power else "per_cabinet_month", POSITIVE, Driver.COLOCATION)
    utility = entry.text("utility", METERED)
    if utility not in (METERED, INCLUDED):
        raise InvalidInput(entry.at("utility"), "document.not_a_choice", typed=utility, choices=f"{METERED}, {INCLUDED}")
    if not entry.has("utility"):
        notes.absent("colocation.utility", METERED, "tco.metered_assumed")
    held = Colocation(
        unit_price=Money(price, context.currency),
        quantity=_reserved(entry, fields, power, notes) if by_power else _cabinets(entry, fields, power, notes),
        is_by_power=by_power,
        includes_power=utility == INCLUDED,
        setup=Money(entry.number("setup", AMOUNT, Decimal(0)), context.currency),
        term_months=entry.whole("term_months", MONTHS, 1) if entry.has("term_months") else 0,
    )
    option = owned(fields, context, notes, Kind.COLOCATE, colocation=held)
    extras = tuple(context.monthly(entry, key, name) for key, name in EXTRAS.items() if entry.has(key))
    return replace(option, opex=option.opex + extras)


def lease_option(fields: Fields, context: Context) -> Option:
    """Hardware paid by the month, which is given back or bought when the term ends."""
    only(fields, (*BUY, "lease"))
    entry = fields.object("lease")
    entry.only(*LEASE)
    end = entry.text("end", BOUGHT if entry.has("purchase_price") else RETURNED)
    if end not in (RETURNED, BOUGHT):
        raise InvalidInput(entry.at("end"), "document.not_a_choice", typed=end, choices=f"{RETURNED}, {BOUGHT}")
    if end == RETURNED and entry.has("purchase_price"):
        raise InvalidInput(entry.at("purchase_price"), "tco.returned_or_bought")
    if end == RETURNED and fields.has("residual") and fields.number("residual", AMOUNT):
        raise InvalidInput(fields.at("residual"), "tco.nothing_left")
    if not entry.has("term_months"):
        raise InvalidInput(entry.at("term_months"), "document.missing")
    currency = context.currency
    held = Lease(
        monthly_cost=Money(entry.number("per_month", POSITIVE), currency),
        term_months=entry.whole("term_months", MONTHS, 1),
        upfront=Money(entry.number("upfront", AMOUNT, Decimal(0)), currency),
        purchase_price=Money(entry.number("purchase_price"), currency) if end == BOUGHT else None,
    )
    return owned(fields, context, Notes(fields), Kind.LEASE, lease=held)


def hybrid_option(fields: Fields, context: Context) -> Option:
    """A list of parts that are paid together, say a base that is owned and peaks that are rented."""
    fields.only("name", "kind", "parts")
    entries = fields.list("parts", MOST_ITEMS)
    if len(entries) < 2:
        raise InvalidInput(fields.at("parts"), "tco.too_few_parts")
    parts: list[Option] = []
    for entry in entries:
        if entry.text("kind") == Kind.HYBRID:
            raise InvalidInput(entry.at("kind"), "tco.part_of_parts")
        part = read_option(entry, context)
        if part.name in [other.name for other in parts]:
            raise InvalidInput(entry.at("name"), "cost.same_name", name=part.name)
        parts.append(part)
    return Option(
        name=fields.text("name", Kind.HYBRID),
        kind=Kind.HYBRID,
        gpu_count=sum(part.gpu_count for part in parts),
        parts=tuple(parts),
        assumptions=tuple(assumption for part in parts for assumption in part.assumptions),
    )


READERS: dict[Kind, Callable[[Fields, Context], Option]] = {
    Kind.BUY: buy_option,
    Kind.COLOCATE: colocate_option,
    Kind.LEASE: lease_option,
    Kind.RENT: rent_option,
    Kind.HYBRID: hybrid_option,
}


def _reserved(entry: Fields, fields: Fields, power: Power | None, notes: Notes) -> Decimal:
    if entry.has("reserved_kw"):
        return entry.number("reserved_kw", KILOWATTS)
    peak_kw = _peak_kw(entry.at("reserved_kw"), fields, power)
    notes.assumptions.append(Assumption(field=entry.at("reserved_kw"), value=float(peak_kw), why=message("tco.peak_reserved")))
    return peak_kw


def _cabinets(entry: Fields, fields: Fields, power: Power | None, notes: Notes) -> Decimal:
    if entry.has("cabinets"):
        return entry.number("cabinets", COUNT)
    peak_kw = _peak_kw(entry.at("cabinets"), fields, power)
    if not entry.has("kw_per_cabinet"):
        raise InvalidInput(entry.at("cabinets"), "tco.cabinets_missing")
    count = (peak_kw / entry.number("kw_per_cabinet", KILOWATTS)).to_integral_value(ROUND_CEILING)
    notes.assumptions.append(Assumption(field=entry.at("cabinets"), value=float(count), why=message("tco.cabinets_by_peak")))
    return count


def _peak_kw(path: str, fields: Fields, power: Power | None) -> Decimal:
    """What must be reserved: n · P_peak + P_host. InvalidInput: only a mean was stated, which reserves nothing."""
    if power is None or power.peak_w is None:
        raise InvalidInput(path, "tco.peak_missing")
    return (power.peak_w * fields.whole("n_gpus", COUNT, 1) + power.host_w) / int(KILO)
