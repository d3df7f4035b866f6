"""Importing files of facts: what a file would change is planned first; stored as one change, with its author, on request."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app.db import catalogue as repository
from app.db.catalogue import NewVersion, StoredRow
from app.db.engine import Session
from app.domain.errors import Conflict, Message, message
from app.seeds.matching import KeyedLine, MatchedSheet, SheetProblem, matched
from app.seeds.reading import Line, read_lines
from app.seeds.spreadsheets import ROW_LIMIT, read_sheets
from app.seeds.tables import BY_FIELD
from app.services import catalogue_rows
from app.services.catalogue_edits import CellChange, cell_changes

PRICE_TABLES = ("purchase_prices", "rental_prices")
CATALOGUE_TABLES = tuple(BY_FIELD)
READ_RATIO = 0.5  # of the work is reading; the rest is checking the catalogue as it would be


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRow:
    """A row that a file adds or changes. No changes: it is new."""

    table: str
    sheet: str
    line: int
    key: str
    version: NewVersion
    changes: tuple[CellChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    """What a file would change in the catalogue of this revision, and which lines of it are wrong."""

    revision: str
    rows: tuple[PlannedRow, ...]
    unchanged_count: int
    problems: tuple[SheetProblem, ...]

    @property
    def added(self) -> tuple[PlannedRow, ...]:
        """Rows that the catalogue does not have yet."""
        return tuple(row for row in self.rows if row.version.row_id is None)

    @property
    def changed(self) -> tuple[PlannedRow, ...]:
        """Rows that it has otherwise."""
        return tuple(row for row in self.rows if row.version.row_id is not None)


def plan(
    session: Session,
    name: str,
    content: bytes,
    tables: Collection[str],
    today: date,
    *,
    row_limit: int = ROW_LIMIT,
    progress: Callable[[float], None] = lambda _: None,
) -> ImportPlan:
    """Reads a file into rows of these tables and checks the catalogue as it would be; tells `progress` how far it is.

    InvalidInput: the file cannot be read at all."""
    before = repository.rows(session)
    stored = {(row.table, row.natural_key): row for row in before if row.cells is not None}
    problems: list[SheetProblem] = []
    rows: list[PlannedRow] = []
    line_count = 0
    sheets = read_sheets(name, content, row_limit)
    for number, sheet in enumerate(matched(sheet, tables) for sheet in sheets):
        progress(READ_RATIO * (1 + number) / len(sheets))
        found, wrong = _rows(sheet, stored)
        problems += [*sheet.problems, *wrong]
        line_count += len(found)
        rows += found
    changing = [row for row in rows if row.changes or row.version.row_id is None]
    progress(READ_RATIO)
    good, broken = _checked(before, changing, today)
    progress(1.0)
    return ImportPlan(
        revision=repository.find_revision(session) or "",
        rows=tuple(good),
        unchanged_count=line_count - len(changing),
        problems=tuple(sorted([*problems, *broken], key=lambda problem: (problem.sheet, problem.line))),
    )


def store(session: Session, planned: ImportPlan, *, by: str, note: str) -> None:
    """Stores the good rows of a plan as one change. Conflict: the catalogue changed since it was planned."""
    with session.begin_nested():
        repository.lock(session)
        if repository.find_revision(session) != planned.revision:
            raise Conflict("import.stale")
        if planned.rows:
            catalogue_rows.change(session, [row.version for row in planned.rows], kind="import", by=by, note=note)


def _rows(sheet: MatchedSheet, stored: Mapping[tuple[str, str], StoredRow]) -> tuple[list[PlannedRow], list[SheetProblem]]:
    """Each line laid over the row that has its key; a key that stands twice is wrong the second time."""
    if not sheet.table:
        return [], []
    problems: list[SheetProblem] = []
    by_line: dict[int, tuple[KeyedLine, StoredRow | None]] = {}
    merged: list[Line] = []
    seen: dict[str, int] = {}
    for item in sheet.lines:
        number = item.line.line
        if item.key in seen:
            reason = message("import.twice", key=item.key, line=seen[item.key])
            problems.append(SheetProblem(sheet=sheet.sheet, line=number, header="", reason=reason))
            continue
        seen[item.key] = number
        row = stored.get((sheet.table, item.key))
        cells = {**(row.cells or {} if row else {}), **item.line.cells}
        merged.append(Line(number, {header: cell for header, cell in cells.items() if cell}))
        by_line[number] = item, row
    read, unreadable = read_lines(BY_FIELD[sheet.table], merged)
    problems += [SheetProblem(sheet=sheet.sheet, line=one.line, header=one.field, reason=one.reason) for one in unreadable]
    return [_planned(sheet, line.line, Line(line.line, line.cells), *by_line[line.line]) for line in read], problems


def _planned(sheet: MatchedSheet, number: int, line: Line, item: KeyedLine, row: StoredRow | None) -> PlannedRow:
    version = NewVersion(
        table=sheet.table,
        natural_key=item.key,
        cells=line.cells,
        row_id=None if row is None else row.id,
        number=1 if row is None else row.number + 1,
    )
    changes = () if row is None else tuple(cell_changes(sheet.table, row.cells, line.cells))
    return PlannedRow(table=sheet.table, sheet=sheet.sheet, line=number, key=item.key, version=version, changes=changes)


def _checked(before: Sequence[StoredRow], rows: Sequence[PlannedRow], today: date) -> tuple[list[PlannedRow], list[SheetProblem]]:
    """The rows with which every invariant still holds; the others with what they break. Leaving one out may break another that names it."""
    places = {row.id: place for place, row in enumerate(before)}
    good, problems = list(rows), list[SheetProblem]()
    while good:
        new = iter(range(len(before), len(before) + len(good)))
        at = {places[row.version.row_id] if row.version.row_id is not None else next(new): row for row in good}
        after = catalogue_rows.changed(before, [row.version for row in good])
        found = catalogue_rows.problems(before, after, today)
        if not found:
            break
        bad = [(at.get(problem.place), problem) for problem in found]
        for row, problem in bad:
            where = (
                ("", 0, f"{after[problem.place].natural_key}: {problem.header}") if row is None else (row.sheet, row.line, problem.header)
            )
            problems.append(SheetProblem(sheet=where[0], line=where[1], header=where[2], reason=problem.reason))
        if all(row is None for row, _ in bad):
            return [], problems
        out = {id(row) for row, _ in bad if row is not None}
        good = [row for row in good if id(row) not in out]
    return good, problems


def said(problem: SheetProblem) -> tuple[str, Message]:
    """Where a problem is, as people look for it: sheet, line and column."""
    where = f"{problem.sheet}:{problem.line}" if problem.line else ""
    return ": ".join(part for part in (where, problem.header) if part), problem.reason
