"""Changing the catalogue row by row: each change is a version with its author and reason, checked by the same invariants as the seed data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.db import catalogue as repository
from app.db.catalogue import Cells, NewVersion, StoredRevision, StoredRow, StoredVersion
from app.db.engine import Session
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.invariants import natural_key
from app.domain.errors import Conflict, Message, NotFound
from app.seeds.loading import key_of
from app.seeds.reading import BadCell, Line, described_columns, headers, read_lines
from app.seeds.tables import BY_FIELD
from app.seeds.tidying import tidied
from app.services import catalogue_rows

__all__ = ["StoredRow"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveRow:
    """A row as somebody wrote it. `row_id` and `number` say which version was changed; no id: a new row."""

    table: str
    cells: Mapping[str, str]
    by: str
    note: str
    row_id: int | None = None
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireRow:
    """A row that the catalogue shall no longer have."""

    table: str
    row_id: int
    number: int
    by: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a change was not stored: the column, and the row where it is another one that would break."""

    header: str
    reason: Message
    other: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """The row's natural key after a change, or why nothing was stored."""

    key: str = ""
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CellChange:
    """A cell that a version changed; empty: unknown."""

    header: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowVersion:
    """A version of a row: by whom, when, why, and what it changed. The first one has no changes."""

    number: int
    change: StoredRevision
    changes: tuple[CellChange, ...]
    is_retired: bool


def find(session: Session, table: str, fact: Any) -> StoredRow | None:
    """The stored row of a fact; None: it is not in the catalogue any more."""
    return repository.find_row(session, table, natural_key(table, fact))


def get(session: Session, table: str, fact: Any) -> StoredRow:
    """The stored row of a fact. NotFound: it is not in the catalogue any more."""
    row = find(session, table, fact)
    if row is None:
        raise NotFound("catalogue.no_row", key=natural_key(table, fact)[:60])
    return row


def lines(session: Session, table: str, as_of: int | None) -> list[Line]:
    """The cells of all rows of a table, now or as of a change."""
    return [Line(row.id, row.cells) for row in repository.rows(session, as_of) if row.table == table and row.cells is not None]


def save(session: Session, command: SaveRow, today: date) -> Saved:
    """Adds or changes a row. Conflict: somebody changed it since it was read."""
    version, refusals = _read(command)
    return Saved(refusals=refusals) if version is None else _store(session, version, command.by, command.note, today)


def would_be(session: Session, command: SaveRow | RetireRow, today: date) -> tuple[Catalogue | None, tuple[Refusal, ...]]:
    """The catalogue as it would stand after a change, and nothing stored; or why the change cannot be. Conflict: as for the change."""
    version, refusals = _read(command) if isinstance(command, SaveRow) else (_retired(session, command), ())
    if version is None:
        return None, refusals
    after, refusals = _checked(session, version, today)
    return (None if refusals else catalogue_rows.loaded(after).catalogue), refusals


def _read(command: SaveRow) -> tuple[NewVersion | None, tuple[Refusal, ...]]:
    """The version that a row as somebody wrote it makes; None: a cell cannot be read."""
    table, refusals, cells = BY_FIELD[command.table], [], {}
    for header, column in described_columns(table).items():
        try:
            cells[header] = tidied(command.cells.get(header, ""), column)
        except BadCell as error:
            refusals.append(Refusal(header=header, reason=error.reason))
    read, unreadable = read_lines(table, [Line(0, {header: cell for header, cell in cells.items() if cell})])
    refusals += [Refusal(header=problem.field, reason=problem.reason) for problem in unreadable]
    if refusals:
        return None, tuple(refusals)
    version = NewVersion(
        table=command.table,
        natural_key=key_of(command.table, read[0]),
        cells=read[0].cells,
        row_id=command.row_id,
        number=command.number + 1,
    )
    return version, ()


