"""The workbook, stripped of every stored result and calculated by others, says what the engine says: to the cent, for every kind of option."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.domain.cost import TcoResult, evaluate
from app.domain.money import Currency, FxRate
from app.domain.sheet.cost import cost_section
from app.export.issue import Issue
from app.export.sections import option_name
from app.export.writers import WRITERS
from app.text.render import render
from app.wire.sheet import canonical, fingerprint
from app.wire.tco import parse_scenario
from tests.factories.recalculation import OFFICE, named_cells, recalculated, recalculated_here, without_results
from tests.factories.scenarios import EVERY_KIND, a_document
from tests.factories.sheets import the_sheet

FX = FxRate(base=Currency.USD, quote=Currency.CNY, rate=Decimal(7), on=date(2026, 10, 30), source="test")
MODEL_SHEET = 4
Calculate = Callable[[bytes, Path, Mapping[str, float]], list[list[Any]]]
needs_office = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed; a library recalculated what stands below")


def result_of(**changes: Any) -> TcoResult:
    return evaluate(parse_scenario(a_document(**changes), FX))


def workbook_of(result: TcoResult, locale: str = "en") -> bytes:
    sheet = replace(the_sheet(), cost=cost_section(result, ()))
    document = canonical(sheet)
    return WRITERS["xlsx"].write(Issue(sheet=sheet, document=document, sha256=fingerprint(document)), locale)


@cache
def every_kind() -> bytes:
    return workbook_of(result_of())


def calculated(book: bytes, folder: Path, changes: Mapping[str, float] | None = None) -> list[list[Any]]:
    return recalculated(without_results(book, MODEL_SHEET, changes or {}), folder)["Cost"]


def calculated_here(book: bytes, folder: Path, changes: Mapping[str, float] | None = None) -> list[list[Any]]:
    return recalculated_here(without_results(book, MODEL_SHEET, changes or {}), folder, "Cost")


def cents(value: Any, digits: str = "0.01") -> Decimal:
    assert isinstance(value, float), value
    return Decimal(repr(value)).quantize(Decimal(digits))


def check(rows: list[list[Any]], result: TcoResult) -> int:
    """Every amount of the cost page against the engine's; how many were compared."""
    compared = 0
    section = cost_section(result, ())
    for option, column in zip(result.options, section.columns, strict=True):
        start = next(index for index, row in enumerate(rows) if row[0] == option_name(column, "en"))
        block = rows[start + 2 : start + 2 + len(option.lines) + 12]
        years = len(option.by_year)
        labels: dict[str, list[Any]] = {}
        for row in block:
            if row[0]:
                labels.setdefault(str(row[0]), row)
        for line, row in ((line, labels[_label(section, line.key)]) for line in option.lines):
            assert [cents(value) for value in row[1 : years + 1]] == [year.amount for year in line.by_year], (option.option.name, line.key)
            assert cents(row[years + 1]) == line.total.amount
            compared += years + 1
        sums = {
            "Purchases, less residual value": (option.capex.amount, "0.01"),
            "Running costs": (option.opex.amount, "0.01"),
            "Total": (option.total.amount, "0.01"),
            "Present value": (option.npv.amount, "0.01"),
        }
        if option.per_gpu_hour is not None and option.per_effective_gpu_hour is not None:
            sums["Per GPU-hour held"] = (option.per_gpu_hour.amount, "0.0001")
            sums["Per GPU-hour used"] = (option.per_effective_gpu_hour.amount, "0.0001")
        for label, (amount, digits) in sums.items():
            assert cents(labels[label][years + 1], digits) == amount, (option.option.name, label)
            compared += 1
    return compared


def _label(section: Any, key: str) -> str:
    return render(next(row.line for row in section.rows if row.line.code == f"cost.{key}"), "en")


@needs_office
@pytest.mark.parametrize(
    "changes",
    [{}, {"currency": "CNY"}, {"years": 4.5}, {"years": 1}, {"discount_rate": 0}],
    ids=["usd", "cny", "part of a year", "shorter than a lease", "no interest"],
)
def test_every_kind_recalculates_to_the_engines_cents(changes: dict[str, Any], tmp_path: Path) -> None:
    result = result_of(**changes)
    assert check(calculated(workbook_of(result), tmp_path), result) > 100


def test_a_library_reaches_the_engines_cents(tmp_path: Path) -> None:
    result = result_of(currency="CNY", years=4.5)
    assert check(calculated_here(workbook_of(result), tmp_path), result) > 100


@pytest.mark.parametrize("calculate", [pytest.param(calculated, marks=needs_office), calculated_here], ids=["office", "library"])
def test_an_input_changed_in_the_workbook_costs_what_the_engine_says(calculate: Calculate, tmp_path: Path) -> None:
    names = named_cells(every_kind())
    tariffs = {name: 0.31 for name in names if name.endswith("electricity_p") or "_electricity_p_" in name}
    options = [{**option, **({"electricity_per_kwh": "0.31"} if "power" in option else {})} for option in EVERY_KIND[:-1]]
    hybrid = {**EVERY_KIND[-1], "parts": [{**EVERY_KIND[-1]["parts"][0], "electricity_per_kwh": "0.31"}, EVERY_KIND[-1]["parts"][1]]}
    dearer = result_of(options=[*options, hybrid], discount_rate=0.15)
    assert len(tariffs) == 4
    assert check(calculate(every_kind(), tmp_path, {**tariffs, "discount_rate": 0.15}), dearer) > 100


@needs_office
def test_a_price_changed_in_the_workbook_reaches_the_maintenance_contract(tmp_path: Path) -> None:
    own = {**EVERY_KIND[0], "capex": [{**EVERY_KIND[0]["capex"][0], "unit_price": "15000"}, EVERY_KIND[0]["capex"][1]]}
    book = workbook_of(result_of(options=EVERY_KIND[:1]))
    assert check(calculated(book, tmp_path, {"own_gpu_p": 15000.0}), result_of(options=[own])) > 20


def test_every_input_has_a_name_of_its_own() -> None:
    names = named_cells(every_kind())
    assert {"plan_months", "discount_rate", "fx_rate", "own_gpu_p", "own_electricity_p", "racks_colocation_q"} <= names.keys()
    assert len(set(names.values())) == len(names)


@pytest.mark.parametrize("locale", ["en", "zh_CN"])
def test_no_stored_result_is_needed(locale: str) -> None:
    assert without_results(workbook_of(result_of(), locale), MODEL_SHEET, {}) != every_kind()
