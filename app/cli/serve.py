"""`gpuplan serve`, and its parts on their own: `worker`, `web`, `migrate`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
import uvicorn
from pydantic import ValidationError

from app import logs, worker
from app.cli.opening import opened, stop
from app.cli.supervisor import Supervisor
from app.db import queue, schema
from app.db.engine import connect
from app.main import create_app
from app.services import accounts, first_start
from app.settings import Settings

Host = Annotated[str | None, typer.Option(help="Address to listen on; 127.0.0.1 unless set.")]
Port = Annotated[int | None, typer.Option(help="Port to listen on; PORT or 8000 unless set.")]
DataDir = Annotated[Path | None, typer.Option(help="Where the bundled database keeps its files; ./var unless set.")]


def serve(
    host: Host = None,
    port: Port = None,
    data_dir: DataDir = None,
    worker: Annotated[bool, typer.Option("--worker/--no-worker", help="Run one job worker beside the web server.")] = True,
) -> None:
    """Run everything: database, migrations, seed data, one worker, the web server. Ctrl-C stops it all."""
    settings = configured(host=host, port=port, data_dir=data_dir)
    raise typer.Exit(Supervisor(settings, with_worker=worker).run(_prepare))


def web(host: Host = None, port: Port = None) -> None:
    """Run the web server alone, for many machines; needs DATABASE_URL."""
    settings = configured(host=host, port=port)
    if settings.database_url is None:
        stop("Set DATABASE_URL, or use `gpuplan serve`, which brings a database.")
    uvicorn.run(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=75,  # longer than a reverse proxy keeps an idle connection (60 s in nginx), or it would send into a closed one
        proxy_headers=True,
    )


def work(
    until_idle: Annotated[bool, typer.Option(help="End when no job is left instead of waiting for the next.")] = False,
) -> None:
    """Run a job worker; as many as you like, on as many machines. Needs DATABASE_URL."""
    settings = configured()
    if settings.database_url is None:
        stop("Set DATABASE_URL; `gpuplan serve` runs a worker by itself.")
    worker.run(settings, wait=not until_idle)


def migrate(data_dir: DataDir = None) -> None:
    """Bring the database to the newest schema."""
    with opened(configured(data_dir=data_dir), may_make=True):
        typer.echo("The database has the newest schema.")


def configured(**given: Any) -> Settings:
    """The settings of the environment, with what the command line says on top; logging is set up by them."""
    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        for item in error.errors():
            typer.echo(f"{'.'.join(map(str, item['loc']))}: {item['msg']}", err=True)
        raise typer.Exit(2) from None
    logs.configure(level=settings.log_level, json=settings.log_json)
    return settings


def _prepare(url: str, is_bundled: bool) -> str:
    database = connect(url)
    try:
        schema.migrate(database)
        with database.write() as session:
            if is_bundled:
                queue.forget_workers(session)
            first_start.fill(session, database, datetime.now(UTC))
            owner = accounts.ensure_owner(session)
            return accounts.new_sign_in_link(session, owner.id, now=datetime.now(UTC))
    finally:
        database.close()
