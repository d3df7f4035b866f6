"""Puts a scenario's lines together: totals, present values, yearly tables, costs per hour, comparisons and their uncertainty."""

from dataclasses import dataclass
from decimal import Decimal, localcontext

from app.domain.cost.breakeven import Comparison, compare
from app.domain.cost.depreciation import written_off
from app.domain.cost.finance import annuity, monthly_rate, present_value
from app.domain.cost.hours import held_gpu_hours, used_gpu_hours
from app.domain.cost.line import LineCost, LineKind
from app.domain.cost.lines import LINES
from app.domain.cost.rounding import cents, shared_out
from app.domain.cost.scenario import MONTHS_PER_YEAR, Option, Scenario
from app.domain.cost.tax import Tax, tax_of
from app.domain.cost.uncertainty import Range, Uncertainty, uncertainty
from app.domain.estimate import Assumption, Derivation
from app.domain.money import Money

PRECISION = 60  # decimal digits: every product of bounded inputs stays exact
HOURLY = Decimal("0.0001")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineResult:
    """One line as shown: `by_year` adds up to `total`, and the lines of a kind to the option's sum of that kind."""

    key: str
    kind: LineKind
    total: Money
    by_year: tuple[Money, ...]
    derivation: Derivation
    exact: LineCost


@dataclass(frozen=True, slots=True, kw_only=True)
class YearCost:
    """One row of the yearly table. Residual value reduces the capex of the last year."""

    year: int
    capex: Money
    opex: Money
    depreciation: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionResult:
    """Everything about one option. `npv` is the present value of its cost; `range` the spread of its total."""

    option: Option
    total: Money
    npv: Money
    capex: Money
    opex: Money
    lines: tuple[LineResult, ...]
    by_year: tuple[YearCost, ...]
    per_gpu_hour: Money | None
    per_effective_gpu_hour: Money | None
    kwh: float
    cumulative: tuple[float, ...]  # cash out up to the end of each month, the start first
    range: Range
    tax: Tax | None = None  # on top of the total, never in it


@dataclass(frozen=True, slots=True, kw_only=True)
class TcoResult:
    """The answer to a scenario."""

    scenario: Scenario
    options: tuple[OptionResult, ...]
    comparisons: tuple[Comparison, ...]
    uncertainty: Uncertainty
    assumptions: tuple[Assumption, ...]


def evaluate(scenario: Scenario) -> TcoResult:
    """Every option on the scenario's basis, and each pair of options against each other."""
    with localcontext() as context:
        context.prec = PRECISION
        costs = tuple(_costs(option, scenario) for option in scenario.options)
        drawn = tuple(tuple((leaf, cost) for leaf in option.leaves for _, _, cost in _leaf(leaf, scenario)) for option in scenario.options)
        draws = uncertainty(scenario, drawn)
        options = tuple(
            _result(option, scenario, lines, spread) for option, lines, spread in zip(scenario.options, costs, draws.options, strict=True)
        )
        comparisons = tuple(
            compare(scenario, first, second, _present_value)
            for index, first in enumerate(scenario.options)
            for second in scenario.options[index + 1 :]
        )
    stated = scenario.assumptions + tuple(assumption for option in scenario.options for assumption in option.assumptions)
    assumptions = tuple(assumption for index, assumption in enumerate(stated) if assumption not in stated[:index])
    return TcoResult(scenario=scenario, options=options, comparisons=comparisons, uncertainty=draws, assumptions=assumptions)


Costs = tuple[tuple[str, LineKind, LineCost], ...]


def _leaf(option: Option, scenario: Scenario) -> Costs:
    computed = ((line, line.compute(option, scenario)) for line in LINES)
    return tuple((line.key, line.kind, cost) for line, cost in computed if cost is not None)


def _costs(option: Option, scenario: Scenario) -> Costs:
    """The lines of an option; those of a mixture are its parts' together."""
    joined: dict[str, LineCost] = {}
    for leaf in option.leaves:
        for key, _, cost in _leaf(leaf, scenario):
            joined[key] = joined[key].joined(cost) if key in joined else cost
    return tuple((line.key, line.kind, joined[line.key]) for line in LINES if line.key in joined)


def _present_value(option: Option, scenario: Scenario) -> Decimal:
    return _worth(_costs(option, scenario), scenario)


def _worth(costs: Costs, scenario: Scenario) -> Decimal:
    rate = monthly_rate(scenario.discount_ratio)
    return sum((present_value(cost, rate, scenario.month_count) for _, _, cost in costs), Decimal(0))


