"""The answer to a TCO scenario as JSON: the contract's keys, and what was added to them since (kinds of lines, ranges, reasons)."""

from decimal import Decimal
from typing import Any

from app.domain.cost import Comparison, LineResult, OptionResult, Range, TcoResult
from app.domain.cost.rounding import cents
from app.domain.cost.tax import Tax
from app.domain.money import Currency, FxRate, Money
from app.text.catalogues import DEFAULT_LOCALE
from app.text.render import render
from app.wire.derivations import assumption_json, derivation_json, money_json


def tco_json(result: TcoResult, locale: str = DEFAULT_LOCALE) -> dict[str, Any]:
    """Everything that was asked and answered, texts in the reader's language."""
    scenario = result.scenario
    return {
        "currency": scenario.currency.value,
        "years": scenario.years,
        "discount_rate": float(scenario.discount_ratio),
        "fx": {
            f"{scenario.fx.base}/{scenario.fx.quote}": f"{scenario.fx.rate:f}",
            "on": scenario.fx.on.isoformat(),
            "source": scenario.fx.source,
        },
        "options": [_option(option, scenario.fx) for option in result.options],
        "comparison": [_comparison(comparison, scenario.currency, locale) for comparison in result.comparisons],
        "uncertainty": _uncertainty(result),
        "assumptions": [assumption_json(assumption, locale) for assumption in result.assumptions],
    }


def _option(result: OptionResult, fx: FxRate) -> dict[str, Any]:
    currency = result.total.currency
    return {
        "name": result.option.name,
        "kind": result.option.kind.value,
        "n_gpus": result.option.gpu_count,
        "total": money_json(result.total),
        "total_elsewhere": money_json(fx.elsewhere(result.total)),
        "npv": money_json(result.npv),
        "capex": money_json(result.capex),
        "opex": money_json(result.opex),
        "range": _range(result.range, currency),
        "lines": [_line(line) for line in result.lines],
        "by_year": [
            {
                "year": year.year,
                "capex": money_json(year.capex),
                "opex": money_json(year.opex),
                "depreciation": money_json(year.depreciation),
            }
            for year in result.by_year
        ],
        "per_gpu_hour": None if result.per_gpu_hour is None else money_json(result.per_gpu_hour),
        "per_effective_gpu_hour": None if result.per_effective_gpu_hour is None else money_json(result.per_effective_gpu_hour),
        "kwh": result.kwh,
        "tax": None if result.tax is None else _tax(result.tax),
    }


def _tax(tax: Tax) -> dict[str, Any]:
    """On top of the total, never in it; `kept` is what the buyer cannot recover."""
    return {key: money_json(getattr(tax, key)) for key in ("duty", "on_goods", "on_services", "total", "kept")}


def _line(line: LineResult) -> dict[str, Any]:
    return {
        "line": line.key,
        "kind": line.kind.value,
        "total": money_json(line.total),
        "by_year": [money_json(year) for year in line.by_year],
        "derivation": derivation_json(line.derivation),
    }


def _comparison(comparison: Comparison, currency: Currency, locale: str) -> dict[str, Any]:
    reasons = {key: render(reason, locale) for key, reason in comparison.reasons.items()}
    return {
        "a": comparison.first,
        "b": comparison.second,
        "break_even_utilisation": comparison.break_even_utilisation,
        "break_even_hours": comparison.break_even_hours,
        "payback_months": comparison.payback_months,
        "irr": comparison.irr,
        "investment": comparison.investment,
        "npv_saving": money_json(Money(cents(comparison.saving), currency)),
        "reason": reasons.get("break_even_utilisation"),
        "reasons": reasons,
    }


def _uncertainty(result: TcoResult) -> dict[str, Any]:
    """The range of the first option's total; against the second, how often it is cheaper and the range of what it saves."""
    draws, currency = result.uncertainty, result.scenario.currency
    return {
        "of": result.options[0].option.name,
        **_range(draws.options[0], currency),
        "probability_a_cheaper": draws.probability_first_cheaper,
        "npv_saving": None if draws.saving is None else _range(draws.saving, currency),
        "draws": draws.draw_count,
        "seed": draws.seed,
        "inputs": [
            {
                "option": option.name,
                "input": driver.value,
                "low_ratio": spread.low_ratio,
                "high_ratio": spread.high_ratio,
                "source": spread.source,
            }
            for option in result.scenario.options
            for driver, spread in option.spreads.items()
        ],
    }


def _range(values: Range, currency: Currency) -> dict[str, Any]:
    amounts = {"p10": values.p10, "p50": values.p50, "p90": values.p90}
    return {key: money_json(Money(cents(Decimal(repr(amount))), currency)) for key, amount in amounts.items()}
