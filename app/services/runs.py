"""One run of a background job, in three steps: claim it, compute without a session, apply the result under the run's token."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import Any
from uuid import UUID

from sqlalchemy.exc import OperationalError

from app.db import jobs
from app.db.engine import Database, Session
from app.domain.errors import DomainError, message
from app.logs import logger

PROGRESS_EVERY_S = 1.0
_log = logger(__name__)


class RunLost(Exception):
    """Another run took the job over; this one must not write."""


class TryAgain(Exception):
    """The run was disturbed by something that passes: the database restarts, a lock was held."""


class Run:
    """What a job's function is given. It reads in short sessions of `database`, computes, and stores its result in `apply()`."""

    def __init__(self, database: Database, job: jobs.JobRow, now: Callable[[], datetime]) -> None:
        assert job.lock_token is not None
        self.database = database
        self.job = job
        self.now = now
        self.result: Mapping[str, Any] | None = None
        self.is_applied = False
        self._token = job.lock_token
        self._noted_at = monotonic()

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the job was asked with."""
        return self.job.arguments

    def progress(self, ratio: float) -> None:
        """Notes how far the run is, at most once a second: call it as often as you like."""
        if monotonic() - self._noted_at >= PROGRESS_EVERY_S:
            self._noted_at = monotonic()
            with self.database.write() as session:
                jobs.note_progress(session, self.job.id, self._token, min(max(ratio, 0.0), 1.0))

    @contextmanager
    def apply(self) -> Iterator[Session]:
        """The transaction in which the result is stored and the job marked as done: both or neither. Set `result` inside, if there is one."""
        with self.database.write() as session:
            if not jobs.is_held(session, self.job.id, self._token):
                raise RunLost
            yield session
            jobs.finish(session, self.job.id, self._token, self.result, self.now())
        self.is_applied = True


def run(database: Database, job_id: UUID, tasks: Mapping[str, Callable[[Run], None]], now: Callable[[], datetime] | None = None) -> None:
    """Runs a job by its kind. Errors of the domain end it with their sentence, unexpected ones with a general one; TryAgain: later."""
    now = now or (lambda: datetime.now(UTC))
    with database.write() as session:
        job = jobs.claim(session, job_id, now())
    if job is None or job.lock_token is None:
        return
    try:
        started = Run(database, job, now)
        tasks[job.kind](started)
        if not started.is_applied:
            with started.apply():
                pass
    except RunLost:
        _log.warning("job.run.lost", job_id=str(job_id))
    except DomainError as error:
        with database.write() as session:
            jobs.fail(session, job_id, job.lock_token, error.message, now())
    except OperationalError:
        with database.write() as session:
            jobs.give_back(session, job_id, job.lock_token)
        raise TryAgain from None
    except Exception:
        _log.exception("job.run.failed", job_id=str(job_id), kind=job.kind)
        with database.write() as session:
            jobs.fail(session, job_id, job.lock_token, message("job.failed"), now())
