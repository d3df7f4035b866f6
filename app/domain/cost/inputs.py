"""The inputs of a scenario as people see and change them: each with its value, unit and source, and the scenario with some of them replaced."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from app.domain.cost import spreads
from app.domain.cost.breakeven import used
from app.domain.cost.input_kinds import ADDED, KINDS, STATED, InputKind
from app.domain.cost.scenario import Driver, Option, Scenario, Spread
from app.domain.errors import InvalidInput
from app.domain.money import Currency, Money

DISCOUNT = "discount_rate"
SHARED = ("electricity_per_kwh", "pue", "maintenance_ratio_per_year")
USE = "utilisation"  # of all options: they do the same work
EVERYWHERE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostInput:
    """One input: `key` is the option and the contract's name of the input. A ratio is shown in per cent; money is in the scenario's currency."""

    key: str
    label: str
    value: Decimal
    unit: str  # money | ratio | 1 | w
    per: str  # what an amount is for: gpu | kwh | month | gpu_hour | plan | ""
    source: str
    least: Decimal
    most: Decimal
    is_whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A value that somebody put in an input's place; money carries its currency."""

    value: Decimal
    currency: Currency | None = None
    by: str | None = field(default=None, compare=False, repr=False)  # who put it there; nobody knows of the oldest
    on: date | None = field(default=None, compare=False, repr=False)


Overrides = Mapping[str, Mapping[str, Override]]
"""By configuration (see `Candidate.configuration`), then by key; under `EVERYWHERE` what holds whatever is bought."""


def inputs(scenario: Scenario) -> tuple[CostInput, ...]:
    """Every input that can be changed, in reading order."""
    first = scenario.options[0]
    found = [
        _share(DISCOUNT, scenario.discount_ratio, "year", scenario.discount_source),
        _share(USE, first.utilisation_ratio, "", first.sources.get(USE, "")),
    ]
    for option in scenario.options:
        for kind in KINDS:
            held = kind.read(option)
            if held is not None:
                value = _amount(held[0], scenario)
                found.append(
                    CostInput(
                        key=f"{option.name}.{kind.name}",
                        label=kind.name,
                        value=value,
                        unit=kind.unit,
                        per=kind.per,
                        source=held[1],
                        least=kind.least,
                        most=kind.most,
                    )
                )
    return tuple(found)


def with_overrides(scenario: Scenario, overrides: Mapping[str, Override]) -> Scenario:
    """The scenario with these inputs replaced; what no option has any more is left out. InvalidInput: a value outside its bounds."""
    bounds = {entry.key: entry for entry in inputs(scenario)}
    for key, override in overrides.items():
        if key in bounds:
            check(bounds[key], override.value)
    if DISCOUNT in overrides:
        scenario = replace(scenario, discount_ratio=overrides[DISCOUNT].value, discount_source=STATED)
        kept = tuple(assumption for assumption in scenario.assumptions if assumption.field != DISCOUNT)
        scenario = replace(scenario, assumptions=kept)
    options = []
    for option in scenario.options:
        changed = option
        if USE in overrides:
            changed = replace(used(option, overrides[USE].value), sources=dict(option.sources) | {USE: STATED})
        for kind in KINDS:
            wanted = overrides.get(f"{option.name}.{kind.name}")
            if wanted is not None and kind.read(option) is not None:
                changed = _changed(changed, kind, wanted, scenario)
        if f"{option.name}.residual" not in overrides:
            changed = _revalued(option, changed, scenario)
        options.append(changed)
    return replace(scenario, options=tuple(options))


def is_shared(key: str) -> bool:
    """Whether an input holds whatever is bought: rates and shares do, the prices and watts of one configuration do not."""
    return key in (DISCOUNT, USE) or key.rpartition(".")[2] in SHARED


def of_configuration(overrides: Overrides, configuration: str | None) -> dict[str, Override]:
    """Those that hold whatever is bought, and those that were set for this configuration."""
    return {**overrides.get(EVERYWHERE, {}), **(overrides.get(configuration, {}) if configuration else {})}


def _share(key: str, value: Decimal, per: str, source: str) -> CostInput:
    return CostInput(key=key, label=key, value=value, unit="ratio", per=per, source=source, least=Decimal(0), most=Decimal(1))


def check(entry: CostInput, value: Decimal) -> None:
    """InvalidInput: the value lies outside what the input can be."""
    if not value.is_finite() or not entry.least <= value <= entry.most:
        scale = 100 if entry.unit == "ratio" else 1
        raise InvalidInput(
            entry.key,
            "document.out_of_range",
            least=f"{(entry.least * scale).normalize():,f}",
            most=f"{(entry.most * scale).normalize():,f}",
        )
    if entry.is_whole and value % 1:
        raise InvalidInput(entry.key, "document.not_whole")


def _changed(option: Option, kind: InputKind, override: Override, scenario: Scenario) -> Option:
    value: Money | Decimal = override.value
    if kind.unit == "money":
        value = Money(override.value, override.currency or scenario.currency)
    option = kind.write(option, value)
    sources = dict(option.sources) | {kind.driver or kind.name: STATED}
    drawn = dict(option.spreads)
    assumptions = option.assumptions
    if kind.name in ADDED:
        assumptions = tuple(assumption for assumption in assumptions if assumption.field != kind.name)
    if kind.driver is not None:
        drawn.pop(kind.driver, None)
        if spread := _stated_spread(kind.driver, option, scenario):
            drawn[kind.driver] = spread
        if kind.driver is not Driver.PURCHASE:
            assumptions = tuple(assumption for assumption in assumptions if assumption.field != kind.driver)
    return replace(option, sources=sources, spreads=drawn, assumptions=assumptions)


def _revalued(before: Option, after: Option, scenario: Scenario) -> Option:
    """What is left at the end follows the price of the GPUs it is left of."""
    old, new = (
        sum((scenario.fx.convert(entry.unit_price, scenario.currency).amount for entry in option.capex if entry.item == "gpu"), Decimal(0))
        for option in (before, after)
    )
    if after.residual_value is None or old == new or not old:
        return after
    return replace(after, residual_value=after.residual_value.times(new / old))


def _stated_spread(driver: Driver, option: Option, scenario: Scenario) -> Spread | None:
    """What a stated value leaves open: a quoted price may still move a little, a rent or a residual drifts."""
    if driver is Driver.PURCHASE:
        return spreads.stated_price()
    if driver is Driver.RENT and not option.commitment.is_fixed:
        return spreads.rent_drift(scenario.years)
    if driver is Driver.ELECTRICITY:
        return spreads.electricity_drift(scenario.years)
    return spreads.residual_left(scenario.years).spread if driver is Driver.RESIDUAL else None


def _amount(value: Money | Decimal, scenario: Scenario) -> Decimal:
    return scenario.fx.convert(value, scenario.currency).amount if isinstance(value, Money) else value
