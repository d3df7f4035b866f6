"""Telemetry in the database: profiles read back as they were stored, files stored once, jobs that may run twice, the verdict that leads."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from uuid import UUID

import pytest
from sqlalchemy import text

from app.db.engine import Database, Session
from app.domain.errors import NotFound
from app.domain.telemetry import read
from app.jobs.registry import TASKS
from app.services import catalogue, jobs, runs, telemetry
from app.services.telemetry import AcceptUpload
from app.storage import DatabaseStorage
from tests.factories.dmon import a_log, steady
from tests.factories.projects import a_project

STARVED = a_log(steady(150, gpu_count=2, sm=41, mem=12, pwr=150))
NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _seeded(database: Database) -> None:
    with database.write() as session:
        catalogue.seed(session)


def _accept(database: Database, project_id: UUID, log: bytes, name: str = "log", gpu: str | None = None) -> telemetry.UploadRow:
    with database.write() as session:
        return telemetry.accept(session, DatabaseStorage(database), AcceptUpload(project_id=project_id, name=name, gpu=gpu), BytesIO(log))


def _profiled(database: Database, project_id: UUID, log: bytes, name: str = "log", gpu: str | None = None) -> telemetry.UploadRow:
    upload = _accept(database, project_id, log, name, gpu)
    assert upload.job_id is not None
    runs.run(database, upload.job_id, TASKS)
    with database.read() as session:
        return telemetry.get_upload(session, project_id, upload.id)


def _count(session: Session, table: str) -> int:
    return int(session.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())


def test_profile_is_read_back_as_it_was_stored(database: Database, session: Session) -> None:
    log = b"$ nvidia-smi dmon -d 2\n" + a_log(steady(20, sm=0) + steady(60, sm=41, mem=12) + steady(3, sm="-")) + b"    0   12\n"
    upload = _profiled(database, a_project(database), log)

    found = telemetry.profiled(session, upload.project_id, upload.id).profile

    assert found == read([log])


def test_running_the_job_again_stores_the_same(database: Database, session: Session) -> None:
    upload = _profiled(database, a_project(database), STARVED)
    rows = _count(session, "telemetry_rollups"), _count(session, "telemetry_series")
    with database.write() as writing:
        again = jobs.enqueue(
            writing, telemetry.JOB, {"project_id": str(upload.project_id), "upload_id": str(upload.id)}, project_id=upload.project_id
        )
    runs.run(database, again, TASKS)
    assert (_count(session, "telemetry_rollups"), _count(session, "telemetry_series")) == rows


def test_raw_bytes_are_kept_once_and_come_back_equal(database: Database, session: Session) -> None:
    log = a_log(steady(60_000, sm=41))
    first = _accept(database, a_project(database, "One"), log)
    second = _accept(database, a_project(database, "Two"), log)

    assert first.content_hash == second.content_hash
    assert _count(session, "stored_files") == 1
    assert b"".join(DatabaseStorage(database).read(first.content_hash)) == log


def test_files_go_when_no_upload_needs_them(database: Database, session: Session) -> None:
    project_id = a_project(database)
    upload = _accept(database, project_id, STARVED)
    with database.write() as writing:
        telemetry.remove(writing, project_id, upload.id, now=NOW)
    assert _count(session, "stored_files") == 1
    other = _accept(database, project_id, a_log(steady(9, sm=3)))
    with database.write() as writing:
        writing.execute(text("UPDATE stored_files SET created_at = :then"), {"then": NOW - timedelta(days=1)})
        telemetry.remove(writing, project_id, other.id, now=NOW + timedelta(days=2))
    assert _count(session, "stored_files") == 1
    with database.read() as reading, pytest.raises(NotFound):
        telemetry.get_upload(reading, project_id, upload.id)


def test_log_that_turns_out_empty_fails_its_job_with_the_reason(database: Database, session: Session) -> None:
    header = a_log(steady(1)).splitlines(True)[:2]
    upload = _accept(database, a_project(database), b"".join(header) + b"noise\n" * 60_000)
    assert upload.job_id is not None
    runs.run(database, upload.job_id, TASKS)
    job = jobs.get_job(session, upload.job_id)
    assert (job.state, job.failure.code if job.failure else None) == ("failed", "telemetry.no_rows")


def test_sure_verdict_leads_over_newer_unsure_ones(database: Database, session: Session) -> None:
    project_id = a_project(database)
    sure = _profiled(database, project_id, STARVED, "sure")
    _profiled(database, project_id, a_log(steady(20, sm=62, mem=91)), "few samples")
    _profiled(database, project_id, a_log(steady(150, sm=0)), "idle")

    leading = telemetry.leading_upload(session, project_id)
    diagnosis = telemetry.leading_diagnosis(session, project_id)

    assert (leading.id if leading else None) == sure.id
    assert (diagnosis.rule if diagnosis else None) == "R-D5"


def test_project_without_measurements_has_no_verdict(database: Database, session: Session) -> None:
    assert telemetry.leading_diagnosis(session, a_project(database)) is None


def test_what_the_product_brings_along_is_profiled_at_once_and_once(database: Database) -> None:
    project_id = a_project(database)
    command = AcceptUpload(project_id=project_id, name="demo", gpu="a100-sxm4-80gb")
    with database.write() as session:
        first = telemetry.store_and_profile(session, DatabaseStorage(database), command, BytesIO(STARVED), now=NOW)
        again = telemetry.store_and_profile(session, DatabaseStorage(database), command, BytesIO(STARVED), now=NOW)
    assert (first.id, first.is_profiled, first.verdict) == (again.id, True, "input-starved")
