"""Electricity: what the meter of the room counts, cooling included through the PUE."""

from decimal import Decimal

from app.domain.cost.line import CostLine, LineCost, LineKind
from app.domain.cost.scenario import MONTHS_PER_YEAR, Driver, Option, Power, Scenario
from app.domain.estimate import Input, Step
from app.domain.units import KILO

_KILO = Decimal(int(KILO))


def electricity(option: Option, scenario: Scenario) -> LineCost | None:
    """kWh = (n·P_gpu + P_host)·h·PUE / 1000; cost = kWh · tariff.

    Source: tco formula set §2. Valid: metered energy without a demand charge. Anchor: 250 W, 3 years = 6 570 kWh."""
    if option.power is None or option.electricity_price is None:
        return None
    if option.colocation is not None and option.colocation.includes_power:
        return None
    gpu_w = option.power.gpu_w(option.utilisation_ratio)
    node_w = gpu_w * option.gpu_count + option.power.host_w
    yearly_kwh = node_w * option.hours_per_year * option.pue_ratio / _KILO
    tariff = scenario.fx.convert(option.electricity_price, scenario.currency).amount
    per_year = yearly_kwh * tariff
    steps = (
        _power_step(option, option.power, node_w),
        _energy_step(option, scenario, node_w, yearly_kwh),
        Step(
            key="cost.electricity",
            formula="E · p",
            inputs=(
                Input(symbol="E", value=float(yearly_kwh * scenario.month_count / MONTHS_PER_YEAR), unit="kWh", step="cost.energy"),
                Input(
                    symbol="p",
                    value=float(tariff),
                    unit=f"{scenario.currency.value}/kWh",
                    source=option.sources.get(Driver.ELECTRICITY, ""),
                ),
            ),
            result=float(per_year * scenario.month_count / MONTHS_PER_YEAR),
            unit=scenario.currency.value,
            source="",
        ),
    )
    drivers = (Driver.POWER, Driver.PUE, Driver.ELECTRICITY)
    return LineCost(steps=steps, per_year=per_year, drivers=drivers, yearly_kwh=yearly_kwh)


def _power_step(option: Option, power: Power, node_w: Decimal) -> Step:
    source = option.sources.get(Driver.POWER, "")
    count = Input(symbol="n", value=option.gpu_count)
    host = Input(symbol="P_host", value=float(power.host_w), unit="W", source=option.sources.get("power.host_w", source))
    if power.average_w is not None:
        formula = "n · P + P_host"
        inputs: tuple[Input, ...] = (count, Input(symbol="P", value=float(power.average_w), unit="W", source=source), host)
    else:
        formula = "n · (P_idle + b · (P_busy − P_idle)) + P_host"
        busy_ratio = option.utilisation_ratio if power.busy_ratio is None else power.busy_ratio
        inputs = (
            count,
            Input(symbol="P_idle", value=float(power.idle_w), unit="W", source=option.sources.get("power.idle_w", source)),
            Input(symbol="P_busy", value=float(power.typical_w), unit="W", source=source),
            Input(symbol="b", value=float(busy_ratio)),
            host,
        )
    return Step(key="cost.power", formula=formula, inputs=inputs, result=float(node_w), unit="W", source="")


def _energy_step(option: Option, scenario: Scenario, node_w: Decimal, yearly_kwh: Decimal) -> Step:
    return Step(
        key="cost.energy",
        formula="P · h · y · PUE ÷ 1000",
        inputs=(
            Input(symbol="P", value=float(node_w), unit="W", step="cost.power"),
            Input(symbol="h", value=float(option.hours_per_year), unit="h/year", source=option.sources.get("hours_per_year", "")),
            Input(symbol="y", value=scenario.years, unit="years"),
            Input(symbol="PUE", value=float(option.pue_ratio), source=option.sources.get(Driver.PUE, "")),
        ),
        result=float(yearly_kwh * scenario.month_count / MONTHS_PER_YEAR),
        unit="kWh",
        source="",
    )


LINE = CostLine(key="electricity", kind=LineKind.OPEX, compute=electricity)