def retire(session: Session, command: RetireRow, today: date) -> Saved:
    """Takes a row out of the catalogue; its versions stay. Refused while other rows name it."""
    return _store(session, _retired(session, command), command.by, command.note, today)


def _retired(session: Session, command: RetireRow) -> NewVersion:
    row = _row(session, command.row_id)
    return NewVersion(table=command.table, natural_key=row.natural_key, cells=None, row_id=command.row_id, number=command.number + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetiredRow:
    """A row that was taken out: by whom, when and why, and its last cells."""

    row: StoredRow
    change: StoredRevision
    cells: Cells


def retired(session: Session, table: str) -> tuple[RetiredRow, ...]:
    """The rows of a table that are not in the catalogue any more, the last one taken out first."""
    found = []
    for row in repository.rows(session):
        if row.table == table and row.cells is None:
            versions = repository.history(session, row.id)
            cells = next((version.cells for version in versions if version.cells is not None), None)
            if cells is not None:
                found.append(RetiredRow(row=row, change=versions[0].change, cells=cells))
    return tuple(sorted(found, key=lambda entry: entry.change.id, reverse=True))


def restoring(session: Session, table: str, row_id: int, number: int, *, by: str, note: str) -> SaveRow:
    """The change that brings a retired row back as it last was. NotFound: it is not among the retired ones any more."""
    entry = next((entry for entry in retired(session, table) if entry.row.id == row_id), None)
    if entry is None:
        raise NotFound("catalogue.not_retired")
    return SaveRow(table=table, cells=entry.cells, by=by, note=note, row_id=row_id, number=number)


def history(session: Session, row: StoredRow) -> tuple[RowVersion, ...]:
    """The versions of a row, the newest first."""
    versions = repository.history(session, row.id)
    return tuple(
        RowVersion(
            number=version.number,
            change=version.change,
            changes=tuple(cell_changes(row.table, older.cells, version.cells)) if older and version.cells is not None else (),
            is_retired=version.cells is None,
        )
        for version, older in zip(versions, _older(versions), strict=True)
    )


def cell_changes(table: str, before: Cells | None, after: Cells | None) -> Iterator[CellChange]:
    """The cells in which two versions of a row differ, in the order of the columns."""
    for header in headers(BY_FIELD[table]):
        old, new = (before or {}).get(header, ""), (after or {}).get(header, "")
        if old != new:
            yield CellChange(header=header, before=old, after=new)


def _store(session: Session, version: NewVersion, by: str, note: str, today: date) -> Saved:
    with session.begin_nested():
        repository.lock(session)
        _, refusals = _checked(session, version, today)
        stored = repository.rows(session, ids=[version.row_id]) if version.row_id is not None else []
        if not refusals and (not stored or stored[0].cells != version.cells):
            catalogue_rows.change(session, [version], kind="edit", by=by, note=note)
    return Saved(key="" if refusals else version.natural_key, refusals=refusals)


def _checked(session: Session, version: NewVersion, today: date) -> tuple[list[StoredRow], tuple[Refusal, ...]]:
    """All rows as they would stand, and what would not hold. Conflict: somebody changed the row since it was read."""
    before = repository.rows(session)
    stored = next((row for row in before if row.id == version.row_id), None)
    if (0 if stored is None else stored.number) != version.number - 1:
        raise Conflict("catalogue.stale", field="row_version")
    after = catalogue_rows.changed(before, [version])
    own = len(before) if stored is None else before.index(stored)
    refusals = tuple(
        Refusal(header=problem.header, reason=problem.reason, other="" if problem.place == own else after[problem.place].natural_key)
        for problem in catalogue_rows.problems(before, after, today)
    )
    return after, refusals


def _row(session: Session, row_id: int) -> StoredRow:
    found = repository.rows(session, ids=[row_id])
    if not found:
        raise NotFound("request.not_found")
    return found[0]


def _older(versions: tuple[StoredVersion, ...]) -> tuple[StoredVersion | None, ...]:
    return (*versions[1:], None)
