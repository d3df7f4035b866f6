"""Large files of facts: looked at, and stored once that was confirmed, by a job with progress; what it found is kept in its result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from app.db.engine import Session
from app.db.messages import dump, load
from app.domain.errors import Conflict, Message
from app.services import imports, jobs
from app.services.catalogue_edits import CellChange
from app.services.imports import ImportPlan
from app.services.jobs import JobRow
from app.services.runs import Run
from app.storage import DatabaseStorage

JOB = "catalogue.import"
FROM_BYTES = 200_000  # below, a file is looked at while its reader waits: about two seconds
KEPT_COUNT = 200  # lines of each kind that the result keeps to show
TABLES = {"catalogue": imports.CATALOGUE_TABLES, "prices": imports.PRICE_TABLES}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskImport:
    """A stored file and who brings it. With a revision the reader confirmed what was found against that catalogue: it is to be stored."""

    stored: str
    name: str
    tables: str
    by: str
    note: str
    revision: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedRow:
    """A row that the file changes."""

    key: str
    table: str
    changes: tuple[CellChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a file would change, or changed: counts of everything, and the first lines of each kind."""

    is_stored: bool
    revision: str
    added_count: int
    changed_count: int
    unchanged_count: int
    problem_count: int
    added: tuple[str, ...]
    changed: tuple[ChangedRow, ...]
    problems: tuple[tuple[str, Message], ...]


def ask(session: Session, command: AskImport) -> UUID:
    """Has a file looked at or stored."""
    return jobs.enqueue(session, JOB, {name: getattr(command, name) for name in AskImport.__dataclass_fields__})


def run_import(run: Run) -> None:
    """The job. InvalidInput: the file cannot be read. Conflict: the catalogue changed since it was confirmed."""
    asked = AskImport(**run.arguments)
    content = b"".join(DatabaseStorage(run.database).read(asked.stored))
    run.progress(0.1)
    with run.database.read() as session:
        planned = imports.plan(
            session, asked.name, content, TABLES[asked.tables], run.now().date(), progress=lambda ratio: run.progress(0.1 + 0.8 * ratio)
        )
    if asked.revision and asked.revision != planned.revision:
        raise Conflict("import.stale")
    with run.apply() as session:
        if asked.revision:
            imports.store(session, planned, by=asked.by, note=asked.note or asked.name)
        run.result = _result(planned, is_stored=bool(asked.revision))


def found(job: JobRow) -> Found | None:
    """What a finished job found; None: it is not finished, or failed."""
    if job.result is None:
        return None
    said: dict[str, Any] = dict(job.result)
    said["added"] = tuple(said["added"])
    said["changed"] = tuple(
        ChangedRow(key=row["key"], table=row["table"], changes=tuple(CellChange(**cell) for cell in row["changes"]))
        for row in said["changed"]
    )
    said["problems"] = tuple((row["where"], load(row["reason"])) for row in said["problems"])
    return Found(**said)


def _result(planned: ImportPlan, *, is_stored: bool) -> Mapping[str, Any]:
    cells = CellChange.__dataclass_fields__
    return {
        "is_stored": is_stored,
        "revision": planned.revision,
        "added_count": len(planned.added),
        "changed_count": len(planned.changed),
        "unchanged_count": planned.unchanged_count,
        "problem_count": len(planned.problems),
        "added": [row.key for row in planned.added[:KEPT_COUNT]],
        "changed": [
            {"key": row.key, "table": row.table, "changes": [{name: getattr(cell, name) for name in cells} for cell in row.changes]}
            for row in planned.changed[:KEPT_COUNT]
        ],
        "problems": [{"where": where, "reason": dump(reason)} for where, reason in map(imports.said, planned.problems[:KEPT_COUNT])],
    }
