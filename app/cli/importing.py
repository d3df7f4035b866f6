"""`gpuplan import-catalogue` and `gpuplan import-prices`: facts from CSV or XLSX into the database, bad rows with their lines."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Annotated

import typer

from app.cli.inputs import read_bytes
from app.cli.opening import opened
from app.cli.problems import BAD_INPUT, reported
from app.cli.serve import DataDir, configured
from app.services import imports
from app.text.catalogues import DEFAULT_LOCALE
from app.text.render import render

File = Annotated[str, typer.Argument(help="A CSV or XLSX file with the headers of seed_data/, or - for standard input.")]
Partial = Annotated[bool, typer.Option("--partial", help="Store the good rows although others are bad.")]
Note = Annotated[str, typer.Option("--note", help="Why, for the versions of the rows.")]
IMPORTED_BY = "gpuplan import"


def import_catalogue(file: File, partial: Partial = False, note: Note = "", data_dir: DataDir = None) -> None:
    """Import GPUs, servers, links, precisions, models, cost factors or prices."""
    _import(file, imports.CATALOGUE_TABLES, partial, note, data_dir)


def import_prices(file: File, partial: Partial = False, note: Note = "", data_dir: DataDir = None) -> None:
    """Import prices to buy or to rent."""
    _import(file, imports.PRICE_TABLES, partial, note, data_dir)


def _import(file: str, tables: Collection[str], partial: bool, note: str, data_dir: DataDir) -> None:
    with reported(file):
        content = read_bytes(file)
    with reported(file), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        planned = imports.plan(session, file, content, tables, datetime.now(UTC).date())
        for problem in planned.problems:
            where, reason = imports.said(problem)
            typer.echo(f"{where or file}: {render(reason, DEFAULT_LOCALE)}", err=True)
        if planned.problems and not partial:
            typer.echo(
                f"Nothing was stored: {len(planned.problems)} problems. --partial stores the {len(planned.rows)} good rows.", err=True
            )
            raise typer.Exit(BAD_INPUT)
        imports.store(session, planned, by=IMPORTED_BY, note=note or file)
    typer.echo(f"{len(planned.added)} added, {len(planned.changed)} changed, {planned.unchanged_count} unchanged")
