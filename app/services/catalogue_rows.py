"""Stored rows of cells as facts, and changes of them: what seeding, editing and importing share."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.db import catalogue as repository
from app.db.catalogue import NewChange, NewVersion, StoredRow
from app.db.engine import Session
from app.logs import logger
from app.seeds import Loaded, assemble
from app.seeds.reading import Line
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
