"""The cost section: options as columns, lines as rows, and what follows."""

from decimal import Decimal

from app.domain.cost import Comparison, Kind, OptionResult, Scenario, TcoResult
from app.domain.cost.books import books_of
from app.domain.cost.lines import LINES
from app.domain.cost.rounding import cents, shared_out
from app.domain.errors import Message, message
from app.domain.money import Money
from app.domain.sheet.rows import said
from app.domain.sheet.sums import sum_steps
from app.domain.sheet.types import BookFigures, CostCell, CostColumn, CostFigures, CostRow, CostSection, TaxFigures

NAMED_OPTIONS = ("own", "rent", "racks", "lease", "mix")  # those that a project has; a scenario may bring any others
TAXES = ("duty", "on_goods", "on_services", "total", "kept")


def cost_section(tco: TcoResult, overrides: tuple[str, ...]) -> CostSection:
    """Everything that finance asks for on one page."""
    return CostSection(
        columns=tuple(_column(option, tco.scenario) for option in tco.options),
        rows=_rows(tco),
        verdicts=_verdicts(tco),
        basis=_basis(tco),
        overrides=overrides,
        figures=_figures(tco.scenario),
    )


def _verdicts(tco: TcoResult) -> tuple[Message, ...]:
    """All that can be said of the first two options; of the others how they stand against the first."""
    first = tco.options[0].option.name
    texts: list[Message] = []
    for index, comparison in enumerate(tco.comparisons):
        if index == 0:
            texts += verdicts(comparison, tco)
        elif comparison.first == first:
            texts.append(_cheaper(comparison, tco))
    return tuple(texts)


def _figures(scenario: Scenario) -> CostFigures:
    fx = scenario.fx
    return CostFigures(
        month_count=scenario.month_count,
        discount_ratio=f"{scenario.discount_ratio:f}",
        discount_source=scenario.discount_source,
        fx_pair=f"{fx.quote.value}/{fx.base.value}",
        fx_rate=f"{fx.rate:f}",
        fx_on=fx.on.isoformat(),
        fx_source=fx.source,
    )


def verdicts(comparison: Comparison, tco: TcoResult) -> tuple[Message, ...]:
    """Which option is cheaper, from which use on, how sure, and when the dearer start is paid back."""
    texts = [_cheaper(comparison, tco)]
    use_ratio = comparison.break_even_utilisation
    if use_ratio is not None:
        first, second = _by_use(comparison, tco)
        texts.append(message("sheet.break_even", above=_name(first), below=_name(second), use_ratio=use_ratio))
    elif "break_even_utilisation" in comparison.reasons:
        texts.append(_named(comparison.reasons["break_even_utilisation"]))
    texts += _rule_of_thumb(comparison, tco)
    if comparison.investment is not None and comparison.payback_months is not None:
        months = round(comparison.payback_months, 1)
        texts.append(message("sheet.payback", name=_name(comparison.investment), months=months))
    elif "payback_months" in comparison.reasons:
        texts.append(_named(comparison.reasons["payback_months"]))
    if comparison.irr is not None and comparison.irr >= 0:
        texts.append(message("sheet.irr", irr_ratio=comparison.irr))
    probability = tco.uncertainty.probability_first_cheaper
    if probability is not None and (comparison.first, comparison.second) == tuple(option.option.name for option in tco.options[:2]):
        texts.append(message("sheet.probability", name=_name(comparison.first), sure_ratio=probability))
    return tuple(texts)


def _rule_of_thumb(comparison: Comparison, tco: TcoResult) -> tuple[Message, ...]:
    """Own above so much use, else rent: what the rule says here, beside what the figures say."""
    ratio = tco.scenario.rule_of_thumb_ratio
    options = {option.option.name: option.option for option in tco.options}
    first, second = options[comparison.first], options[comparison.second]
    if ratio is None or first.kind is Kind.RENT or second.kind is not Kind.RENT:
        return ()
    by_rule, by_figures = first.utilisation_ratio >= ratio, comparison.saving >= 0
    code = "sheet.rule_agrees" if by_rule is by_figures else "sheet.rule_disagrees"
    said_by_rule, said_by_figures = (_name(comparison.first if owns else comparison.second) for owns in (by_rule, by_figures))
    use_ratio = float(first.utilisation_ratio)
    return (message(code, rule_ratio=float(ratio), use_ratio=use_ratio, rule_says=said_by_rule, figures_say=said_by_figures),)


