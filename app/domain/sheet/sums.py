"""How the sums of an option were reached."""

from decimal import Decimal

from app.domain.cost import LineResult, OptionResult, Scenario
from app.domain.cost.finance import annuity, monthly_rate
from app.domain.cost.hours import held_gpu_hours, used_gpu_hours
from app.domain.cost.line import LineKind
from app.domain.cost.scenario import MONTHS_PER_YEAR
from app.domain.estimate import Derivation, Input, Step
from app.domain.money import Money


def sum_steps(result: OptionResult, scenario: Scenario) -> Derivation:
    """Capex, opex, total, present value and the two prices of an hour."""
    unit = scenario.currency.value
    capex = [line for line in result.lines if line.kind is LineKind.CAPEX]
    opex = [line for line in result.lines if line.kind is LineKind.OPEX]
    total = _sum("total", (("capex", result.capex), ("opex", result.opex)), result.total, unit)
    hours = [
        _hour(key, price, held, result, scenario)
        for key, price, held in (
            ("per_gpu_hour", result.per_gpu_hour, held_gpu_hours(result.option)),
            ("per_effective_gpu_hour", result.per_effective_gpu_hour, used_gpu_hours(result.option)),
        )
        if price is not None
    ]
    return (_lines("capex", capex, result.capex, unit), _lines("opex", opex, result.opex, unit), total, _present(result, scenario), *hours)


def _lines(key: str, lines: list[LineResult], total: Money, unit: str) -> Step:
    return _sum(key, tuple((line.key, line.total) for line in lines), total, unit)


def _sum(key: str, parts: tuple[tuple[str, Money], ...], total: Money, unit: str) -> Step:
    inputs = tuple(
        Input(symbol=name, value=float(part.amount), unit=unit, step=f"cost.{name.removesuffix('_capex').removesuffix('_opex')}")
        for name, part in parts
    )
    formula = " + ".join(name for name, _ in parts) or "0"
    return Step(key=f"cost.{key}", formula=formula, inputs=inputs, result=float(total.amount), unit=unit, source="")


def _present(result: OptionResult, scenario: Scenario) -> Step:
    """Start + monthly payments · annuity + dated payments, each discounted to the start."""
    unit, rate = scenario.currency.value, monthly_rate(scenario.discount_ratio)
    costs = [line.exact for line in result.lines]
    dated = [(month, amount) for cost in costs for month, amount in cost.dated]
    inputs = (
        Input(symbol="C₀", value=float(sum((cost.at_start for cost in costs), Decimal(0))), unit=unit),
        Input(symbol="c", value=float(sum((cost.per_year for cost in costs), Decimal(0)) / MONTHS_PER_YEAR), unit=f"{unit}/month"),
        Input(symbol="a", value=float(annuity(rate, scenario.month_count)), unit="months"),
        Input(symbol="D", value=float(sum((amount / (1 + rate) ** month for month, amount in dated), Decimal(0))), unit=unit),
        Input(symbol="i", value=float(rate), unit="1/month", source=scenario.discount_source),
    )
    formula = "C₀ + c · a + D"
    return Step(key="cost.npv", formula=formula, inputs=inputs, result=float(result.npv.amount), unit=unit, source="")


def _hour(key: str, price: Money, gpu_hours_per_year: Decimal, result: OptionResult, scenario: Scenario) -> Step:
    """Present value over the present value of the hours."""
    unit = scenario.currency.value
    worth = annuity(monthly_rate(scenario.discount_ratio), scenario.month_count)
    inputs = (
        Input(symbol="PV", value=float(result.npv.amount), unit=unit, step="cost.npv"),
        Input(symbol="n", value=result.option.gpu_count),
        Input(symbol="h", value=float(gpu_hours_per_year / result.option.gpu_count / MONTHS_PER_YEAR), unit="h/month"),
        Input(symbol="a", value=float(worth), unit="months"),
    )
    return Step(key=f"cost.{key}", formula="PV ÷ (n · h · a)", inputs=inputs, result=float(price.amount), unit=unit, source="")
