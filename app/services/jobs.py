"""Background jobs as use cases: ask for one, look at it, try it again."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from app.db import jobs
from app.db.engine import Session
from app.db.jobs import JobRow
from app.domain.errors import Conflict

__all__ = ["JobRow"]


def enqueue(session: Session, kind: str, arguments: Mapping[str, Any], *, project_id: UUID | None = None) -> UUID:
    """Asks for background work. The job appears with the caller's transaction or not at all; arguments are ids and words, never objects."""
    return jobs.add(session, kind, arguments, project_id)


def get_job(session: Session, job_id: UUID) -> JobRow:
    """One job. NotFound: there is none."""
    return jobs.get(session, job_id)


def jobs_of_project(session: Session, project_id: UUID, kind: str | None = None) -> tuple[JobRow, ...]:
    """A project's jobs, newest first."""
    return jobs.of_project(session, project_id, kind)


def retry(session: Session, job_id: UUID) -> None:
    """Tries a failed job again. Conflict: it has not failed."""
    if not jobs.requeue(session, job_id):
        raise Conflict("job.not_failed")
