"""How each input of an option is read and written."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from app.domain.cost.scenario import CapexItem, Driver, OneOff, OpexItem, Option, Power
from app.domain.money import Currency, Money

STATED = "stated on this project"
NOT_COUNTED = "not counted until it is stated"
NOTHING = Money(Decimal(0), Currency.USD)
Held = tuple[Money | Decimal, str] | None  # the value and where it comes from


@dataclass(frozen=True, slots=True)
class InputKind:
    """How one input of an option is read and written; None: this option has none."""

    name: str
    unit: str
    per: str
    most: Decimal
    read: Callable[[Option], Held]
    write: Callable[[Option, Any], Option]
    least: Decimal = Decimal(0)
    driver: Driver | None = None


def _bought(item: str) -> InputKind:
    def read(option: Option) -> Held:
        return next(((entry.unit_price, entry.source) for entry in option.capex if entry.item == item), None)

    def write(option: Option, value: Money) -> Option:
        return replace(option, capex=tuple(_repriced(entry, item, value) for entry in option.capex))

    return InputKind(f"{item}_price", "money", "gpu" if item == "gpu" else "node", Decimal("1e9"), read, write, driver=Driver.PURCHASE)


def _repriced(entry: CapexItem, item: str, price: Money) -> CapexItem:
    return replace(entry, unit_price=price, source=STATED) if entry.item == item else entry


def _monthly(item: str) -> InputKind:
    def read(option: Option) -> Held:
        return next(((entry.monthly_cost, entry.source) for entry in option.opex if entry.item == item), None)

    def write(option: Option, value: Money) -> Option:
        return replace(option, opex=tuple(_repaid(entry, item, value) for entry in option.opex))

    return InputKind(item, "money", "month", Decimal("1e9"), read, write)


def _repaid(entry: OpexItem, item: str, cost: Money) -> OpexItem:
    return replace(entry, monthly_cost=cost, source=STATED) if entry.item == item else entry


def _quoted(item: str, *, is_of_machines: bool = False) -> InputKind:
    """Something paid every month that is counted once somebody quotes it."""

    def read(option: Option) -> Held:
        if is_of_machines and not option.capex:
            return None
        return next(((entry.monthly_cost, entry.source) for entry in option.opex if entry.item == item), (NOTHING, NOT_COUNTED))

    def write(option: Option, value: Money) -> Option:
        others = tuple(entry for entry in option.opex if entry.item != item)
        return replace(option, opex=(*others, OpexItem(item=item, monthly_cost=value, source=STATED)))

    return InputKind(item, "money", "month", Decimal("1e9"), read, write)


def _storage(option: Option) -> Held:
    if not option.capex:
        return None
    return next(((entry.unit_price, entry.source) for entry in option.capex if entry.item == "storage"), (NOTHING, NOT_COUNTED))


def _with_storage(option: Option, price: Money) -> Option:
    others = tuple(entry for entry in option.capex if entry.item != "storage")
    return replace(option, capex=(*others, CapexItem(item="storage", unit_price=price, quantity=Decimal(1), source=STATED)))


def _delay(option: Option) -> Held:
    if not option.capex:
        return None
    return next(((payment.amount, payment.source) for payment in option.one_off if payment.item == "delay"), (NOTHING, NOT_COUNTED))


def _with_delay(option: Option, amount: Money) -> Option:
    others = tuple(payment for payment in option.one_off if payment.item != "delay")
    return replace(option, one_off=(*others, OneOff(item="delay", amount=amount, month=0, source=STATED)))


def _own(option: Option, value: Money | Decimal | None, source: str) -> Held:
    return None if value is None or not option.is_owned else (value, option.sources.get(source, ""))


def _watts(field: str, source: str) -> InputKind:
    def read(option: Option) -> Held:
        return None if option.power is None else _own(option, getattr(option.power, field), source)

    def write(option: Option, value: Decimal) -> Option:
        change: dict[str, Any] = {field: value}
        return replace(option, power=replace(option.power or Power(), **change))

    return InputKind(field, "w", "", Decimal("1e7"), read, write, driver=Driver.POWER if field == "typical_w" else None)


def _in_racks(option: Option, value: Money) -> Option:
    assert option.colocation is not None
    return replace(option, colocation=replace(option.colocation, unit_price=value))


KINDS = (
    _bought("gpu"),
    _bought("server"),
    _bought("network"),
    InputKind(
        "residual",
        "money",
        "plan",
        Decimal("1e12"),
        lambda option: _own(option, option.residual_value, Driver.RESIDUAL),
        lambda option, value: replace(option, residual_value=value),
        driver=Driver.RESIDUAL,
    ),
    InputKind(
        "price_per_gpu_hour",
        "money",
        "gpu_hour",
        Decimal("1e5"),
        lambda option: None if option.gpu_hour_price is None else (option.gpu_hour_price, option.sources.get(Driver.RENT, "")),
        lambda option, value: replace(option, gpu_hour_price=value),
        driver=Driver.RENT,
    ),
    _watts("idle_w", "power.idle_w"),
    _watts("typical_w", Driver.POWER),
    _watts("host_w", "power.host_w"),
    InputKind(
        "electricity_per_kwh",
        "money",
        "kwh",
        Decimal(1000),
        lambda option: _own(option, option.electricity_price, Driver.ELECTRICITY),
        lambda option, value: replace(option, electricity_price=value),
        driver=Driver.ELECTRICITY,
    ),
    InputKind(
        "pue",
        "1",
        "",
        Decimal(10),
        lambda option: _own(option, option.pue_ratio, Driver.PUE),
        lambda option, value: replace(option, pue_ratio=value),
        least=Decimal(1),
        driver=Driver.PUE,
    ),
    InputKind(
        "maintenance_ratio_per_year",
        "ratio",
        "year",
        Decimal(1),
        lambda option: _own(option, option.maintenance_ratio, Driver.MAINTENANCE),
        lambda option, value: replace(option, maintenance_ratio=value),
        driver=Driver.MAINTENANCE,
    ),
    InputKind(
        "colocation",
        "money",
        "kw_month",
        Decimal("1e6"),
        lambda option: None if option.colocation is None else (option.colocation.unit_price, option.sources.get(Driver.COLOCATION, "")),
        _in_racks,
        driver=Driver.COLOCATION,
    ),
    _monthly("staff"),
    _monthly("hosting"),
    InputKind("storage", "money", "system", Decimal("1e12"), _storage, _with_storage),
    _quoted("software"),
    _quoted("data"),
    _quoted("failures", is_of_machines=True),
    InputKind("delay", "money", "start", Decimal("1e12"), _delay, _with_delay),
)
ADDED = ("storage", "software", "data", "failures", "delay")  # counted once somebody quotes them
