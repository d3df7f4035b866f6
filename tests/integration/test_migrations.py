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


def test_prices_set_before_belong_to_what_was_chosen_then(empty: Database) -> None:
    """Those of a project that chose nothing belong to nobody knows what; rates hold for whatever is bought."""
    schema.migrate(empty, "h18agents001")
    with empty.write() as session:
        run = session.connection().exec_driver_sql
        run("INSERT INTO users (id, name, role) VALUES (gen_random_uuid(), 'owner', 'admin')")
        for name in ("chosen", "open"):
            run("INSERT INTO projects (id, name, currency, made_by_id) SELECT gen_random_uuid(), %s, 'USD', id FROM users", (name,))
        run(
            "INSERT INTO choices (project_id, gpu, server, gpu_count, node_count, inputs_key) SELECT id, 'l4', 'r750', 8, 2, '' FROM projects"
            " WHERE name = 'chosen'"
        )
        for key in ("own.gpu_price", "own.pue", "utilisation"):
            run("INSERT INTO cost_overrides (project_id, key, value) SELECT id, %s, 1 FROM projects", (key,))
    schema.migrate(empty)
    with empty.read() as session:
        found = session.connection().exec_driver_sql(
            "SELECT p.name, o.key, o.configuration FROM cost_overrides o JOIN projects p ON p.id = o.project_id"
        )
        held = {(name, key): configuration for name, key, configuration in found}
    assert {held[name, key] for name in ("chosen", "open") for key in ("own.pue", "utilisation")} == {""}
    assert held["chosen", "own.gpu_price"] == "8*l4@2*r750"
    assert held["open", "own.gpu_price"] == "?"
    schema.downgrade(empty, "h18agents001")


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
