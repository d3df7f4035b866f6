"""Stored rows of cells as facts, and changes of them: what seeding, editing and importing share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from app.db import catalogue as repository
from app.db.catalogue import NewChange, NewVersion, StoredRow
from app.db.engine import Session
from app.domain.catalogue.invariants import faults
from app.domain.errors import Message
from app.logs import logger
from app.seeds import Loaded, assemble
from app.seeds.checking import header_of
from app.seeds.reading import Line, Problem
from app.seeds.tables import BY_FIELD

_log = logger(__name__)


def change(session: Session, versions: Sequence[NewVersion], *, kind: str, by: str, note: str) -> str:
    """Stores versions of rows as one change and returns the revision that the catalogue has from then on. Call it under `repository.lock`."""
    after = loaded(changed(repository.rows(session), versions)).catalogue
    made = NewChange(revision=after.revision, row_count=after.row_count, kind=kind, changed_by=by, note=note)
    repository.add_change(session, versions, made)
    return after.revision


def changed(rows: Sequence[StoredRow], versions: Sequence[NewVersion]) -> list[StoredRow]:
    """The rows as they would stand with these versions; new rows at the end."""
    by_id = {version.row_id: version for version in versions if version.row_id is not None}
    kept = [
        replace(row, number=by_id[row.id].number, natural_key=by_id[row.id].natural_key, cells=by_id[row.id].cells)
        if row.id in by_id
        else row
        for row in rows
    ]
    new = (version for version in versions if version.row_id is None)
    return kept + [
        StoredRow(
            id=0,
            table=version.table,
            position=0,
            number=1,
            natural_key=version.natural_key,
            cells=version.cells,
            shipped_key=None,
            shipped=None,
        )
        for version in new
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    """What a change would break: the place of the row among all, its table, the column that people see, and why."""

    place: int
    table: str
    header: str
    reason: Message


def problems(before: Sequence[StoredRow], after: Sequence[StoredRow], today: date) -> list[RowProblem]:
    """What does not hold after a change and did not fail before: cells that cannot be read; else the invariants that `check-seed` checks."""
    old, new = loaded(before), loaded(after)
    unreadable = [_unreadable(problem) for problem in new.problems if problem not in old.problems]
    if unreadable:
        return unreadable
    known = {_key(problem) for problem in _broken(old, today)}
    return [problem for problem in _broken(new, today) if _key(problem) not in known]


def _unreadable(problem: Problem) -> RowProblem:
    table = next(name for name, table in BY_FIELD.items() if table.file == problem.file)
    return RowProblem(place=problem.line, table=table, header=problem.field, reason=problem.reason)


def _broken(facts: Loaded, today: date) -> list[RowProblem]:
    return [
        RowProblem(
            place=facts.lines[fault.table][fault.index].line,
            table=fault.table,
            header=header_of(fault.table, fault.field),
            reason=fault.reason,
        )
        for fault in faults(facts.catalogue, today)
    ]


def _key(problem: RowProblem) -> tuple[int, str, str]:
    return problem.place, problem.header, problem.reason.code


def loaded(rows: Iterable[StoredRow]) -> Loaded:
    """The facts of stored rows; the line of a row is its place among them. A cell that this release cannot read leaves its row out."""
    lines: dict[str, list[Line]] = {name: [] for name in BY_FIELD}
    for place, row in enumerate(rows):
        if row.cells is not None and row.table in lines:
            lines[row.table].append(Line(place, row.cells))
    found = assemble(lines)
    for problem in found.problems:
        _log.warning("catalogue.row.unreadable", file=problem.file, field=problem.field, code=problem.reason.code)
    return found
