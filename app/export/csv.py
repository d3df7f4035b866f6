"""The sheet as CSV for spreadsheets and scripts: its sections one below the other, then every amount of the cost as a plain number."""

import csv
from collections.abc import Sequence
from io import StringIO

from app.domain.errors import message
from app.export.issue import Issue
from app.export.pdf import issue_line, revision_rows
from app.export.sections import option_name, sections
from app.export.texts import said
from app.text.render import render

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet takes a cell for a formula (OWASP, CSV injection)


def write_csv(issue: Issue, locale: str) -> bytes:
    """UTF-8 with its mark, so that spreadsheets read Chinese; comma-separated, quoted as RFC 4180 says."""
    sheet = issue.sheet
    rows: list[Sequence[str]] = [(sheet.project,), (issue_line(issue, locale),), *revision_rows(issue, locale)]
    for section in sections(sheet, locale):
        rows += [(), (section.title,), *((sentence,) for sentence in section.sentences)]
        rows += [section.columns, *section.rows] if section.rows else []
    rows += [(), (said("sheet.amounts", locale),), *_amounts(issue, locale)]
    buffer = StringIO()
    csv.writer(buffer).writerows([neutral(cell) for cell in row] for row in rows)
    return buffer.getvalue().encode("utf-8-sig")


def neutral(cell: str) -> str:
    """Text that no spreadsheet takes for a formula; plain numbers stay numbers."""
    if not cell.startswith(FORMULA_SIGNS) or _is_number(cell):
        return cell
    return f"'{cell}"


def _is_number(cell: str) -> bool:
    return cell.removeprefix("-").replace(".", "", 1).isdecimal()


def _amounts(issue: Issue, locale: str) -> list[tuple[str, ...]]:
    """One row for each line, option and year: what scripts read."""
    heads = ("line", "option", "year", "amount", "currency")
    rows = [tuple(said(f"sheet.head.{head}" if head != "year" else "sheet.head.year_number", locale) for head in heads)]
    cost = issue.sheet.cost
    for row in cost.rows:
        for column, cell in zip(cost.columns, row.cells, strict=True):
            for year, money in enumerate(cell.by_year if cell else (), 1):
                rows.append((render(row.line, locale), option_name(column, locale), str(year), f"{money.amount:f}", money.currency.value))
    total = render(message("sheet.total"), locale)
    rows += [(total, option_name(column, locale), "", f"{column.total.amount:f}", column.total.currency.value) for column in cost.columns]
    return rows
