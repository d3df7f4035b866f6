"""Published and worked cost calculations, as far as a scenario can express them, against the engine. `expected` empty: never breaks even."""

import csv
import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from app.domain.cost import TcoResult, evaluate
from app.seeds import default_fx
from app.wire.tco import parse_scenario

ROWS = list(csv.DictReader((Path(__file__).parent / "tco_examples.csv").read_text(encoding="utf-8").splitlines()))


def figure_of(result: TcoResult, figure: str) -> Decimal | float | None:
    """The figure that a row names: `total:own`, `line:own:electricity`, `break_even` …"""
    name, *where = figure.split(":")
    options = {option.option.name: option for option in result.options}
    if name in ("break_even", "break_even_hours", "payback", "saving"):
        comparison = result.comparisons[0]
        return {
            "break_even": comparison.break_even_utilisation,
            "break_even_hours": comparison.break_even_hours,
            "payback": comparison.payback_months,
            "saving": comparison.saving,
        }[name]
    option = options[where[0]]
    if name == "line":
        return next(line.total.amount for line in option.lines if line.key == where[1])
    if name == "depreciation":
        return option.by_year[int(where[1]) - 1].depreciation.amount
    hourly = option.per_effective_gpu_hour
    return {
        "total": option.total.amount,
        "npv": option.npv.amount,
        "kwh": option.kwh,
        "per_effective": None if hourly is None else hourly.amount,
    }[name]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['example']}-{row['quantity']}")
def test_published_calculation(row: dict[str, str]) -> None:
    scenario = parse_scenario(json.loads(row["scenario"]), default_fx(date(2026, 11, 30)))
    figure = figure_of(evaluate(scenario), row["figure"])
    if not row["expected"]:
        assert figure is None
    else:
        assert float(figure or 0) == pytest.approx(float(row["expected"]), rel=float(row["tolerance"]), abs=1e-12)
