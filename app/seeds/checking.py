"""Checks a folder of facts: what cannot be read, then what cannot be true."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from app.domain.catalogue.invariants import faults
from app.seeds.loading import read_catalogue
from app.seeds.reading import Problem, fields_by_header
from app.seeds.tables import BY_FIELD

COMPUTED_FROM = {"memory_usable_bytes": "memory_capacity_mib", "tdp_w": "board_tdp_w"}


def check_folder(folder: Path, today: date) -> Iterator[Problem]:
    """Problems with the file, line and column that people see, in the order of the files."""
    loaded = read_catalogue(folder)
    yield from loaded.problems
    for fault in sorted(faults(loaded.catalogue, today), key=lambda item: (list(BY_FIELD).index(item.table), item.index)):
        yield Problem(
            BY_FIELD[fault.table].file, loaded.lines[fault.table][fault.index].line, header_of(fault.table, fault.field), fault.reason
        )


def header_of(table: str, field: str) -> str:
    """The header that people see for a field; of a computed field, the one that it is computed from."""
    by_field = {target: header for header, target in fields_by_header(BY_FIELD[table]).items()}
    return by_field.get(field) or COMPUTED_FROM.get(field, field)
