"""Background jobs for scripts."""

from typing import Any
from uuid import UUID

from fastapi import APIRouter

from app.services import jobs
from app.web.access import SignedIn
from app.web.database import Read, Write
from app.web.locale import current_locale
from app.wire.jobs import job_json

router = APIRouter(prefix="/jobs", tags=["jobs"])


@router.get("/{job_id}", name="api.jobs.show")
def show(job_id: UUID, session: Read, caller: SignedIn) -> dict[str, Any]:
    """State, progress, and the result or the problem."""
    return _json(jobs.job_of(session, job_id, caller))


@router.post("/{job_id}/retry", name="api.jobs.retry", status_code=202)
def retry(job_id: UUID, session: Write, caller: SignedIn) -> dict[str, Any]:
    """Puts a failed job back on the queue."""
    jobs.retry(session, job_id, caller)
    return _json(jobs.job_of(session, job_id, caller))


def _json(job: jobs.JobRow) -> dict[str, Any]:
    return job_json(
        job_id=job.id,
        kind=job.kind,
        state=job.state,
        progress_ratio=job.progress_ratio,
        result=job.result,
        failure=job.failure,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        locale=current_locale(),
    )
