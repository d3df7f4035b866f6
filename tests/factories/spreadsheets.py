"""Files of facts as people upload them."""

import csv
from collections.abc import Sequence
from io import BytesIO, StringIO
from zipfile import ZIP_DEFLATED, ZipFile

from xlsxwriter import Workbook

from app.seeds import load_folder
from app.seeds.exporting import as_csv
from app.seeds.reading import headers
from app.seeds.tables import BY_FIELD

Rows = Sequence[Sequence[str]]


def a_price(**cells: str) -> dict[str, str]:
    """The cells of a new rental price of an L4."""
    return {
        "provider": "somecloud",
        "sku": "one-l4",
        "gpu_quoted": "L4",
        "gpu_slug": "l4",
        "gpu_count": "1",
        "commitment": "on-demand",
        "hourly_price": "0.85",
        "hourly_price_per_gpu": "0.85",
        "currency": "USD",
        "region": "EU",
        "on": "2026-10",
        "confidence": "high",
        "source_title": "price list",
        "source_on": "2026-10",
        "evidence": "vendor",
    } | cells


def rows_of(prices: Sequence[dict[str, str]]) -> list[list[str]]:
    """Header and rows of rental prices."""
    header = headers(BY_FIELD["rental_prices"])
    return [header, *([price.get(name, "") for name in header] for price in prices)]


def csv_text(rows: Rows, separator: str = ",", line_end: str = "\n") -> str:
    """Rows as CSV."""
    stream = StringIO()
    csv.writer(stream, delimiter=separator, lineterminator=line_end).writerows(rows)
    return stream.getvalue()


def csv_of(*prices: dict[str, str]) -> bytes:
    """Rental prices as CSV."""
    return csv_text(rows_of(prices)).encode()


def xlsx_of(sheets: dict[str, Rows]) -> bytes:
    """A workbook of texts."""
    stream = BytesIO()
    with Workbook(stream, {"in_memory": True}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for place, cell in enumerate(row):
                    sheet.write_string(number, place, cell)
    return stream.getvalue()


def with_entry(workbook: bytes, name: str, content: bytes) -> bytes:
    """The same workbook with another part in it."""
    stream = BytesIO(workbook)
    with ZipFile(stream, "a") as archive:
        archive.writestr(name, content, ZIP_DEFLATED)
    return stream.getvalue()


def shipped_csv(table: str) -> bytes:
    """A table as an export writes it."""
    return as_csv(table, load_folder().lines[table])
