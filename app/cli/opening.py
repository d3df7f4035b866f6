"""How a command reaches the database: the one that DATABASE_URL names, or the bundled one, started for the command if it is not running."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import typer

from app.cli.problems import FAULT
from app.db import schema
from app.db.engine import Database, connect
from app.embedded import EmbeddedPostgres
from app.settings import Settings


@contextmanager
def opened(settings: Settings, *, may_make: bool = False) -> Iterator[Database]:
    """The database, reachable and migrated. A bundled one is only made where that is the point of the command: a folder may be mistyped."""
    if settings.database_url is not None:
        with _connected(settings.database_url.get_secret_value()) as database:
            yield database
        return
    postgres = embedded(settings)
    if not (may_make or postgres.is_initialised()):
        stop(f"There is no database in {settings.data_dir.absolute()}; `gpuplan serve --data-dir …` makes one.")
    if postgres.is_running():
        with _connected(postgres.url) as database:
            yield database
        return
    with held(settings.data_dir):
        postgres.start()
        try:
            with _connected(postgres.url) as database:
                yield database
        finally:
            postgres.stop()


def embedded(settings: Settings) -> EmbeddedPostgres:
    """The bundled PostgreSQL of a data directory."""
    return EmbeddedPostgres(settings.data_dir.absolute() / "postgres")


@contextmanager
def held(data_dir: Path) -> Iterator[None]:
    """The data directory for this process alone: the lock falls with the process, however it ends."""
    data_dir.mkdir(parents=True, exist_ok=True)
    with (data_dir / "lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            stop(f"GPU Plan is already running over {data_dir.absolute()} (process {file.read().strip() or 'unknown'}).")
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def stop(text: str) -> NoReturn:
    """Ends the command with a fault that the reader can act on."""
    typer.echo(text, err=True)
    raise typer.Exit(FAULT)


@contextmanager
def _connected(url: str) -> Iterator[Database]:
    database = connect(url)
    try:
        schema.migrate(database)
        yield database
    finally:
        database.close()
