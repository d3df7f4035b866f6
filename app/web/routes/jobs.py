"""One background job as a page, as the element that asks for itself again, and its retry."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.services import jobs
from app.services import rail as rails
from app.services.jobs import JobRow
from app.services.rail import ProjectRail
from app.web import htmx
from app.web.access import SignedIn
from app.web.database import Now, Read, Write
from app.web.templating import page

router = APIRouter(prefix="/jobs")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobView:
    """A job, inside its project's frame if it has one."""

    job: JobRow
    rail: ProjectRail | None
    now: datetime


@router.get("/{job_id}", name="jobs.show")
def show(request: Request, job_id: UUID, session: Read, caller: SignedIn, now: Now) -> Response:
    """The job's state."""
    job = jobs.job_of(session, job_id, caller)
    rail = None if job.project_id is None or htmx.wants_fragment(request) else rails.rail(session, job.project_id)
    return page(request, "jobs/show.html", JobView(job=job, rail=rail, now=now), fragments={f"job-{job_id}": ("job",)})


@router.post("/{job_id}/retry", name="jobs.retry")
def retry(request: Request, job_id: UUID, session: Write, caller: SignedIn) -> Response:
    """Tries a failed job again."""
    jobs.retry(session, job_id, caller)
    return htmx.see_other(request, str(request.app.url_path_for("jobs.show", job_id=job_id)))
