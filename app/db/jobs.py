"""Background jobs in the database: what people see of them, and the guarded steps of a run."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import select, update

from app.db import queue
from app.db.engine import Session
from app.db.messages import dump, load
from app.db.models.jobs import JobModel
from app.domain.errors import Message, NotFound

QUEUED, RUNNING, FAILED, SUCCEEDED = "queued", "running", "failed", "succeeded"
SLOWEST_POLL_S = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """A job as its page and the API show it."""

    id: UUID
    kind: str
    project_id: UUID | None
    arguments: Mapping[str, Any]
    state: str
    progress_ratio: float | None
    result: Mapping[str, Any] | None
    failure: Message | None
    attempts: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    lock_token: UUID | None

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen by itself."""
        return self.state in (FAILED, SUCCEEDED)

    def poll_delay_s(self, now: datetime) -> int:
        """When to ask again: after a second at first, more rarely as the wait grows."""
        return min(SLOWEST_POLL_S, 1 + int((now - self.created_at).total_seconds() / 20))


def add(session: Session, kind: str, arguments: Mapping[str, Any], project_id: UUID | None) -> UUID:
    """Stores a job and puts it on the queue, both with the caller's transaction."""
    model = JobModel(kind=kind, arguments=dict(arguments), project_id=project_id)
    session.add(model)
    session.flush()
    model.queue_id = queue.defer(session, model.id)
    session.flush()
    return model.id


def get(session: Session, job_id: UUID) -> JobRow:
    """One job. NotFound: there is none."""
    model = session.get(JobModel, job_id, populate_existing=True)
    if model is None:
        raise NotFound("job.not_found")
    return _to_row(model)


def of_project(session: Session, project_id: UUID, kind: str | None = None) -> tuple[JobRow, ...]:
    """A project's jobs, newest first."""
    query = select(JobModel).where(JobModel.project_id == project_id).order_by(JobModel.created_at.desc(), JobModel.id)
    return tuple(map(_to_row, session.scalars(query if kind is None else query.where(JobModel.kind == kind))))


def requeue(session: Session, job_id: UUID, *, ended: Collection[str] = (FAILED,)) -> bool:
    """Puts a job that ended like that back on the queue; False when it did not."""
    model = session.get(JobModel, job_id, with_for_update=True)
    if model is None:
        raise NotFound("job.not_found")
    if model.state not in ended:
        return False
    model.state, model.progress_ratio, model.failure_code, model.failure_params = QUEUED, None, None, None
    model.started_at = model.finished_at = model.lock_token = None
    model.queue_id = queue.defer(session, job_id)
    session.flush()
    return True


def claim(session: Session, job_id: UUID, now: datetime) -> JobRow | None:
    """Takes a job for this run under a fresh token: whoever held it before can no longer write. None: finished, or deleted meanwhile."""
    model = session.get(JobModel, job_id, with_for_update=True, populate_existing=True)
    if model is None or model.state in (FAILED, SUCCEEDED):
        return None
    model.state, model.started_at, model.lock_token, model.attempts = RUNNING, now, uuid4(), model.attempts + 1
    session.flush()
    return _to_row(model)


def note_progress(session: Session, job_id: UUID, lock_token: UUID, ratio: float) -> None:
    """How far the run is, if it still holds the job."""
    session.execute(update(JobModel).where(JobModel.id == job_id, JobModel.lock_token == lock_token).values(progress_ratio=ratio))


def is_held(session: Session, job_id: UUID, lock_token: UUID) -> bool:
    """Whether the run still holds the job; locks the row until the transaction ends."""
    query = select(JobModel.id).where(JobModel.id == job_id, JobModel.lock_token == lock_token).with_for_update()
    return session.scalar(query) is not None


def finish(session: Session, job_id: UUID, lock_token: UUID, result: Mapping[str, Any] | None, now: datetime) -> None:
    """The run ended well."""
    session.execute(
        update(JobModel)
        .where(JobModel.id == job_id, JobModel.lock_token == lock_token)
        .values(state=SUCCEEDED, progress_ratio=1.0, result=None if result is None else dict(result), finished_at=now)
    )


def fail(session: Session, job_id: UUID, lock_token: UUID, failure: Message, now: datetime) -> None:
    """The run ended with a reason that the page shows."""
    session.execute(
        update(JobModel)
        .where(JobModel.id == job_id, JobModel.lock_token == lock_token)
        .values(state=FAILED, failure_code=failure.code, failure_params=dump(failure)["params"], finished_at=now)
    )


def give_back(session: Session, job_id: UUID, lock_token: UUID) -> None:
    """The run was disturbed and will be tried again."""
    session.execute(
        update(JobModel)
        .where(JobModel.id == job_id, JobModel.lock_token == lock_token)
        .values(state=QUEUED, lock_token=None, progress_ratio=None)
    )


def _to_row(model: JobModel) -> JobRow:
    return JobRow(
        id=model.id,
        kind=model.kind,
        project_id=model.project_id,
        arguments=model.arguments,
        state=model.state,
        progress_ratio=model.progress_ratio,
        result=model.result,
        failure=None if model.failure_code is None else load({"code": model.failure_code, "params": model.failure_params or {}}),
        attempts=model.attempts,
        created_at=model.created_at,
        started_at=model.started_at,
        finished_at=model.finished_at,
        lock_token=model.lock_token,
    )
