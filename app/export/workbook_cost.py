"""The cost worksheet: a block for each option with lines as rows and years as columns, every sum a formula."""

from typing import Any

from app.domain.money import Currency, Money
from app.domain.sheet import ConfigurationSheet, CostColumn, CostRow
from app.export.formulas import FX
from app.export.sections import option_name
from app.export.texts import said
from app.export.workbook import Sheet, amount_format, letter
from app.export.workbook_model import Calculated
from app.text.render import render

KINDS = ("capex", "opex")


def write_cost(page: Sheet, sheet: ConfigurationSheet, calculated: tuple[Calculated, ...], locale: str) -> None:
    """Basis first, then the options one below the other. What the workbook calculates is taken from there; older sheets have the figures only."""
    for text in sheet.cost.basis:
        page.line(render(text, locale), style=page.styles.soft)
    if sheet.cost.overrides:
        page.line(said("sheet.overrides", locale, keys=", ".join(sheet.cost.overrides)), style=page.styles.soft)
    for index, column in enumerate(sheet.cost.columns):
        page.skip()
        _option(page, sheet, index, column, calculated[index] if calculated else Calculated(), locale)


def _option(page: Sheet, sheet: ConfigurationSheet, index: int, column: CostColumn, made: Calculated, locale: str) -> None:
    rows = [(at, row) for at, row in enumerate(sheet.cost.rows) if row.cells[index] is not None]
    year_count = max((len(cell.by_year) for _, row in rows if (cell := row.cells[index])), default=0)
    page.line(option_name(column, locale), style=page.styles.heading)
    years = [said("sheet.head.year", locale, year=year) for year in range(1, year_count + 1)]
    there = column.total_elsewhere if sheet.cost.figures is not None else None
    more = [] if there is None else [said("sheet.head.total_elsewhere", locale, currency=there.currency.value)]
    page.row([said("sheet.head.line", locale), *years, said("sheet.head.total", locale), *more], style=page.styles.head)
    sums = {
        kind: _kind(page, [(at, row) for at, row in rows if row.kind == kind], index, kind, column, made, year_count, locale)
        for kind in KINDS
    }
    _sum_row(page, said("sheet.total", locale), [f"{{0}}{at + 1}" for at in sums.values()], column.total, year_count, sheet, index)
    if there is not None:
        _converted(page, page.at - 1, year_count, column.total, there)
    for key, money, hourly in (
        ("npv", column.npv, False),
        ("per_gpu_hour", column.per_gpu_hour, True),
        ("per_effective_gpu_hour", column.per_effective_gpu_hour, True),
    ):
        if money is not None:
            page.text(page.at, 0, said(f"sheet.{key}", locale))
            _amount(page, page.at, year_count + 1, made.sums.get(key), money, amount_format(page.styles, money, hourly=hourly))
            page.at += 1
    for key in ("total", "kept") if column.tax is not None else ():
        tax: Money = getattr(column.tax, key)
        page.text(page.at, 0, said("sheet.tax" if key == "total" else "sheet.tax_kept", locale))
        page.number(page.at, year_count + 1, float(tax.amount), amount_format(page.styles, tax))
        page.at += 1
    page.text(page.at, 0, said("sheet.range", locale))
    page.number(page.at, year_count, float(column.low.amount), amount_format(page.styles, column.low))
    page.number(page.at, year_count + 1, float(column.high.amount), amount_format(page.styles, column.high))
    page.at += 1
    if column.energy_kwh:
        page.row([f"{said('sheet.energy', locale)} (kWh)", *([None] * year_count), column.energy_kwh])


def _amount(page: Sheet, row: int, column: int, cell: str | None, money: Money, style: Any) -> None:
    if cell is None:
        page.number(row, column, float(money.amount), style)
    else:
        page.formula(row, column, f"={cell}", money, style)


def _converted(page: Sheet, row: int, year_count: int, money: Money, there: Money) -> None:
    """A total in the other currency, at the rate of the workbook."""
    cell, sign = f"{letter(year_count + 1)}{row + 1}", "*" if money.currency is Currency.USD else "/"
    page.formula(row, year_count + 2, f"={cell}{sign}{FX}", there, amount_format(page.styles, there))


def _kind(
    page: Sheet, rows: list[tuple[int, CostRow]], index: int, kind: str, column: CostColumn, made: Calculated, year_count: int, locale: str
) -> int:
    """The lines of one kind, then their sum; the row of the sum."""
    first = page.at
    for place, row in rows:
        cell = row.cells[index]
        assert cell is not None
        years = made.lines.get(place) or (None,) * year_count
        page.text(page.at, 0, render(row.line, locale))
        for year, amount in enumerate(cell.by_year, 1):
            _amount(page, page.at, year, years[year - 1], amount, amount_format(page.styles, amount))
        span = f"{letter(1)}{page.at + 1}:{letter(year_count)}{page.at + 1}"
        page.formula(page.at, year_count + 1, f"=SUM({span})", cell.amount, amount_format(page.styles, cell.amount))
        if cell.elsewhere is not None:
            _converted(page, page.at, year_count, cell.amount, cell.elsewhere)
        page.at += 1
    at = page.at
    total: Money = column.capex if kind == "capex" else column.opex
    page.text(at, 0, said(f"sheet.{kind}", locale), page.styles.strong)
    style = amount_format(page.styles, total, strong=True)
    for place in range(1, year_count + 2):
        year_sum = total if place == year_count + 1 else _year_sum([row for _, row in rows], index, place, total)
        formula = f"=SUM({letter(place)}{first + 1}:{letter(place)}{at})" if rows else "=0"
        page.formula(at, place, formula, year_sum, style)
    page.at += 1
    return at


def _sum_row(page: Sheet, title: str, parts: list[str], total: Money, year_count: int, sheet: ConfigurationSheet, index: int) -> None:
    page.text(page.at, 0, title, page.styles.strong)
    style = amount_format(page.styles, total, strong=True)
    rows = [row for row in sheet.cost.rows if row.cells[index] is not None]
    for place in range(1, year_count + 2):
        result = total if place == year_count + 1 else _year_sum(rows, index, place, total)
        page.formula(page.at, place, "=" + "+".join(part.format(letter(place)) for part in parts), result, style)
    page.at += 1


def _year_sum(rows: list[CostRow], index: int, year: int, like: Money) -> Money:
    total = Money(like.amount * 0, like.currency)
    for row in rows:
        cell = row.cells[index]
        if cell is not None:
            total = total + cell.by_year[year - 1]
    return total
