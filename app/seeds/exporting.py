"""Cells as a file that reads in again unchanged: CSV or XLSX under the headers of the seed file. No cell is ever run by a spreadsheet."""

import csv
import re
from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO, StringIO

from xlsxwriter import Workbook

from app.seeds.reading import Line, described_columns
from app.seeds.tables import BY_FIELD

NUMBERS = (int, float, Decimal)
RUNNABLE = ("=", "+", "-", "@", "\t", "\r")
PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d*[1-9])?")
EXACT_DIGITS = 15  # what a spreadsheet's number keeps


def as_csv(table: str, lines: Sequence[Line]) -> bytes:
    """With a byte order mark, so that spreadsheets read UTF-8; text that looks like a formula gets an apostrophe."""
    columns = described_columns(BY_FIELD[table])
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(columns)
    for line in lines:
        cells = ((line.cells.get(header, ""), column.kind in NUMBERS) for header, column in columns.items())
        writer.writerow([cell if is_number or not cell.startswith(RUNNABLE) else f"'{cell}" for cell, is_number in cells])
    return stream.getvalue().encode("utf-8-sig")


def as_xlsx(table: str, lines: Sequence[Line]) -> bytes:
    """Numbers as numbers where a spreadsheet keeps all their digits; everything else as text."""
    columns = described_columns(BY_FIELD[table])
    stream = BytesIO()
    with Workbook(stream, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}) as book:
        sheet = book.add_worksheet(table)
        bold = book.add_format({"bold": True})
        sheet.freeze_panes(1, 1)
        for place, header in enumerate(columns):
            sheet.write_string(0, place, header, bold)
        for number, line in enumerate(lines, start=1):
            for place, (header, column) in enumerate(columns.items()):
                cell = line.cells.get(header, "")
                if cell and column.kind in NUMBERS and PLAIN_NUMBER.fullmatch(cell) and len(cell) <= EXACT_DIGITS:
                    sheet.write_number(number, place, float(cell))
                elif cell:
                    sheet.write_string(number, place, cell)
    return stream.getvalue()
