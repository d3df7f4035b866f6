"""A line of a cost table: what it costs at the start, every year and on single dates, each with the steps that lead there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from app.domain.cost.scenario import MONTHS_PER_YEAR, CapexItem, Driver, OneOff, OpexItem, Option, Scenario
from app.domain.estimate import Derivation, Input, Step

OTHER = "other"
CAPEX_LINES = {  # what a quote may call the things of each line
    "gpu": ("gpu", "gpus", "card", "cards", "accelerator", "board", "baseboard"),
    "server": ("server", "servers", "host", "chassis", "node", "nodes", "workstation", "cpu", "memory"),
    "network": ("network", "networking", "switch", "switches", "nic", "nics", "cables", "interconnect"),
    "storage": ("storage", "disk", "disks", "nvme", "ssd"),
    "rack": ("rack", "racks", "pdu", "rack/pdu", "facility", "ups", "cooling"),
    "spares": ("spare", "spares"),
}
OPEX_LINES = {
    "staff": ("staff", "operations", "ops", "administration", "labour", "labor"),
    "software": ("software", "licence", "licences", "license", "licenses", "support"),
    "hosting": ("hosting", "rack", "cabinet", "colocation", "space"),
    "connect": ("connect", "cross-connect", "bandwidth", "network", "transit"),
    "data": ("data", "storage", "egress", "traffic", "backup"),
    "failures": ("failures", "failure", "repairs", "downtime", "rma"),
}
ONE_OFF = "one_off"
ONE_OFF_LINES = {"delay": ("delay", "waiting", "bridging", "late delivery")}


class LineKind(StrEnum):
    """Which of the two sums a line belongs to. Residual value is a negative part of the first."""

    CAPEX = "capex"
    OPEX = "opex"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineCost:
    """Exact cash of a line: at the start, per full year (in twelve equal payments), and at the end of single months."""

    steps: Derivation
    at_start: Decimal = Decimal(0)
    per_year: Decimal = Decimal(0)
    dated: tuple[tuple[int, Decimal], ...] = ()
    drivers: tuple[Driver, ...] = ()
    yearly_kwh: Decimal = Decimal(0)

    def in_year(self, year: int, month_count: int) -> Decimal:
        """What falls into a year counted from one; the start belongs to the first."""
        first, last = (year - 1) * MONTHS_PER_YEAR, min(year * MONTHS_PER_YEAR, month_count)
        dated = sum((amount for month, amount in self.dated if first < month <= last or month == 0 == first), Decimal(0))
        return (self.at_start if year == 1 else Decimal(0)) + self.per_year * (last - first) / MONTHS_PER_YEAR + dated

    def joined(self, other: "LineCost") -> "LineCost":
        """Both together."""
        return LineCost(
            steps=self.steps + other.steps,
            at_start=self.at_start + other.at_start,
            per_year=self.per_year + other.per_year,
            dated=self.dated + other.dated,
            drivers=tuple(dict.fromkeys(self.drivers + other.drivers)),
            yearly_kwh=self.yearly_kwh + other.yearly_kwh,
        )

    def total(self, month_count: int) -> Decimal:
        """All of it, undiscounted."""
        return self.at_start + self.per_year * month_count / MONTHS_PER_YEAR + sum((amount for _, amount in self.dated), Decimal(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """A registered line. `compute` answers None where the option has no such cost."""

    key: str
    kind: LineKind
    compute: Callable[[Option, Scenario], LineCost | None]


def by_line(option: Option, scenario: Scenario) -> dict[str, Decimal]:
    """What is bought at the start, by line."""
    found: dict[str, Decimal] = {}
    for item in option.capex:
        key = _line_of(item.item, CAPEX_LINES)
        key = f"{OTHER}_capex" if key == OTHER else key
        found[key] = found.get(key, Decimal(0)) + item.price(scenario.currency, scenario.fx)
    return found


def bought(key: str) -> CostLine:
    """A line of things bought at the start: Σ quantity · unit price."""

    def compute(option: Option, scenario: Scenario) -> LineCost | None:
        items = [item for item in option.capex if _line_of(item.item, CAPEX_LINES) == key]
        if not items:
            return None
        steps = tuple(_bought_step(key, item, scenario) for item in items)
        at_start = sum((item.price(scenario.currency, scenario.fx) for item in items), Decimal(0))
        return LineCost(steps=steps, at_start=at_start, drivers=(Driver.PURCHASE,))

    return CostLine(key=f"{OTHER}_capex" if key == OTHER else key, kind=LineKind.CAPEX, compute=compute)


def monthly(key: str) -> CostLine:
    """A line of things paid every month: 12 · monthly cost a year."""

    def compute(option: Option, scenario: Scenario) -> LineCost | None:
        items = [item for item in option.opex if _line_of(item.item, OPEX_LINES) == key]
        if not items:
            return None
        steps = tuple(_monthly_step(key, item, scenario) for item in items)
        per_month = sum((scenario.fx.convert(item.monthly_cost, scenario.currency).amount for item in items), Decimal(0))
        return LineCost(steps=steps, per_year=per_month * MONTHS_PER_YEAR, drivers=(Driver.OPEX,))

    return CostLine(key=f"{OTHER}_opex" if key == OTHER else key, kind=LineKind.OPEX, compute=compute)


def once(key: str) -> CostLine:
    """A line of single payments, each at the end of its month."""

    def compute(option: Option, scenario: Scenario) -> LineCost | None:
        payments = [
            payment for payment in option.one_off if payment.amount.amount and _line_of(payment.item, ONE_OFF_LINES, ONE_OFF) == key
        ]
        if not payments:
            return None
        dated = tuple((payment.month, scenario.fx.convert(payment.amount, scenario.currency).amount) for payment in payments)
        return LineCost(steps=tuple(_once_step(key, payment, scenario) for payment in payments), dated=dated)

    return CostLine(key=key, kind=LineKind.OPEX, compute=compute)


def paid_monthly(step: Step, per_month: Decimal, months: int, scenario: Scenario, drivers: tuple[Driver, ...]) -> LineCost:
    """A monthly payment for so many months: a term that ends sooner than the plan stops, one that outlasts it is settled when the plan ends."""
    last = scenario.month_count
    if months >= last:
        rest = per_month * (months - last)
        return LineCost(steps=(step,), per_year=per_month * MONTHS_PER_YEAR, dated=((last, rest),) if rest else (), drivers=drivers)
    return LineCost(steps=(step,), dated=tuple((month, per_month) for month in range(1, months + 1)), drivers=drivers)


def _line_of(item: str, lines: Mapping[str, tuple[str, ...]], other: str = OTHER) -> str:
    word = item.strip().casefold()
    return next((key for key, names in lines.items() if word in names), other)


def _once_step(key: str, payment: OneOff, scenario: Scenario) -> Step:
    amount = float(scenario.fx.convert(payment.amount, scenario.currency).amount)
    source = payment.source or payment.item
    return Step(
        key=f"cost.{key}",
        formula="c",
        inputs=(
            Input(symbol="c", value=amount, unit=scenario.currency.value, source=source),
            Input(symbol="m", value=payment.month, unit="month"),
        ),
        result=amount,
        unit=scenario.currency.value,
        source=source,
    )


def _bought_step(key: str, item: CapexItem, scenario: Scenario) -> Step:
    quoted = item.unit_price.currency
    inputs = [
        Input(symbol="p", value=float(item.unit_price.amount), unit=quoted.value, source=item.source),
        Input(symbol="q", value=float(item.quantity)),
    ]
    if quoted is not scenario.currency:
        inputs.append(_rate(scenario))
    return Step(
        key=f"cost.{key}",
        formula="p · q" if quoted is scenario.currency else "p · q · fx" if quoted is scenario.fx.base else "p · q ÷ fx",
        inputs=tuple(inputs),
        result=float(item.price(scenario.currency, scenario.fx)),
        unit=scenario.currency.value,
        source=item.source or item.item,
    )


def _monthly_step(key: str, item: OpexItem, scenario: Scenario) -> Step:
    converted = scenario.fx.convert(item.monthly_cost, scenario.currency).amount
    return Step(
        key=f"cost.{key}",
        formula="c · n",
        inputs=(
            Input(symbol="c", value=float(converted), unit=f"{scenario.currency.value}/month", source=item.source or item.item),
            Input(symbol="n", value=scenario.month_count, unit="months"),
        ),
        result=float(converted * scenario.month_count),
        unit=scenario.currency.value,
        source=item.source or item.item,
    )


def _rate(scenario: Scenario) -> Input:
    fx = scenario.fx
    return Input(symbol="fx", value=float(fx.rate), unit=f"{fx.quote.value}/{fx.base.value}", source=f"{fx.source}, {fx.on.isoformat()}")
