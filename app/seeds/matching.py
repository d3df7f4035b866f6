"""Which table of the catalogue a sheet holds, by its header, and its lines as cells of that table."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from app.domain.catalogue.invariants.identity import KEYS, natural_key
from app.domain.catalogue.source import Evidence, Source
from app.domain.errors import Message, message
from app.seeds.reading import SOURCE_COLUMNS, BadCell, Line, described_columns
from app.seeds.spreadsheets import Sheet, unguarded
from app.seeds.tables import BY_FIELD
from app.seeds.tidying import tidied

SHOWN_HEADERS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetProblem:
    """What is wrong in a file: sheet, line (0: the file as a whole), column and why."""

    sheet: str
    line: int
    header: str
    reason: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedLine:
    """A line with the natural key of its row. Cells that the file has no column for are absent; empty ones are empty."""

    line: Line
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedSheet:
    """A sheet as lines of a table, and what is wrong with the others. No table: the header fits none."""

    sheet: str
    table: str
    lines: Sequence[KeyedLine]
    problems: Sequence[SheetProblem]


def matched(sheet: Sheet, tables: Collection[str]) -> MatchedSheet:
    """The lines of a sheet as rows of one of the tables."""
    header = sheet.header.cells
    fitting = [name for name in tables if set(header) <= set(described_columns(BY_FIELD[name])) and _key_headers(name) <= set(header)]
    named = PurePath(sheet.name).stem.casefold()
    fitting.sort(key=lambda name: named not in (name, PurePath(BY_FIELD[name].file).stem))
    if len(set(header)) != len(header):
        twice = next(title for title in header if header.count(title) > 1)
        return _unmatched(sheet, twice, message("seed.repeated_column"))
    if not fitting:
        return _misfit(sheet, tables, named)
    return _lines(sheet, fitting[0])


def _key_headers(table: str) -> set[str]:
    headers = {column.field: header for header, column in described_columns(BY_FIELD[table]).items()}
    return {SOURCE_COLUMNS["title"] if field == "source" else headers[field] for field in KEYS[table]}


def _misfit(sheet: Sheet, tables: Collection[str], named: str) -> MatchedSheet:
    """Says of the likeliest table which columns it lacks, which it does not know, and which there are."""
    header = set(sheet.header.cells)
    name = max(
        tables,
        key=lambda table: (named in (table, PurePath(BY_FIELD[table].file).stem), len(header & set(described_columns(BY_FIELD[table])))),
    )
    known = list(described_columns(BY_FIELD[name]))
    missing = sorted(_key_headers(name) - header)
    unknown = [title for title in sheet.header.cells if title not in known]
    reason = message(
        "import.header",
        table=BY_FIELD[name].file,
        missing=", ".join(missing) or "–",
        unknown=", ".join(title[:40] for title in unknown[:20]) or "–",
        known=", ".join(known[:SHOWN_HEADERS]),
    )
    return _unmatched(sheet, "", reason)


def _unmatched(sheet: Sheet, header: str, reason: Message) -> MatchedSheet:
    problem = SheetProblem(sheet=sheet.name, line=sheet.header.number, header=header, reason=reason)
    return MatchedSheet(sheet=sheet.name, table="", lines=(), problems=(problem,))


def _lines(sheet: Sheet, table: str) -> MatchedSheet:
    columns = described_columns(BY_FIELD[table])
    header = sheet.header.cells
    problems = [SheetProblem(sheet=sheet.name, line=number, header="", reason=reason) for number, reason in sheet.faults]
    lines: list[KeyedLine] = []
    for line in sheet.lines:
        before = len(problems)
        extra = [cell for cell in line.cells[len(header) :] if cell.strip()]
        if extra:
            reason = message("seed.cell_count", found=len(line.cells), expected=len(header))
            problems.append(SheetProblem(sheet=sheet.name, line=line.number, header="", reason=reason))
            continue
        cells: dict[str, str] = {}
        for title, cell in zip(header, [*line.cells, *[""] * (len(header) - len(line.cells))], strict=False):
            try:
                cells[title] = tidied(unguarded(cell), columns[title])
            except BadCell as error:
                problems.append(SheetProblem(sheet=sheet.name, line=line.number, header=title, reason=error.reason))
        if len(problems) == before:
            lines.append(KeyedLine(line=Line(line.number, cells), key=_key(table, cells)))
    return MatchedSheet(sheet=sheet.name, table=table, lines=lines, problems=problems)


def _key(table: str, cells: dict[str, str]) -> str:
    """The natural key of cells; of cells that cannot be read, any text: they are refused later."""
    values: dict[str, object] = {"source": Source(title=cells.get(SOURCE_COLUMNS["title"], ""), url=None, on="", evidence=Evidence.PRESS)}
    for header, column in described_columns(BY_FIELD[table]).items():
        if column.field in KEYS[table]:
            try:
                values[column.field] = column.read(cells.get(header, ""))
            except BadCell:
                values[column.field] = cells.get(header, "")
    return natural_key(table, _Named(values))


class _Named:
    """Values by attribute."""

    def __init__(self, values: dict[str, object]) -> None:
        self.__dict__.update(values)
