"""Options made from the catalogue: owning a configuration, and renting the same GPUs. Every value carries its source or stands as an assumption."""

from dataclasses import replace
from decimal import ROUND_CEILING, Decimal

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Server
from app.domain.cost import defaults, uncounted
from app.domain.cost.defaults import default
from app.domain.cost.power import OFF, SHARED, power_of, switched_off
from app.domain.cost.quotes import ReferencePrice, cited, newest_on, reference_price, rent_price
from app.domain.cost.scenario import (
    MONTHS_PER_YEAR,
    CapexItem,
    Colocation,
    Commitment,
    Driver,
    Kind,
    OpexItem,
    Option,
    Scenario,
    Spread,
)
from app.domain.cost.spreads import rent_drift, residual_left, together
from app.domain.errors import message
from app.domain.estimate import Assumption, Estimate
from app.domain.money import MINOR_UNIT, Currency, FxRate, Money
from app.domain.units import HOURS_PER_YEAR, KILO, as_kw

OWN, RENTED, RACKS = "own", "rent", "racks"
RACK_UNITS_PER_GPU = Decimal("0.75")  # six units for eight GPUs, as the DGX A100; used where the machine is not known
__all__ = ["OWN", "RENTED", "ReferencePrice", "colocated_option", "own_option", "plan_scenario", "reference_price", "rent_option"]


def own_option(
    gpu: Gpu,
    server: Server | None,
    gpu_count: int,
    node_count: int,
    average_w: Estimate | None,
    catalogue: Catalogue,
    currency: Currency,
    years: float,
    hours_per_year: float,
    fx: FxRate,
    utilisation: float = 1.0,
) -> Option:
    """Owning: the reference price, cluster network, room, power and people by sourced factors. `average_w` is of one GPU at work.

    The machines are on for `hours_per_year`, off for the rest of the year, and busy for `utilisation` of the hours they are on. DataMissing:
    nobody quoted this GPU."""
    price = reference_price(gpu, catalogue, currency, fx)
    capex = _capex(price, gpu_count, node_count, catalogue)
    full_power, power_sources, power_spread = power_of(gpu, gpu_count, average_w, catalogue)
    on_ratio = min(Decimal(1), _decimal(hours_per_year) / HOURS_PER_YEAR)
    power = full_power
    if on_ratio < 1:
        power = switched_off(full_power, gpu_count, on_ratio, _decimal(utilisation))
        host = power_sources["power.host_w"]
        power_sources = {Driver.POWER: f"{power_sources[Driver.POWER]}; {host}", "power.idle_w": OFF, "power.host_w": SHARED}
    liquid = server is not None and server.cooling == "liquid"
    pue = default(catalogue, defaults.PUE_LIQUID if liquid else defaults.PUE_AIR)
    tariff = default(catalogue, defaults.ELECTRICITY[currency])
    maintenance = default(catalogue, defaults.MAINTENANCE)
    left = residual_left(years)
    peak_w = (server.max_power_w or 0) * node_count if server else 0
    opex = _opex(
        server, gpu_count, node_count, peak_w or float(full_power.gpu_w(Decimal(1)) * gpu_count + full_power.host_w), catalogue, currency
    )
    return Option(
        name=OWN,
        kind=Kind.BUY,
        gpu_count=gpu_count,
        utilisation_ratio=_decimal(utilisation) * on_ratio,
        capex=capex,
        residual_value=Money((price.card * gpu_count * left.typical).quantize(MINOR_UNIT), currency),
        power=power,
        electricity_price=Money(tariff.typical, currency),
        pue_ratio=pue.typical,
        maintenance_ratio=maintenance.typical,
        opex=opex,
        sources={
            **power_sources,
            Driver.ELECTRICITY: tariff.source,
            Driver.PUE: pue.source,
            Driver.MAINTENANCE: maintenance.source,
            Driver.RESIDUAL: left.source,
        },
        spreads={
            Driver.PURCHASE: price.spread,
            Driver.RESIDUAL: left.spread,
            Driver.POWER: power_spread,
            Driver.ELECTRICITY: tariff.spread,
            Driver.PUE: pue.spread,
            Driver.MAINTENANCE: maintenance.spread,
            Driver.OPEX: _opex_spread(opex, catalogue, currency),
        },
        assumptions=(
            tariff.assumption(Driver.ELECTRICITY),
            pue.assumption(Driver.PUE),
            maintenance.assumption(Driver.MAINTENANCE),
            Assumption(field=Driver.RESIDUAL, value=float(left.typical), why=message("cost.residual_assumed", source=left.source)),
            *_price_notes(price),
            *((Assumption(field="hosting", value=0, why=message("cost.no_cabinet")),) if server and server.is_desk_side else ()),
            *uncounted.of_machines(gpu, gpu_count, catalogue, currency, fx),
            Assumption(field="tax", value=None, why=message("cost.no_tax")),
        ),
    )


