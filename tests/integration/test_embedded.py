"""The bundled PostgreSQL takes over what an earlier process left, whatever state it is in."""

from pathlib import Path

import psycopg
import pytest

from app.embedded import EmbeddedPostgres


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "postgres"


def answers(postgres: EmbeddedPostgres) -> bool:
    with psycopg.connect(postgres.url) as connection:
        return connection.execute("SELECT true").fetchone() == (True,)


def test_data_outlives_stop_takeover_kill_and_a_stranger_with_its_number(directory: Path) -> None:
    first = EmbeddedPostgres(directory, is_durable=False)
    first.start()
    with psycopg.connect(first.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    # another process starts while the first server still runs, as after a SIGKILL of its supervisor
    second = EmbeddedPostgres(directory, is_durable=False)
    second.start()
    assert not first.is_alive()
    # the server itself is killed
    assert second.process is not None
    second.process.kill()
    second.process.wait()
    third = EmbeddedPostgres(directory, is_durable=False)
    assert not third.is_running()
    third.start()
    third.stop()
    assert not (directory / "postmaster.pid").exists()
    # the note names a process that is somebody else's by now
    (directory / "postmaster.pid").write_text("1\nx\n")
    third.start()
    try:
        with psycopg.connect(third.url) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
    finally:
        third.stop()
    assert list(directory.glob(".s.PGSQL*")) == []


def test_long_path_gets_its_socket_elsewhere(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / ("deep" * 30) / "postgres", is_durable=False)
    postgres.start()
    try:
        assert answers(postgres)
    finally:
        postgres.stop()
