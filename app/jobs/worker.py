"""The process side of the queue: takes jobs as they come and picks up what dead workers left."""

import asyncio
from contextlib import suppress
from uuid import UUID

from procrastinate import App, PsycopgConnector, RetryStrategy

from app.db.engine import Database
from app.db.queue import QUEUE, RUN
from app.jobs.registry import TASKS
from app.services import runs

HEARTBEAT_S = 5
DEAD_AFTER_S = 20
RETRY = RetryStrategy(max_attempts=8, exponential_wait=2, retry_exceptions=(runs.TryAgain,))


def work(database: Database, url: str, *, concurrency: int, stop_within_s: float, wait: bool = True) -> None:
    """Runs jobs until the process is asked to stop; with `wait=False` until none is left."""
    asyncio.run(_work(database, url, concurrency=concurrency, stop_within_s=stop_within_s, wait=wait))


async def _work(database: Database, url: str, *, concurrency: int, stop_within_s: float, wait: bool) -> None:
    app = App(connector=PsycopgConnector(conninfo=url, min_size=1, max_size=concurrency + 3))

    @app.task(name=RUN, queue=QUEUE, retry=RETRY)
    def run(job_id: str) -> None:
        runs.run(database, UUID(job_id), TASKS)

    async with app.open_async():
        watching = asyncio.create_task(_take_up_abandoned(app)) if wait else None
        await app.run_worker_async(
            queues=[QUEUE],
            concurrency=concurrency,
            wait=wait,
            update_heartbeat_interval=HEARTBEAT_S,
            stalled_worker_timeout=DEAD_AFTER_S,
            shutdown_graceful_timeout=stop_within_s,
            delete_jobs="successful",
            listen_notify=wait,
        )
        if watching is not None:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching


async def _take_up_abandoned(app: App) -> None:
    while True:
        for job in await app.job_manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=DEAD_AFTER_S):
            await app.job_manager.retry_job(job)
        await asyncio.sleep(HEARTBEAT_S)