def colocated_option(own: Option, server: Server, node_count: int, catalogue: Catalogue, currency: Currency) -> Option | None:
    """The same machines in somebody's racks instead of own space: power reserved for their peak. None: they stand at desks."""
    if server.is_desk_side or own.power is None:
        return None
    price = default(catalogue, defaults.COLOCATION[currency])
    host = default(catalogue, defaults.HOST_SHARE)
    board_w = (own.power.peak_w or own.power.typical_w) * own.gpu_count
    peak_w = _decimal(server.max_power_w) * node_count if server.max_power_w else board_w * (1 + host.typical)
    peak_kw = (peak_w / int(KILO)).quantize(MINOR_UNIT, ROUND_CEILING)
    source = f"{price.typical} {price.unit}: {price.source}"
    spreads: dict[Driver, Spread] = {driver: spread for driver, spread in own.spreads.items() if driver is not Driver.OPEX}
    return replace(
        own,
        name=RACKS,
        kind=Kind.COLOCATE,
        opex=tuple(item for item in own.opex if item.item != "hosting"),
        colocation=Colocation(
            unit_price=Money(price.typical, currency),
            quantity=peak_kw,
            is_by_power=True,
            includes_power=currency is Currency.CNY,
        ),
        sources={**own.sources, Driver.COLOCATION: source, "colocation.quantity": "peak of the machines"},
        spreads={**spreads, Driver.COLOCATION: price.spread},
        assumptions=(*own.assumptions, price.assumption(Driver.COLOCATION)),
    )


def rent_option(
    gpu: Gpu,
    gpu_count: int,
    catalogue: Catalogue,
    currency: Currency,
    years: float,
    utilisation: float,
    fx: FxRate,
    commitment: Commitment = Commitment.ON_DEMAND,
) -> Option:
    """Renting the same number of the same GPUs at the reference rent. DataMissing: nobody quoted a rent."""
    price = rent_price(gpu, catalogue, currency, fx, commitment)
    spread = together(price.spread, rent_drift(years))
    return Option(
        name=RENTED,
        kind=Kind.RENT,
        gpu_count=gpu_count,
        utilisation_ratio=_decimal(utilisation),
        gpu_hour_price=Money(price.typical.quantize(Decimal("0.0001")), currency),
        commitment=commitment,
        sources={Driver.RENT: cited(price.rows)},
        spreads={} if commitment.is_fixed else {Driver.RENT: spread},
        assumptions=(
            Assumption(
                field=Driver.RENT,
                value=float(price.typical),
                why=message("cost.rent_assumed", count=len(price.rows), newest=newest_on(price.rows)),
            ),
            *uncounted.of_rent(catalogue),
        ),
    )


def plan_scenario(
    options: tuple[Option, ...], catalogue: Catalogue, currency: Currency, years: float, fx: FxRate, discount_ratio: float | None = None
) -> Scenario:
    """Options on one basis; an unstated cost of capital is the currency's default factor, listed as an assumption."""
    rate = default(catalogue, defaults.DISCOUNT[currency])
    stated = discount_ratio is not None
    return Scenario(
        currency=currency,
        month_count=round(years * MONTHS_PER_YEAR),
        discount_ratio=_decimal(discount_ratio) if discount_ratio is not None else rate.typical,
        discount_source="" if stated else rate.source,
        fx=fx,
        options=options,
        tax=defaults.usual_tax(catalogue, currency),
        rule_of_thumb_ratio=default(catalogue, defaults.OWN_FROM).typical,
        assumptions=() if stated else (rate.assumption("discount_rate"),),
    )


