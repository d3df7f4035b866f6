"""Checks a folder of facts: what cannot be read, then what cannot be true."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from app.domain.catalogue.invariants import faults
from app.seeds.loading import read_catalogue
from app.seeds.reading import SOURCE_COLUMNS, Problem
from app.seeds.tables import BY_FIELD

SOURCE_PREFIX = "source."


def check_folder(folder: Path, today: date) -> Iterator[Problem]:
    """Problems with the file, line and column that people see, in the order of the files."""
    loaded = read_catalogue(folder)
    yield from loaded.problems
    for fault in sorted(faults(loaded.catalogue, today), key=lambda item: (list(BY_FIELD).index(item.table), item.index)):
        table = BY_FIELD[fault.table]
        yield Problem(table.file, loaded.lines[table.file][fault.index], _header(fault.table, fault.field), fault.reason)


def _header(table: str, field: str) -> str:
    if field.startswith(SOURCE_PREFIX):
        return SOURCE_COLUMNS[field.removeprefix(SOURCE_PREFIX)]
    column = BY_FIELD[table].columns.get(field)
    return column.header if column else field
