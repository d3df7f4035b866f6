"""Background jobs as use cases: ask for one, look at it, try it again."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from app.db import jobs
from app.db.engine import Session
from app.db.jobs import JobRow
from app.domain.errors import Conflict, NotFound
from app.services import access
from app.services.access import Caller, Right

__all__ = ["JobRow"]


def enqueue(session: Session, kind: str, arguments: Mapping[str, Any], *, project_id: UUID | None = None) -> UUID:
    """Asks for background work. The job appears with the caller's transaction or not at all; arguments are ids and words, never objects."""
    return jobs.add(session, kind, arguments, project_id)


def get_job(session: Session, job_id: UUID) -> JobRow:
    """One job, whoever asks. NotFound: there is none."""
    return jobs.get(session, job_id)


def job_of(session: Session, job_id: UUID, caller: Caller) -> JobRow:
    """One job. NotFound: there is none, or it is of a project that is not the caller's."""
    return _job(session, job_id, caller, Right.READ)


def jobs_of_project(session: Session, project_id: UUID, kind: str | None = None) -> tuple[JobRow, ...]:
    """A project's jobs, newest first."""
    return jobs.of_project(session, project_id, kind)


def retry(session: Session, job_id: UUID, caller: Caller) -> None:
    """Tries a failed job again. Conflict: it has not failed."""
    _job(session, job_id, caller, Right.UPLOAD)
    if not jobs.requeue(session, job_id):
        raise Conflict("job.not_failed")


def repeat(session: Session, job_id: UUID) -> bool:
    """Runs a job that ended once more, with the arguments it had; False: it is still to run, or under way."""
    return jobs.requeue(session, job_id, ended=(jobs.FAILED, jobs.SUCCEEDED))


def _job(session: Session, job_id: UUID, caller: Caller, right: Right) -> JobRow:
    job = jobs.get(session, job_id)
    if job.project_id is None:
        (access.require_price_keeper if job.arguments.get("tables") == "prices" else access.require_admin)(caller)
    elif not access.rights(session, caller, job.project_id):
        raise NotFound("job.not_found")
    else:
        access.require(session, caller, job.project_id, right)
    return job