def _capex(price: ReferencePrice, gpu_count: int, node_count: int, catalogue: Catalogue) -> tuple[CapexItem, ...]:
    """GPUs, the rest of their servers, spare nodes, and for more than one node the network: s/(1 − s) of the servers' price."""
    cents = MINOR_UNIT
    source = cited(price.rows)
    card = price.card.quantize(cents)
    rest = ((price.typical - price.card) * gpu_count / node_count).quantize(cents)
    split = f"{source}; ÷ {price.multiplier.typical} · {price.multiplier.source}"
    shared = f"{source}; × ({price.multiplier.typical} − 1) · {price.multiplier.source}"
    whole = price.is_whole_server
    items = [
        CapexItem(item="gpu", unit_price=Money(card, price.currency), quantity=Decimal(gpu_count), source=split if whole else source),
        CapexItem(item="server", unit_price=Money(rest, price.currency), quantity=Decimal(node_count), source=split if whole else shared),
    ]
    if node_count > 1:
        share = default(catalogue, defaults.NETWORK_SHARE)
        per_node = (price.typical * gpu_count / node_count * share.typical / (1 - share.typical)).quantize(cents)
        items.append(
            CapexItem(item="network", unit_price=Money(per_node, price.currency), quantity=Decimal(node_count), source=share.source)
        )
        spare = default(catalogue, defaults.SPARE_NODES)
        if count := int(spare.typical * node_count):
            node = (price.typical * gpu_count / node_count).quantize(cents)
            items.append(CapexItem(item="spares", unit_price=Money(node, price.currency), quantity=Decimal(count), source=spare.source))
    return tuple(items)


def _price_notes(price: ReferencePrice) -> tuple[Assumption, ...]:
    """How the price came about, and which rows could not be used."""
    code = "cost.price_of_servers" if price.is_whole_server else "cost.price_of_cards"
    how = message(code, count=len(price.rows), newest=newest_on(price.rows), multiplier=str(price.multiplier.typical))
    notes = [Assumption(field="gpu_price", value=float(price.card), why=how)]
    if price.left_out:
        notes.append(Assumption(field="gpu_price", value=None, why=message("cost.no_rate_for", currencies=", ".join(price.left_out))))
    return tuple(notes)


def _opex(
    server: Server | None, gpu_count: int, node_count: int, peak_w: float, catalogue: Catalogue, currency: Currency
) -> tuple[OpexItem, ...]:
    """People by the node and hour; space by what the market sells it by, unless the machine stands under a desk."""
    hours, wage = default(catalogue, defaults.STAFF_HOURS), default(catalogue, defaults.STAFF_HOUR[currency])
    staff = OpexItem(
        item="staff",
        monthly_cost=Money(hours.typical * wage.typical * node_count, currency),
        source=f"{hours.typical} h · {wage.typical} {wage.unit}: {hours.source}; {wage.source}",
    )
    if server is not None and server.is_desk_side:
        return (staff,)
    space = default(catalogue, defaults.SPACE[currency])
    if currency is Currency.USD:
        amount = space.typical * _decimal(as_kw(peak_w))
    elif server is not None and server.rack_units is not None:
        amount = space.typical * _decimal(server.rack_units) * node_count
    else:
        amount = space.typical * RACK_UNITS_PER_GPU * gpu_count
    source = f"{space.typical} {space.unit}: {space.source}"
    return staff, OpexItem(item="hosting", monthly_cost=Money(amount.quantize(MINOR_UNIT), currency), source=source)


def _opex_spread(opex: tuple[OpexItem, ...], catalogue: Catalogue, currency: Currency) -> Spread:
    """The spreads of people and space, weighted by their amounts."""
    keys = {"staff": defaults.STAFF_HOURS, "hosting": defaults.SPACE[currency]}
    parts = [(float(item.monthly_cost.amount), default(catalogue, keys[item.item]).spread) for item in opex]
    total = sum(amount for amount, _ in parts)
    return Spread(
        low_ratio=sum(amount * spread.low_ratio for amount, spread in parts) / total,
        high_ratio=sum(amount * spread.high_ratio for amount, spread in parts) / total,
        source="; ".join(spread.source for _, spread in parts),
    )


def _decimal(value: float) -> Decimal:
    return Decimal(repr(value))
