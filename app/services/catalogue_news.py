"""What changed in the catalogue since a plan was looked at, and which of it concerns the configuration that was chosen."""

from dataclasses import dataclass

from app.db import catalogue as repository
from app.db.catalogue import Cells, StoredRevision, StoredRow
from app.db.engine import Session
from app.seeds.reading import SEPARATOR
from app.services.catalogue_edits import CellChange, cell_changes

OF_EVERY_PLAN = "cost_factors"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChange:
    """A row that was added, changed or retired."""

    table: str
    key: str
    kind: str  # added | changed | retired
    changes: tuple[CellChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueNews:
    """Changes since a revision: those that concern a configuration, and how many others there were."""

    since: StoredRevision
    concerning: tuple[FactChange, ...]
    other_count: int


def since(session: Session, revision: str | None, gpu: str, server: str) -> CatalogueNews | None:
    """Changes since the catalogue had this revision; None: none, or nobody noted the revision."""
    now = repository.find_revision(session)
    change = None if revision in (None, now) else repository.find_change(session, revision or "")
    if change is None:
        return None
    before = {row.id: row for row in repository.rows(session, change.id)}
    concerning: list[FactChange] = []
    other_count = 0
    for row in repository.rows(session):
        old = before.get(row.id)
        if (None if old is None else old.cells) == row.cells:
            continue
        if any(_concerns(row.table, cells, gpu, server) for cells in (row.cells, old.cells if old else None) if cells):
            concerning.append(_change(row, old))
        else:
            other_count += 1
    return CatalogueNews(since=change, concerning=tuple(concerning), other_count=other_count) if concerning or other_count else None


def _concerns(table: str, cells: Cells, gpu: str, server: str) -> bool:
    if table == "servers":
        return cells.get("slug") == server
    if table == "gpus":
        return cells.get("slug") == gpu
    return table == OF_EVERY_PLAN or cells.get("gpu_slug") == gpu or gpu in cells.get("gpu_slugs", "").split(SEPARATOR)


def _change(row: StoredRow, old: StoredRow | None) -> FactChange:
    before = None if old is None else old.cells
    kind = "added" if before is None else "retired" if row.cells is None else "changed"
    changes = tuple(cell_changes(row.table, before, row.cells)) if kind == "changed" else ()
    return FactChange(table=row.table, key=row.natural_key, kind=kind, changes=changes)
