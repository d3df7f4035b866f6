"""The worksheet that calculates: inputs in named cells, every step of every line as a formula, payments by year, present values, cents.

It is written from the derivations that the sheet holds, so it cannot know another method than the engine's. Amounts are shared out in cents
as the engine does it (largest remainder), so lines, years, kinds and totals agree with it to the cent."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.domain.estimate import Input, Step
from app.domain.sheet import ConfigurationSheet, CostColumn, CostFigures, CostRow
from app.export.formulas import (
    A_YEAR,
    ANNUITY,
    FX,
    MONTHLY_RATE,
    MONTHS,
    RATE,
    cell_name,
    extra_cent,
    in_cells,
    in_year,
    present,
    remainder,
)
from app.export.sections import option_name
from app.export.texts import said, source_text
from app.export.workbook import Sheet, letter
from app.text.fields import step_label
from app.text.render import render

KINDS = ("capex", "opex")
SAME = 1e-12  # two inputs are one when they differ by less than this share


@dataclass(slots=True)
class Calculated:
    """Where the figures of an option stand: addresses of cells, usable from any worksheet."""

    lines: dict[int, tuple[str, ...]] = field(default_factory=dict)  # by row of the cost table: its years in cents
    sums: dict[str, str] = field(default_factory=dict)  # capex, opex, total, npv, per_gpu_hour, per_effective_gpu_hour


@dataclass(frozen=True, slots=True)
class Payment:
    """One step that is paid: the cell of its amount, and when (a month, so many months from the first, or the start)."""

    row: int
    amount: str
    month: str | None
    months: str | None


def write_model(page: Sheet, sheet: ConfigurationSheet, figures: CostFigures, locale: str) -> tuple[Calculated, ...]:
    """The basis, then the options one below the other."""
    page.line(said("sheet.model_intro", locale), style=page.styles.soft)
    page.skip()
    _basis(page, figures, locale)
    made = []
    for index, column in enumerate(sheet.cost.columns):
        page.skip()
        made.append(_Model(page, sheet, figures, index, column, locale).write())
    return tuple(made)


def _basis(page: Sheet, figures: CostFigures, locale: str) -> None:
    page.row([said(f"sheet.head.{head}", locale) for head in ("item", "value", "unit", "source")], style=page.styles.head)
    stated = (
        (MONTHS, "sheet.model_months", float(figures.month_count), "months", ""),
        (RATE, "cost.input.discount_rate", float(figures.discount_ratio), "1/year", figures.discount_source),
        (FX, "sheet.model_fx", float(figures.fx_rate), figures.fx_pair, f"{figures.fx_source}, {figures.fx_on}"),
    )
    for name, label, value, unit, source in stated:
        page.text(page.at, 0, said(label, locale))
        page.number(page.at, 1, value, page.styles.typed)
        page.text(page.at, 2, unit)
        page.text(page.at, 3, source_text(source, locale))
        page.name(page.at, 1, name)
        page.at += 1
    rate = (1 + float(figures.discount_ratio)) ** (1 / A_YEAR) - 1
    annuity = (1 - (1 + rate) ** -figures.month_count) / rate if rate else figures.month_count
    for name, label, formula, result, unit in (
        (MONTHLY_RATE, "sheet.model_monthly_rate", f"=(1+{RATE})^(1/{A_YEAR})-1", rate, "1/month"),
        (
            ANNUITY,
            "sheet.model_annuity",
            f"=IF({MONTHLY_RATE}=0,{MONTHS},(1-(1+{MONTHLY_RATE})^-{MONTHS})/{MONTHLY_RATE})",
            annuity,
            "months",
        ),
    ):
        page.text(page.at, 0, said(label, locale))
        page.formula(page.at, 1, formula, float(result))
        page.text(page.at, 2, unit)
        page.name(page.at, 1, name)
        page.at += 1


class _Model:
    """One option being written."""

    def __init__(self, page: Sheet, sheet: ConfigurationSheet, figures: CostFigures, index: int, column: CostColumn, locale: str) -> None:
        self.page, self.figures, self.column, self.locale = page, figures, column, locale
        self.rows = [(at, row) for kind in KINDS for at, row in enumerate(sheet.cost.rows) if row.kind == kind and row.cells[index]]
        self.index = index
        self.year_count = -(-figures.month_count // A_YEAR)
        self.inputs: dict[tuple[str, str, float], str] = {}
        self.totals: dict[str, tuple[str, float]] = {}  # of lines, by the key of their step
        self.payments: list[Payment] = []
        self.made = Calculated()

    def write(self) -> Calculated:
        """Inputs and steps, payments, lines, sums."""
        page, locale = self.page, self.locale
        page.line(option_name(self.column, locale), style=page.styles.heading)
        page.row([said(f"sheet.head.{head}", locale) for head in ("item", "value", "unit", "source")], style=page.styles.head)
        for at, row in self.rows:
            self._line_steps(at, row)
        first, last = self._payments()
        self._lines(first, last)
        self._hours()
        return self.made

    def _line_steps(self, at: int, row: CostRow) -> None:
        cell = row.cells[self.index]
        assert cell is not None
        results: dict[str, tuple[str, float]] = {}
        referred = [
            any(entry.step == step.key for later in _until_again(cell.derivation[place + 1 :], step.key) for entry in later.inputs)
            for place, step in enumerate(cell.derivation)
        ]
        amounts = []
        for step, is_used in zip(cell.derivation, referred, strict=True):
            symbols = {entry.symbol: self._input(entry, step, results) for entry in step.inputs}
            address = self._result(step, symbols)
            results[step.key] = (address, float(step.result))
            if not is_used:
                amounts.append((step, address))
                self.payments.append(self._payment(at, row, step, address, symbols))
        if amounts:
            total = sum(float(step.result) for step, _ in amounts)
            self.totals[amounts[-1][0].key] = ("+".join(address for _, address in amounts), total)

    def _input(self, entry: Input, step: Step, results: dict[str, tuple[str, float]]) -> str:
        """The cell of an input: the step or the line that makes it, a figure of the basis, or a cell of its own, which equal inputs share."""
        value = float(entry.value)
        for found in (results.get(entry.step or ""), self.totals.get(entry.step or ""), self._common(entry)):
            if found is not None and abs(found[1] - value) <= SAME * max(1.0, abs(value)):
                return f"({found[0]})"
        key = (entry.symbol, entry.unit, value)
        is_money = self.column.total.currency.value in entry.unit
        if key in self.inputs and not is_money and not entry.source:
            return self.inputs[key]
        name = self.page.free_name(cell_name(self.column.name, step.key.removeprefix("cost."), entry.symbol))
        page = self.page
        page.text(page.at, 0, f"{step_label(step.key, self.locale)} · {entry.symbol}")
        page.number(page.at, 1, value, page.styles.typed)
        page.text(page.at, 2, entry.unit)
        page.text(page.at, 3, source_text(entry.source, self.locale))
        page.name(page.at, 1, name)
        page.at += 1
        self.inputs[key] = name
        return name

    def _common(self, entry: Input) -> tuple[str, float] | None:
        months = float(self.figures.month_count)
        if entry.symbol == "fx":
            return FX, float(self.figures.fx_rate)
        if entry.symbol == "y":
            return f"{MONTHS}/{A_YEAR}", months / A_YEAR
        return (MONTHS, months) if entry.unit in ("months", "month") and float(entry.value) == months else None

    def _result(self, step: Step, symbols: dict[str, str]) -> str:
        page = self.page
        page.text(page.at, 0, f"{step_label(step.key, self.locale)} = {step.formula}", page.styles.strong)
        page.formula(page.at, 1, in_cells(step.formula, symbols), float(step.result), page.styles.strong)
        page.text(page.at, 2, step.unit)
        page.at += 1
        return f"$B${page.at}"

    def _payment(self, at: int, row: CostRow, step: Step, address: str, symbols: dict[str, str]) -> Payment:
        timed = {entry.symbol: symbols[entry.symbol] for entry in step.inputs if entry.unit in ("month", "months")}
        if "m" in timed:
            return Payment(at, address, timed["m"], None)
        if "n" in timed:
            return Payment(at, address, None, timed["n"])
        return Payment(at, address, "0", None) if row.kind == "capex" else Payment(at, address, None, MONTHS)

    def _payments(self) -> tuple[int, int]:
        """When each amount is paid: present value, then what falls into each year."""
        page, locale = self.page, self.locale
        page.skip()
        years = [said("sheet.head.year", locale, year=year) for year in range(1, self.year_count + 1)]
        heads = [said("sheet.model_payment", locale), said("sheet.head.total", locale), said("sheet.head.month", locale)]
        page.row([*heads, said("sheet.head.months", locale), said("sheet.npv", locale), *years], style=page.styles.head)
        first = page.at + 1
        labels = {at: render(row.line, locale) for at, row in self.rows}
        for payment in self.payments:
            here = page.at + 1
            page.text(page.at, 0, labels[payment.row])
            page.formula(page.at, 1, f"={payment.amount}", None)
            page.formula(page.at, 2, f"={payment.month}" if payment.month else "=0", None)
            page.formula(page.at, 3, f"={payment.months}" if payment.months else "=0", None)
            page.formula(page.at, 4, present(here), None)
            for year in range(1, self.year_count + 1):
                page.formula(page.at, 4 + year, in_year(here, year, self.year_count), None)
            page.at += 1
        return first, page.at

    def _lines(self, first: int, last: int) -> None:
        """Lines and sums in cents. Columns: exact total, remainder, cents, then the same three for each year."""
        page, locale = self.page, self.locale
        page.skip()
        page.row([said("sheet.model_cents", locale)], style=page.styles.head)
        blocks = {kind: [at for at, row in self.rows if row.kind == kind] for kind in KINDS}
        top = page.at + 1  # total, then capex and opex, then their lines
        spans, at = {}, top + 3
        for kind in KINDS:
            spans[kind] = (at, at + len(blocks[kind]) - 1)
            at += len(blocks[kind])
        self._sum_rows(top, spans, first, last)
        for place, kind in enumerate(KINDS, 1):
            self._shared(top + place, (top + 1, top + 2), f"$D${top}")
            start, end = spans[kind]
            for row_at, line in enumerate(blocks[kind]):
                self._line(start + row_at, line, (start, end), f"$D${top + place}", first)
        page.at = at - 1
        for key, address in (("total", f"D{top}"), ("capex", f"D{top + 1}"), ("opex", f"D{top + 2}")):
            self.made.sums[key] = page.address(address)
        page.text(page.at, 0, said("sheet.npv", locale), page.styles.strong)
        page.formula(page.at, 1, f"=SUM($E${first}:$E${last})" if self.payments else "=0", None)
        page.formula(page.at, 3, f"=ROUND(B{page.at + 1},2)", float(self.column.npv.amount), page.styles.strong)
        self.made.sums["npv"] = page.address(f"D{page.at + 1}")
        self._exact_npv = f"B{page.at + 1}"
        page.at += 1

    def _sum_rows(self, top: int, spans: dict[str, tuple[int, int]], first: int, last: int) -> None:
        page = self.page
        page.text(top - 1, 0, said("sheet.total", self.locale), page.styles.strong)
        page.formula(top - 1, 1, f"=SUM($B${first}:$B${last})" if self.payments else "=0", None)
        page.formula(top - 1, 3, f"=ROUND(B{top},2)", float(self.column.total.amount), page.styles.strong)
        for place, kind in enumerate(KINDS, 1):
            start, end = spans[kind]
            page.text(top - 1 + place, 0, said(f"sheet.{kind}", self.locale), page.styles.strong)
            page.formula(top - 1 + place, 1, f"=SUM(B{start}:B{end})" if end >= start else "=0", None)

    def _line(self, here: int, line: int, span: tuple[int, int], total: str, first: int) -> None:
        page = self.page
        mine = [first + place for place, payment in enumerate(self.payments) if payment.row == line]
        page.text(here - 1, 0, render(dict(self.rows)[line].line, self.locale))
        page.formula(here - 1, 1, "=" + "+".join(f"$B${row}" for row in mine), None)
        self._shared(here, span, total)
        for place in range(self.year_count):
            self.page.formula(here - 1, 4 + place, "=" + "+".join(f"{letter(5 + place)}{row}" for row in mine), None)
        self._shared_years(here)
        shown = [letter(4 + 2 * self.year_count + place) for place in range(self.year_count)]
        self.made.lines[line] = tuple(page.address(f"{column}{here}") for column in shown)

    def _shared(self, here: int, span: tuple[int, int], total: str) -> None:
        """Down a column: exact amounts in B, remainders in C, cents in D, which add up to the total."""
        start, end = span
        parts, rests = f"B${start}:B${end}", f"C${start}:C${end}"
        self.page.formula(here - 1, 2, f"={remainder(f'B{here}')}", None)
        self.page.formula(here - 1, 3, extra_cent(f"B{here}", f"C{here}", f"C${start}:C{here}", rests, parts, total), None)

    def _shared_years(self, here: int) -> None:
        """Along a row: exact years, their remainders, then the years in cents, which add up to the line."""
        count, begin = self.year_count, 4
        exact, rest = ([letter(begin + block * count + place) for place in range(count)] for block in range(2))
        parts, rests = f"${exact[0]}{here}:${exact[-1]}{here}", f"${rest[0]}{here}:${rest[-1]}{here}"
        for place in range(count):
            mine, before = f"{rest[place]}{here}", f"${rest[0]}{here}:{rest[place]}{here}"
            cell = f"{exact[place]}{here}"
            self.page.formula(here - 1, begin + count + place, f"={remainder(cell)}", None)
            self.page.formula(here - 1, begin + 2 * count + place, extra_cent(cell, mine, before, rests, parts, f"$D${here}"), None)

    def _hours(self) -> None:
        """Present value over the present value of the hours."""
        for key in ("per_gpu_hour", "per_effective_gpu_hour"):
            step, page = self.column.step(key), self.page
            if step is None:
                continue
            links = {"PV": self._exact_npv, "a": ANNUITY}
            symbols = {entry.symbol: links.get(entry.symbol) or self._input(entry, step, {}) for entry in step.inputs}
            page.text(page.at, 0, said(f"sheet.{key}", self.locale), page.styles.strong)
            page.formula(page.at, 1, in_cells(step.formula, symbols), None)
            page.formula(page.at, 3, f"=ROUND(B{page.at + 1},4)", float(step.result), page.styles.strong)
            self.made.sums[key] = page.address(f"D{page.at + 1}")
            page.at += 1


def _until_again(steps: Sequence[Step], key: str) -> Sequence[Step]:
    """The steps up to the next one of the same figure, which starts another part."""
    again = next((place for place, step in enumerate(steps) if step.key == key), len(steps))
    return steps[:again]
