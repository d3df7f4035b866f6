"""The formulas of derivations: the examples are computed, and of every step only its symbols are kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from app.domain.capacity import estimate, resolve_hardware
from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost import evaluate
from app.domain.estimate import Step
from app.seeds import default_fx
from app.services.methodology.examples import SCENARIO, WORKLOADS
from app.wire.tco import parse_scenario
from app.wire.workload import parse_workload

RATE_ON = date(2026, 1, 1)  # any: amounts are not kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """An input of a formula: its unit, what it is, and the step that makes it where one does."""

    name: str
    unit: str
    note: str
    step: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A step without its numbers. `key` names the figure."""

    key: str
    formula: str
    symbols: tuple[Symbol, ...]
    unit: str
    rule: str | None
    source: str


def capacity_formulas(catalogue: Catalogue) -> tuple[Formula, ...]:
    """Every step of memory, speed, serving, collectives and whole runs; a figure with several ways has several formulas."""
    steps: list[Step] = []
    for document in WORKLOADS:
        workload, _ = parse_workload(document, catalogue)
        hardware, _ = resolve_hardware(workload, catalogue)
        steps.extend(estimate(workload, hardware).derivation)
    return _formulas(steps)


def cost_formulas(catalogue: Catalogue) -> dict[str, tuple[Formula, ...]]:
    """The steps behind each line of the cost table."""
    scenario = parse_scenario(SCENARIO, default_fx(RATE_ON), catalogue)
    steps: dict[str, list[Step]] = {}
    for option in evaluate(scenario).options:
        for line in option.lines:
            steps.setdefault(line.key, []).extend(line.derivation)
    return {key: _formulas(found) for key, found in steps.items()}


def _formulas(steps: Iterable[Step]) -> tuple[Formula, ...]:
    found: dict[tuple[str, str], Formula] = {}
    for step in steps:
        symbols = tuple(Symbol(name=one.symbol, unit=one.unit, note=one.source, step=one.step) for one in step.inputs)
        formula = Formula(key=step.key, formula=step.formula, symbols=symbols, unit=step.unit, rule=step.rule, source=step.source)
        found.setdefault((step.key, step.formula), formula)
    order = {key: index for index, key in enumerate(dict.fromkeys(key for key, _ in found))}
    return tuple(sorted(found.values(), key=lambda formula: order[formula.key]))