def _cheaper(comparison: Comparison, tco: TcoResult) -> Message:
    saving = Money(cents(abs(comparison.saving)), tco.scenario.currency)
    cheap, dear = (comparison.first, comparison.second) if comparison.saving >= 0 else (comparison.second, comparison.first)
    return message("sheet.cheaper", cheap=_name(cheap), dear=_name(dear), saving=said(saving))


def _by_use(comparison: Comparison, tco: TcoResult) -> tuple[str, str]:
    """The option that is cheaper above the break-even use, then the other: owning is where its cost depends less on use."""
    kinds = {option.option.name: option.option.kind.value for option in tco.options}
    first, second = comparison.first, comparison.second
    return (second, first) if kinds[first] == "rent" and kinds[second] != "rent" else (first, second)


def _name(option: str) -> Message:
    return message(f"sheet.option.{option}") if option in NAMED_OPTIONS else message("sheet.text", text=option)


def _named(reason: Message) -> Message:
    """A reason with the options' names made readable."""
    params = {key: _name(str(value)) if key in ("name", "other") else value for key, value in reason.params.items()}
    return message(reason.code, **params)


def _column(result: OptionResult, scenario: Scenario) -> CostColumn:
    currency = result.total.currency
    low, high = (Money(cents(Decimal(repr(amount))), currency) for amount in (result.range.p10, result.range.p90))
    return CostColumn(
        name=result.option.name,
        kind=result.option.kind.value,
        gpu_count=result.option.gpu_count,
        total=result.total,
        low=low,
        high=high,
        npv=result.npv,
        capex=result.capex,
        opex=result.opex,
        per_gpu_hour=result.per_gpu_hour,
        per_effective_gpu_hour=result.per_effective_gpu_hour,
        energy_kwh=result.kwh,
        steps=sum_steps(result, scenario),
        total_elsewhere=scenario.fx.elsewhere(result.total),
        tax=None if result.tax is None else TaxFigures(**{name: getattr(result.tax, name) for name in TAXES}),
        books=_book_figures(result, scenario),
    )


def _book_figures(result: OptionResult, scenario: Scenario) -> BookFigures | None:
    books = books_of(result.option, scenario)
    if books is None:
        return None
    return BookFigures(
        lines=tuple((message(f"cost.{key}"), amount) for key, amount in books.lines),
        depreciation=books.depreciation,
        interest=books.interest,
        by_year=tuple((year.depreciation, year.interest, year.value) for year in books.years),
    )


def _rows(tco: TcoResult) -> tuple[CostRow, ...]:
    by_option = [_cells(option, tco.scenario) for option in tco.options]
    rows = []
    for line in LINES:
        cells = tuple(found.get(line.key) for found in by_option)
        if any(cells):
            rows.append(CostRow(line=message(f"cost.{line.key}"), kind=line.kind.value, cells=cells))
    return tuple(rows)


def _cells(option: OptionResult, scenario: Scenario) -> dict[str, CostCell]:
    """The lines of an option; in the other currency they add up to its total there."""
    total, fx = scenario.fx.elsewhere(option.total), scenario.fx
    there = shared_out(total.amount, [fx.convert(line.total, total.currency).amount for line in option.lines])
    return {
        line.key: CostCell(amount=line.total, by_year=line.by_year, derivation=line.derivation, elsewhere=Money(amount, total.currency))
        for line, amount in zip(option.lines, there, strict=True)
    }


def _basis(tco: TcoResult) -> tuple[Message, ...]:
    scenario = tco.scenario
    fx = scenario.fx
    return (
        message("sheet.basis.years", months=scenario.month_count),
        message("sheet.basis.rate", rate_ratio=float(scenario.discount_ratio)),
        message("sheet.basis.fx", base=fx.base.value, rate=f"{fx.rate:f}", quote=fx.quote.value, on=fx.on.isoformat(), source=fx.source),
        message("sheet.basis.tax"),
        message("sheet.basis.range", draws=tco.uncertainty.draw_count, seed=str(tco.uncertainty.seed)),
    )
