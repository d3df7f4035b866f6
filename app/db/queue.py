"""The queue: puts a job on it inside the caller's transaction, so that a job exists exactly when its row does."""

from functools import cache
from uuid import UUID

from procrastinate import App, SyncPsycopgConnector
from sqlalchemy import text

from app.db.engine import Session

RUN = "gpuplan.run"
QUEUE = "jobs"


def defer(session: Session, job_id: UUID) -> int:
    """Asks a worker to run the job once the session's transaction is committed; returns the queue's own number."""
    driver = session.connection().connection.driver_connection
    return _app().configure_task(RUN, queue=QUEUE, connection=driver).defer(job_id=str(job_id))


def forget_workers(session: Session) -> None:
    """Declares every worker gone, so that the next one takes up at once what they left. For the one who knows that none is running."""
    session.execute(text("DELETE FROM procrastinate_workers"))


@cache
def _app() -> App:
    # Never opened: every call brings its connection.
    return App(connector=SyncPsycopgConnector())
