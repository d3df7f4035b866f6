"""Reads lines of cells strictly into values of a dataclass: every column known, every cell of its type, every problem with its line.

The text of a cell is what people check against a datasheet, so it is also what is stored, edited, imported and exported."""

import csv
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from app.domain.catalogue.source import Evidence, Source
from app.domain.errors import Message, message

SEPARATOR = "|"
SOURCE_PREFIX = "source."
SOURCE_COLUMNS = {"title": "source_title", "url": "source_url", "on": "source_on", "evidence": "evidence"}


class BadCell(ValueError):
    """A cell that cannot be read; says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.code)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where: file, line, column."""

    file: str
    line: int
    field: str
    reason: Message


@dataclass(frozen=True, slots=True)
class Column:
    """A column whose header or unit differs from its field. `convert` takes the number in the header's unit to the base unit."""

    header: str
    convert: Callable[[float], float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One file: which type its rows become, the columns in other units, extra columns, and the fields that are computed afterwards."""

    file: str
    kind: type
    columns: Mapping[str, Column] = field(default_factory=dict)
    extra: Mapping[str, type | UnionType] = field(default_factory=dict)
    computed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadColumn:
    """What the cells of a column become: which field, of which type (tuple: texts joined by `|`), and whether they may be empty."""

    field: str
    kind: type
    is_optional: bool
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Line:
    """The cells of one line as written, by header; empty ones are left out."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """The values of one line by field name."""

    line: int
    cells: Mapping[str, str]
    values: dict[str, Any]


def read_table(folder: Path, table: Table) -> tuple[list[Row], list[Problem]]:
    """All readable rows of a file of the folder and all problems of the others."""
    try:
        with (folder / table.file).open(newline="", encoding="utf-8-sig") as stream:
            lines, problems = _lines(table, csv.reader(stream, strict=True))
    except FileNotFoundError:
        return [], [Problem(table.file, 1, "", message("seed.no_file"))]
    except UnicodeDecodeError:
        return [], [Problem(table.file, 1, "", message("seed.not_text"))]
    except csv.Error as error:
        return [], [Problem(table.file, 1, "", message("seed.not_csv", reason=str(error)))]
    rows, unreadable = read_lines(table, lines)
    return rows, problems + unreadable


def headers(table: Table) -> list[str]:
    """The header line that a file of this table has."""
    return list(described_columns(table))


def fields_by_header(table: Table) -> dict[str, str]:
    """Header → field; the four parts of the source as `source.title` and so on."""
    return {header: column.field for header, column in described_columns(table).items()}


def read_lines(table: Table, lines: Iterable[Line]) -> tuple[list[Row], list[Problem]]:
    """The values of every line whose cells can all be read, and what is wrong with the others. A cell that is not there is empty."""
    columns = described_columns(table)
    rows: list[Row] = []
    problems: list[Problem] = []
    for line in lines:
        values: dict[str, Any] = {}
        source: dict[str, Any] = {}
        before = len(problems)
        for name, column in columns.items():
            target = column.field
            try:
                value = column.read(line.cells.get(name, ""))
            except BadCell as error:
                problems.append(Problem(table.file, line.line, name, error.reason))
                continue
            if target.startswith(SOURCE_PREFIX):
                source[target.removeprefix(SOURCE_PREFIX)] = value
            else:
                values[target] = value
        if len(problems) == before:
            if source:
                values["source"] = Source(**source)
            rows.append(Row(line.line, line.cells, values))
    return rows, problems


def _lines(table: Table, reader: Any) -> tuple[list[Line], list[Problem]]:
    header: Sequence[str] = next(reader, [])
    known = headers(table)
    unknown = [Problem(table.file, 1, name, message("seed.unknown_column")) for name in header if name not in known]
    missing = [Problem(table.file, 1, name, message("seed.missing_column")) for name in known if name not in header]
    if unknown or missing or len(set(header)) != len(header):
        return [], unknown + missing or [Problem(table.file, 1, "", message("seed.repeated_column"))]
    lines: list[Line] = []
    problems: list[Problem] = []
    for cells in reader:
        if len(cells) == len(header):
            lines.append(Line(reader.line_num, {name: cell for name, cell in zip(header, cells, strict=True) if cell}))
        else:
            problems.append(Problem(table.file, reader.line_num, "", message("seed.cell_count", found=len(cells), expected=len(header))))
    return lines, problems


@cache
def described_columns(table: Table) -> dict[str, ReadColumn]:
    """The columns by header, in the order of the fields: the one description that files, forms, imports and exports follow."""
    hints = get_type_hints(table.kind)
    described: dict[str, ReadColumn] = {}
    for item in fields(table.kind):
        if item.name not in table.computed and item.name != "source":
            column = table.columns.get(item.name, Column(item.name))
            described[column.header] = _described(item.name, hints[item.name], column.convert)
    for name, kind in table.extra.items():
        described[name] = _described(name, kind, None)
    if "source" in hints:
        for name, header in SOURCE_COLUMNS.items():
            described[header] = _described(f"{SOURCE_PREFIX}{name}", get_type_hints(Source)[name], None)
    return described


def _described(field: str, hint: Any, convert: Callable[[float], float] | None) -> ReadColumn:
    if get_origin(hint) in (Union, UnionType):
        inner = _described(field, next(part for part in get_args(hint) if part is not NoneType), convert)
        return replace(inner, is_optional=True, read=lambda cell: inner.read(cell) if cell else None)
    if get_origin(hint) is tuple:
        return ReadColumn(field=field, kind=tuple, is_optional=True, read=lambda cell: tuple(cell.split(SEPARATOR)) if cell else ())
    base = getattr(hint, "__supertype__", hint)
    read = BY_TYPE[base]
    return ReadColumn(field=field, kind=base, is_optional=False, read=(lambda cell: convert(read(cell))) if convert else read)


def _text(cell: str) -> str:
    if cell != cell.strip():
        raise BadCell(message("seed.surrounding_space"))
    return cell


def _number(cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        raise BadCell(message("seed.not_a_number", cell=cell)) from None
    if not math.isfinite(value):
        raise BadCell(message("seed.not_a_number", cell=cell))
    return value


def _whole(cell: str) -> int:
    try:
        return int(cell)
    except ValueError:
        raise BadCell(message("seed.not_whole", cell=cell)) from None


def _flag(cell: str) -> bool:
    if cell not in ("y", "n"):
        raise BadCell(message("seed.not_y_n", cell=cell))
    return cell == "y"


def _decimal(cell: str) -> Decimal:
    try:
        value = Decimal(cell)
    except InvalidOperation:
        raise BadCell(message("seed.not_a_number", cell=cell)) from None
    if not value.is_finite():
        raise BadCell(message("seed.not_a_number", cell=cell))
    return value


def _evidence(cell: str) -> Evidence:
    try:
        return Evidence(cell)
    except ValueError:
        raise BadCell(message("seed.not_an_evidence", cell=cell)) from None


BY_TYPE: dict[Any, Callable[[str], Any]] = {
    str: _text,
    float: _number,
    int: _whole,
    bool: _flag,
    Decimal: _decimal,
    Evidence: _evidence,
}
