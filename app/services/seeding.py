"""Brings the shipped facts into the database. What people changed here stays: where the files say something else, that is reported, not stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.db import catalogue as repository
from app.db.catalogue import Cells, NewVersion, Shipped, StoredRow
from app.db.engine import Session
from app.domain.catalogue.invariants import natural_key
from app.seeds import Loaded, load_folder
from app.services import catalogue_rows

SEEDED_BY = "gpuplan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A row that people changed, added or retired here, of which the files say something else. None: it is not there, or was retired."""

    table: str
    key: str
    shipped: Cells | None
    kept: Cells | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A row of the files, and the stored row that came from it or that somebody added under the same key. One of them may be missing."""

    table: str
    key: str
    cells: Cells | None
    position: int
    stored: StoredRow | None

    @property
    def is_ours(self) -> bool:
        """Whether people changed it here."""
        return self.stored is not None and self.stored.cells != self.stored.shipped

    @property
    def is_same(self) -> bool:
        """Whether files and database agree."""
        return self.cells == (None if self.stored is None else self.stored.cells)


def seed(session: Session, shipped: Loaded | None = None) -> tuple[Difference, ...]:
    """Upserts the rows of the seed files by natural key, as one revision; nothing changes where the database holds them already.

    A row that the files changed follows them, unless somebody changed it here: then it stays, and the difference is returned."""
    shipped = shipped or load_folder()
    if repository.find_revision(session) == shipped.catalogue.revision:
        return ()
    with session.begin_nested():
        repository.lock(session)
        pairs = tuple(_pairs(shipped, repository.rows(session)))
        versions = [_version(pair) for pair in pairs if not pair.is_ours and not pair.is_same]
        if versions:
            catalogue_rows.change(session, versions, kind="seed", by=SEEDED_BY, note="")
        repository.note_shipped(session, tuple(_notes(pairs)))
    return tuple(
        Difference(table=pair.table, key=pair.key, shipped=pair.cells, kept=pair.stored.cells)
        for pair in pairs
        if pair.stored is not None and pair.is_ours and not pair.is_same
    )


def _pairs(shipped: Loaded, stored: Sequence[StoredRow]) -> Iterator[_Pair]:
    came = {(row.table, row.shipped_key): row for row in stored if row.shipped_key is not None}
    added = {(row.table, row.natural_key): row for row in stored if row.shipped_key is None and row.cells is not None}
    for table, lines in shipped.lines.items():
        for position, (line, fact) in enumerate(zip(lines, getattr(shipped.catalogue, table), strict=True)):
            key = natural_key(table, fact)
            found = came.pop((table, key), None) or added.get((table, key))
            yield _Pair(table=table, key=key, cells=line.cells, position=position, stored=found)
    for row in came.values():
        yield _Pair(table=row.table, key=row.natural_key, cells=None, position=row.position, stored=row)


def _version(pair: _Pair) -> NewVersion:
    row = pair.stored
    return NewVersion(
        table=pair.table,
        natural_key=pair.key,
        cells=pair.cells,
        row_id=None if row is None else row.id,
        number=1 if row is None else row.number + 1,
        is_shipped=True,
    )


def _notes(pairs: Sequence[_Pair]) -> Iterator[Shipped]:
    for pair in pairs:
        row, key = pair.stored, None if pair.cells is None else pair.key
        if row is not None and (row.shipped_key, row.shipped, row.position) != (key, pair.cells, pair.position):
            yield Shipped(row_id=row.id, key=key, cells=pair.cells, position=pair.position)
