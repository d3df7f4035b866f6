"""Composes the worker process: settings, database, queue. Start as many as there is work for, on as many machines."""

from app.db.engine import connect
from app.jobs import worker
from app.settings import Settings

STOP_WITHIN_S = 10.0


def run(settings: Settings, *, wait: bool = True) -> None:
    """Works until the process is asked to stop."""
    assert settings.database_url is not None, "no database: start with `gpuplan serve`, or set DATABASE_URL"
    url = settings.database_url.get_secret_value()
    database = connect(url, pool_size=settings.worker_concurrency + 2)
    try:
        worker.work(database, url, concurrency=settings.worker_concurrency, stop_within_s=STOP_WITHIN_S, wait=wait)
    finally:
        database.close()
