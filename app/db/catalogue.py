"""The catalogue in the database: rows of cells, each with its versions, and a revision a change. Which cells make which facts, `app.seeds` knows."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import distinct_on, insert

from app.db.engine import Session
from app.db.models.catalogue import CatalogueRevisionModel, CatalogueRowModel, CatalogueVersionModel

CHANGING_LOCK = 5_071_968_321
NOT_SHIPPED: Mapping[str, Any] = {"shipped_key": None, "shipped": None}
Cells = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRow:
    """A row as of some revision: its newest version then. `cells` is None where it was retired."""

    id: int
    table: str
    position: int
    number: int
    natural_key: str
    cells: Cells | None
    shipped_key: str | None
    shipped: Cells | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRevision:
    """A change of the catalogue: by whom, when, why."""

    id: int
    revision: str
    kind: str  # seed | edit | import
    changed_by: str
    changed_at: datetime
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChange:
    """The revision that the catalogue comes to, and why."""

    revision: str
    row_count: int
    kind: str
    changed_by: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVersion:
    """A version of a row with the change that made it."""

    number: int
    cells: Cells | None
    change: StoredRevision


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """What a row becomes. No `row_id`: a new row at the end of its table; no cells: it is retired."""

    table: str
    natural_key: str
    cells: Cells | None
    row_id: int | None = None
    number: int = 1
    is_shipped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """What the seed files say of a stored row: key, cells and place in its table. No key: nothing any more."""

    row_id: int
    key: str | None
    cells: Cells | None
    position: int


def find_revision(session: Session) -> str | None:
    """The newest revision; None: never seeded."""
    return session.scalar(select(CatalogueRevisionModel.revision).order_by(CatalogueRevisionModel.id.desc()).limit(1))


def find_change(session: Session, revision: str) -> StoredRevision | None:
    """The last change that led to this revision; None: there was none."""
    query = select(CatalogueRevisionModel).where(CatalogueRevisionModel.revision == revision)
    model = session.scalar(query.order_by(CatalogueRevisionModel.id.desc()).limit(1))
    return None if model is None else _change(model)


def changes(session: Session, limit: int, *, before: datetime | None = None, by: str | None = None) -> tuple[StoredRevision, ...]:
    """The newest changes, before a moment or by one person if so asked."""
    query = select(CatalogueRevisionModel).order_by(CatalogueRevisionModel.id.desc()).limit(limit)
    query = query if before is None else query.where(CatalogueRevisionModel.changed_at < before)
    query = query if by is None else query.where(CatalogueRevisionModel.changed_by == by)
    return tuple(map(_change, session.scalars(query)))


def lock(session: Session) -> None:
    """Until the end of the transaction nobody else changes the catalogue."""
    session.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": CHANGING_LOCK})


def rows(session: Session, as_of: int | None = None, ids: Sequence[int] | None = None) -> list[StoredRow]:
    """Every row (or these) there was as of a change, or is now, in the order of its table; retired ones as well, without cells."""
    version = CatalogueVersionModel
    newest = select(version).ext(distinct_on(version.row_id)).order_by(version.row_id, version.number.desc())
    if as_of is not None:
        newest = newest.where(version.revision_id <= as_of)
    if ids is not None:
        newest = newest.where(version.row_id.in_(ids))
    found = newest.subquery()
    query = select(CatalogueRowModel, found.c.number, found.c.natural_key, found.c.cells).join(
        found, found.c.row_id == CatalogueRowModel.id
    )
    ordered = query.order_by(CatalogueRowModel.table_name, CatalogueRowModel.position, CatalogueRowModel.id)
    return [
        StoredRow(
            id=row.id,
            table=row.table_name,
            position=row.position,
            number=number,
            natural_key=key,
            cells=cells,
            shipped_key=row.shipped_key,
            shipped=row.shipped,
        )
        for row, number, key, cells in session.execute(ordered)
    ]


def find_row(session: Session, table: str, natural_key: str) -> StoredRow | None:
    """The row that has this key now; None: there is none, or it was retired."""
    model, version = CatalogueRowModel, CatalogueVersionModel
    named = select(version.row_id).join(model, model.id == version.row_id)
    ids = session.scalars(named.where(model.table_name == table, version.natural_key == natural_key)).all()
    return next((row for row in rows(session, ids=ids) if row.natural_key == natural_key and row.cells is not None), None) if ids else None


def history(session: Session, row_id: int) -> tuple[StoredVersion, ...]:
    """Every version of a row, the newest first."""
    version, change = CatalogueVersionModel, CatalogueRevisionModel
    query = select(version, change).join(change, change.id == version.revision_id).where(version.row_id == row_id)
    return tuple(
        StoredVersion(number=row.number, cells=row.cells, change=_change(made))
        for row, made in session.execute(query.order_by(version.number.desc()))
    )


def add_change(session: Session, versions: Sequence[NewVersion], change: NewChange) -> None:
    """Stores versions under one new revision, and the rows that are new."""
    revision_id = session.scalar(insert(CatalogueRevisionModel).values(**asdict(change)).returning(CatalogueRevisionModel.id))
    ids = _row_ids(session, versions)
    values = [
        {
            "row_id": row_id,
            "number": version.number,
            "revision_id": revision_id,
            "natural_key": version.natural_key,
            "cells": None if version.cells is None else dict(version.cells),
        }
        for row_id, version in zip(ids, versions, strict=True)
    ]
    if values:
        session.execute(insert(CatalogueVersionModel), values)
    session.flush()


def note_shipped(session: Session, notes: Sequence[Shipped]) -> None:
    """Remembers what the files say of rows."""
    values = [
        {"id": note.row_id, "shipped_key": note.key, "shipped": None if note.cells is None else dict(note.cells), "position": note.position}
        for note in notes
    ]
    if values:
        session.execute(update(CatalogueRowModel), values)
        session.flush()


def _row_ids(session: Session, versions: Sequence[NewVersion]) -> list[int]:
    """Ids of the rows; new ones are made at the end of their tables."""
    model = CatalogueRowModel
    query = select(model.table_name, func.max(model.position)).group_by(model.table_name)
    ends = {table: int(last) for table, last in session.execute(query)}
    values = []
    for version in versions:
        if version.row_id is None:
            ends[version.table] = ends.get(version.table, -1) + 1
            shipped = {"shipped_key": version.natural_key, "shipped": dict(version.cells or {})} if version.is_shipped else NOT_SHIPPED
            values.append({"table_name": version.table, "position": ends[version.table], **shipped})
    made: list[int] = []
    if values:
        made = list(session.scalars(insert(model).returning(model.id, sort_by_parameter_order=True), values))
    new = iter(made)
    return [next(new) if version.row_id is None else version.row_id for version in versions]


def _change(model: CatalogueRevisionModel) -> StoredRevision:
    return StoredRevision(
        id=model.id,
        revision=model.revision,
        kind=model.kind,
        changed_by=model.changed_by,
        changed_at=model.changed_at,
        note=model.note,
    )
