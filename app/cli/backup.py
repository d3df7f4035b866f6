"""`gpuplan backup` and `gpuplan restore`: everything in one file, and back."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from app.cli.opening import embedded, opened, stop
from app.cli.problems import reported
from app.cli.serve import DataDir, configured
from app.services import backups

File = Annotated[Path, typer.Argument(help="The file that holds everything.", dir_okay=False)]


def backup(file: File, data_dir: DataDir = None) -> None:
    """Write everything (answers, logs, prices, sheets, users) into one file, as of one moment. The site may go on meanwhile."""
    with reported(), opened(configured(data_dir=data_dir)) as database:
        backups.write(database, file, datetime.now(UTC))
    typer.echo(f"{file} holds everything: {file.stat().st_size / 1e6:.1f} MB.")


def restore(
    file: File,
    replace: Annotated[bool, typer.Option("--replace", help="Throw away what the database holds now.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Bring everything back from a backup, also of an older release. Stop the site first."""
    settings = configured(data_dir=data_dir)
    with reported():
        found = backups.check(file)
    if settings.database_url is None and embedded(settings).is_running():
        stop("GPU Plan is running over this data directory; stop it first.")
    with reported(), opened(settings, may_make=True) as database:
        backups.restore(database, file, found, replace=replace)
    typer.echo(f"The database holds what it held on {found.made_at}.")
