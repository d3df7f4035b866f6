"""Jobs: queued with the row, run by a worker, guarded against a second run, failed with a reason."""

from collections.abc import Callable

import psycopg
import pytest

from app.db.engine import Database, Session
from app.domain.errors import InvalidInput
from app.services import accounts, jobs, runs
from app.services.access import Caller
from app.services.runs import Run
from tests.factories.projects import a_project, gone


def queued(session: Session) -> int:
    driver: psycopg.Connection = session.connection().connection.driver_connection
    return driver.execute("SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo'").fetchone()[0]


def a_job(database: Database, **arguments: str) -> object:
    with database.write() as session:
        return jobs.enqueue(session, "test.run", arguments)


def run(database: Database, job_id: object, task: Callable[[Run], None]) -> jobs.JobRow:
    runs.run(database, job_id, {"test.run": task})
    with database.read() as session:
        return jobs.get_job(session, job_id)


def test_job_is_queued_with_the_transaction_and_not_without(database: Database, session: Session) -> None:
    before = queued(session)
    with pytest.raises(ZeroDivisionError), database.write() as writing:
        jobs.enqueue(writing, "test.run", {})
        assert queued(writing) == before + 1
        raise ZeroDivisionError
    assert queued(session) == before
    a_job(database)
    assert queued(session) == before + 1


def test_result_is_stored_with_the_end_of_the_job(database: Database) -> None:
    def task(run: Run) -> None:
        with run.apply() as session:
            assert session.is_active
            run.result = {"rows": int(run.arguments["rows"]) + 1}

    job = run(database, a_job(database, rows="41"), task)
    assert (job.state, job.result, job.progress_ratio, job.attempts) == ("succeeded", {"rows": 42}, 1.0, 1)


def test_error_of_the_domain_is_the_reason_that_is_shown(database: Database) -> None:
    def task(run: Run) -> None:
        raise InvalidInput("line", "form.at_most", limit=7)

    job = run(database, a_job(database), task)
    assert (job.state, job.failure.code, dict(job.failure.params)) == ("failed", "form.at_most", {"limit": 7})


def test_bug_ends_the_job_with_a_general_reason(database: Database) -> None:
    def task(run: Run) -> None:
        raise ZeroDivisionError

    assert run(database, a_job(database), task).failure.code == "job.failed"


def test_finished_job_does_not_run_again(database: Database) -> None:
    def fails(run: Run) -> None:
        raise AssertionError("ran twice")

    job_id = a_job(database)
    run(database, job_id, lambda run: None)
    assert run(database, job_id, fails).state == "succeeded"


def test_run_that_lost_its_job_stores_nothing(database: Database) -> None:
    job_id = a_job(database)

    def slow(first: Run) -> None:
        run(database, job_id, lambda second: None)
        with first.apply():
            first.result = {"by": "first"}

    job = run(database, job_id, slow)
    assert (job.state, job.result, job.attempts) == ("succeeded", None, 2)


def test_failed_job_can_be_tried_again(database: Database, session: Session) -> None:
    def fails(run: Run) -> None:
        raise InvalidInput("line", "form.missing")

    job_id = a_job(database)
    run(database, job_id, fails)
    before = queued(session)
    with database.write() as writing:
        jobs.retry(writing, job_id, Caller(accounts.ensure_owner(writing)))
    assert queued(session) == before + 1
    assert run(database, job_id, lambda run: None).state == "succeeded"


def test_job_goes_with_its_project(database: Database) -> None:
    project_id = a_project(database)
    with database.write() as session:
        job_id = jobs.enqueue(session, "test.run", {}, project_id=project_id)
    with database.write() as session:
        gone(session, project_id)
    runs.run(database, job_id, {})
