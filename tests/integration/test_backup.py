"""`gpuplan backup` and `restore`: what comes back answers as before, and what cannot come back changes nothing."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID
from zipfile import ZipFile

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from typer.testing import CliRunner

from app.cli.main import cli
from app.db import schema
from app.db.engine import Database, connect
from app.main import create_app
from app.services import backups, catalogue, sheets, telemetry
from app.services.backups import MANIFEST
from app.services.sheets import IssueSheet
from app.services.telemetry import AcceptUpload
from app.settings import Settings
from app.storage import DatabaseStorage
from tests.conftest import BASE_URL
from tests.factories.accounts import an_api_token
from tests.factories.answered import an_answered_project
from tests.factories.dmon import a_log

NOW = datetime(2026, 11, 30, 21, tzinfo=UTC)
BEFORE_ACCOUNTS = "e15versions01"
Site = tuple[Database, dict[str, str]]


def a_site(server_url: str, name: str, worker: str) -> Site:
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}_{worker}")
        connection.execute(f"CREATE DATABASE {name}_{worker}")
    url = server_url.replace("/gpuplan?", f"/{name}_{worker}?")
    return connect(url), {"DATABASE_URL": url}


@pytest.fixture(scope="module")
def worker(request: pytest.FixtureRequest) -> str:
    return getattr(request.config, "workerinput", {}).get("workerid", "alone")


@pytest.fixture(scope="module")
def full(server_url: str, worker: str) -> Iterator[tuple[Database, dict[str, str], UUID, str]]:
    """A site with facts, an answered project, its log, an issued sheet and a token."""
    database, environment = a_site(server_url, "backup_full", worker)
    schema.migrate(database)
    with database.write() as session:
        catalogue.seed(session)
    project_id = an_answered_project(database)
    with database.write() as session:
        upload = AcceptUpload(project_id=project_id, name="node.log", gpu="a100-sxm4-80gb")
        telemetry.store_and_profile(session, DatabaseStorage(database), upload, BytesIO(a_log([[{}, {}]] * 120)), now=NOW)
        sheets.issue(session, IssueSheet(project_id=project_id, by="Lin"), now=NOW)
    yield database, environment, project_id, an_api_token(database)
    database.close()


@pytest.fixture
def other(server_url: str, worker: str) -> Iterator[Site]:
    """A database with nothing in it, not even tables."""
    database, environment = a_site(server_url, "backup_other", worker)
    yield database, environment
    database.close()


@pytest.fixture(scope="module")
def backup(full: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("backups") / "site.gpuplan"
    status, _, err = run(full[1], "backup", file)
    assert (status, err) == (0, [])
    return file


def run(environment: dict[str, str], *arguments: str | Path) -> tuple[int, list[str], list[str]]:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], env=environment)
    return result.exit_code, result.stdout.splitlines(), result.stderr.splitlines()


def answers(database: Database, project_id: UUID, token: str) -> dict[str, bytes]:
    """What the API says of everything that the site holds."""
    settings = Settings.model_construct(**{name: field.get_default() for name, field in Settings.model_fields.items()})
    client = TestClient(create_app(settings, database), base_url=BASE_URL, headers={"Authorization": f"Bearer {token}"})
    project = f"/api/v1/projects/{project_id}"
    paths = (
        project,
        f"{project}/intake",
        f"{project}/telemetry",
        "/api/v1/catalogue/gpus",
        "/api/v1/prices",
        *(f"{project}/sheets/1.{kind}" for kind in ("json", "csv", "md")),
    )
    found = {path: client.get(path) for path in paths}
    assert {path: answer.status_code for path, answer in found.items()} == dict.fromkeys(paths, 200)
    return {path: answer.content for path, answer in found.items()}


def counts(database: Database) -> dict[str, int]:
    with database.read() as session:
        names = session.scalars(text("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")).all()
        return {name: session.scalar(text(f"SELECT count(*) FROM {name}")) or 0 for name in names}


def test_everything_comes_back(full: Any, other: Site, backup: Path) -> None:
    database, _, project_id, token = full
    status, _, err = run(other[1], "restore", backup)
    assert (status, err) == (0, [])
    assert counts(other[0]) == counts(database)
    assert schema.differences(other[0]) == []
    assert answers(other[0], project_id, token) == answers(database, project_id, token)


def test_a_restored_site_goes_on(full: Any, other: Site, backup: Path) -> None:
    _, _, project_id, _ = full
    assert run(other[1], "restore", backup)[0] == 0
    with other[0].write() as session:
        assert sheets.issue(session, IssueSheet(project_id=project_id, by="Wu"), now=NOW) == 2
    with other[0].read() as session, pytest.raises(Exception, match="an issued sheet is never changed"):
        session.execute(text("UPDATE sheets SET issued_by = 'Wu'"))
    assert run(other[1], "seed")[0] == 0


def test_a_database_in_use_is_only_replaced_when_told(full: Any, other: Site, backup: Path) -> None:
    schema.migrate(other[0])
    an_api_token(other[0], "kept")
    before = counts(other[0])
    status, _, err = run(other[1], "restore", backup)
    assert (status, len(err)) == (2, 1)
    assert "--replace" in err[0]
    assert counts(other[0]) == before
    assert run(other[1], "restore", backup, "--replace")[0] == 0
    assert counts(other[0]) == counts(full[0])


def test_an_older_backup_is_migrated(full: Any, other: Site, tmp_path: Path) -> None:
    database, environment = other
    schema.migrate(database, BEFORE_ACCOUNTS)
    with database.write() as session:
        session.execute(text("INSERT INTO users (id, name) VALUES (gen_random_uuid(), 'Lin')"))
    backups.write(database, file := tmp_path / "older", NOW)
    schema.migrate(database)
    assert run(environment, "restore", file, "--replace") == (0, ["The database holds what it held on 2026-11-30T21:00:00+00:00."], [])
    assert schema.is_current(database)
    status, out, _ = run(environment, "user", "list")
    assert (status, [line.split("\t")[:2] for line in out]) == (0, [["Lin", "admin"]])


def changed(backup: Path, file: Path, **said: Any) -> Path:
    """A copy whose manifest says something else."""
    with ZipFile(backup) as old, ZipFile(file, "w") as new:
        for member in old.namelist():
            content = old.read(member)
            new.writestr(member, json.dumps({**json.loads(content), **said}) if member == MANIFEST else content)
    return file


@pytest.mark.parametrize("kept", [0, 1, 1000, -1, -200])
def test_a_file_cut_short_changes_nothing(other: Site, backup: Path, tmp_path: Path, kept: int) -> None:
    (broken := tmp_path / "broken").write_bytes(backup.read_bytes()[:kept])
    assert refused(other, broken) == f"backup: {broken} is no whole backup of GPU Plan: it is damaged, cut short or something else."


def test_a_changed_byte_is_noticed(other: Site, backup: Path, tmp_path: Path) -> None:
    content = bytearray(backup.read_bytes())
    content[len(content) // 2] ^= 1
    (broken := tmp_path / "broken").write_bytes(content)
    assert "no whole backup" in refused(other, broken)


def test_a_newer_backup_says_so(other: Site, backup: Path, tmp_path: Path) -> None:
    newer = changed(backup, tmp_path / "newer", revision="z9999later", product="9.0")
    assert refused(other, newer) == "backup: This backup was made by GPU Plan 9.0, which is newer than this one. Upgrade first."
    assert "newer than this one" in refused(other, changed(backup, tmp_path / "format", format=2))


def test_rows_that_do_not_fit_change_nothing(full: Any, other: Site, backup: Path, tmp_path: Path) -> None:
    """The checksums hold, the sheets have no project any more."""
    manifest = json.loads(ZipFile(backup).read(MANIFEST))
    tables = {name: said for name, said in manifest["tables"].items() if name != "projects"}
    broken = changed(backup, tmp_path / "broken", tables=tables)
    schema.migrate(other[0])
    an_api_token(other[0], "kept")
    before = counts(other[0])
    status, _, err = run(other[1], "restore", broken, "--replace")
    assert (status, len(err)) == (2, 1)
    assert "does not fit the table" in err[0]
    assert counts(other[0]) == before


def test_a_missing_file_is_one_line(other: Site, tmp_path: Path) -> None:
    assert refused(other, tmp_path / "none")


def test_an_unfinished_backup_leaves_no_file(full: Any, tmp_path: Path) -> None:
    status, _, _ = run(full[1], "backup", tmp_path / "nowhere" / "site.gpuplan")
    assert status != 0
    assert not list(tmp_path.iterdir())


def refused(other: Site, file: Path) -> str:
    """The one line that says why, nothing having been made in the database."""
    status, out, err = run(other[1], "restore", file)
    assert (status, out, len(err)) == (2, [], 1)
    assert counts(other[0]) == {}
    return err[0]
