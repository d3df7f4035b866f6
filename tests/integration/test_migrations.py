"""The migrations make what the models describe, and can be taken back."""

from collections.abc import Iterator

import psycopg
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from app.db import schema
from app.db.engine import Database, connect
from tests.architecture.source import ROOT


@pytest.fixture
def empty(server_url: str, request: pytest.FixtureRequest) -> Iterator[Database]:
    name = f"migrations_{getattr(request.config, 'workerinput', {}).get('workerid', 'alone')}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name}")
    database = connect(server_url.replace("/gpuplan?", f"/{name}?"))
    yield database
    database.close()


def tables(database: Database) -> set[str]:
    with database.read() as session:
        return set(inspect(session.connection()).get_table_names())


def test_up_check_down_up(empty: Database) -> None:
    assert not schema.is_current(empty)
    schema.migrate(empty)
    assert schema.is_current(empty)
    assert schema.differences(empty) == []
    schema.downgrade(empty)
    assert tables(empty) == {"alembic_version"}
    with empty.read() as session:
        left = session.connection().exec_driver_sql("SELECT proname FROM pg_proc WHERE proname LIKE 'procrastinate%%'").all()
    assert left == []
    schema.migrate(empty)
    assert schema.differences(empty) == []


def test_migrating_twice_changes_nothing(empty: Database) -> None:
    schema.migrate(empty)
    before = tables(empty)
    schema.migrate(empty)
    assert tables(empty) == before


def test_history_is_one_line() -> None:
    script = ScriptDirectory(str(ROOT / "migrations"))
    assert len(script.get_heads()) == 1
    assert all(not isinstance(revision.down_revision, tuple) for revision in script.walk_revisions())


def test_revisions_import_nothing_of_ours() -> None:
    guilty = [
        path.name
        for path in (ROOT / "migrations" / "versions").glob("*.py")
        if "from app" in path.read_text() or "import app" in path.read_text()
    ]
    assert guilty == []