def _result(option: Option, scenario: Scenario, costs: Costs, spread: Range) -> OptionResult:
    months, currency = scenario.month_count, scenario.currency
    exact = {kind: sum((cost.total(months) for _, of, cost in costs if of is kind), Decimal(0)) for kind in LineKind}
    total = cents(sum(exact.values(), Decimal(0)))
    kinds = dict(zip(LineKind, shared_out(total, list(exact.values())), strict=True))
    lines = tuple(line for kind in LineKind for line in _lines(costs, kind, kinds[kind], scenario))
    present = _worth(costs, scenario)
    return OptionResult(
        option=option,
        total=Money(total, currency),
        npv=Money(cents(present), currency),
        capex=Money(kinds[LineKind.CAPEX], currency),
        opex=Money(kinds[LineKind.OPEX], currency),
        lines=lines,
        by_year=_years(option, scenario, lines),
        per_gpu_hour=_per_hour(scenario, present, held_gpu_hours(option)),
        per_effective_gpu_hour=_per_hour(scenario, present, used_gpu_hours(option)),
        kwh=float(sum((cost.yearly_kwh for _, _, cost in costs), Decimal(0)) * months / MONTHS_PER_YEAR),
        cumulative=_cumulative(costs, months),
        range=spread,
        tax=None if scenario.tax is None else tax_of(costs, scenario.tax, months, currency),
    )


def _lines(costs: Costs, kind: LineKind, total: Decimal, scenario: Scenario) -> tuple[LineResult, ...]:
    chosen = [(key, cost) for key, of, cost in costs if of is kind]
    months, currency = scenario.month_count, scenario.currency
    amounts = shared_out(total, [cost.total(months) for _, cost in chosen])
    results = []
    for (key, cost), amount in zip(chosen, amounts, strict=True):
        years = shared_out(amount, [cost.in_year(year, months) for year in range(1, scenario.year_count + 1)])
        by_year = tuple(Money(share, currency) for share in years)
        results.append(LineResult(key=key, kind=kind, total=Money(amount, currency), by_year=by_year, derivation=cost.steps, exact=cost))
    return tuple(results)


def _years(option: Option, scenario: Scenario, lines: tuple[LineResult, ...]) -> tuple[YearCost, ...]:
    currency, fx = scenario.currency, scenario.fx
    books = [
        written_off(
            leaf.purchase(currency, fx),
            fx.convert(leaf.residual_value, currency).amount if leaf.residual_value else Decimal(0),
            scenario.month_count,
            leaf.depreciation,
        )
        for leaf in option.leaves
        if leaf.lease is None
    ] or [(Decimal(0),) * scenario.year_count]
    book = [sum(year, Decimal(0)) for year in zip(*books, strict=True)]
    written = shared_out(cents(sum(book, Decimal(0))), book)
    return tuple(
        YearCost(
            year=index + 1,
            capex=_sum(lines, LineKind.CAPEX, index, scenario),
            opex=_sum(lines, LineKind.OPEX, index, scenario),
            depreciation=Money(written[index], currency),
        )
        for index in range(scenario.year_count)
    )


def _sum(lines: tuple[LineResult, ...], kind: LineKind, index: int, scenario: Scenario) -> Money:
    return Money(sum((line.by_year[index].amount for line in lines if line.kind is kind), Decimal(0)), scenario.currency)


def _per_hour(scenario: Scenario, present: Decimal, gpu_hours_per_year: Decimal) -> Money | None:
    """NPC / PV(n · h): levelised, as energy is priced. Source: tco formula set §6."""
    worth = annuity(monthly_rate(scenario.discount_ratio), scenario.month_count)
    hours = gpu_hours_per_year / MONTHS_PER_YEAR * worth
    return Money((present / hours).quantize(HOURLY), scenario.currency) if hours else None


def _cumulative(costs: Costs, month_count: int) -> tuple[float, ...]:
    totals = [float(sum((cost.at_start for _, _, cost in costs), Decimal(0)))]
    monthly = float(sum((cost.per_year for _, _, cost in costs), Decimal(0)) / MONTHS_PER_YEAR)
    dated: dict[int, float] = {}
    for _, _, cost in costs:
        for month, amount in cost.dated:
            dated[month] = dated.get(month, 0.0) + float(amount)
    totals[0] += dated.get(0, 0.0)
    for month in range(1, month_count + 1):
        totals.append(totals[-1] + monthly + dated.get(month, 0.0))
    return tuple(totals)
