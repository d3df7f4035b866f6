"""`gpuplan check-seed`: looks at the facts before anybody relies on them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from app.cli.problems import BAD_INPUT
from app.seeds import SEED_DATA, load_catalogue
from app.seeds.checking import check_folder
from app.text.catalogues import DEFAULT_LOCALE
from app.text.render import render

Folder = Annotated[Path, typer.Option("--dir", help="The folder of facts.", file_okay=False)]


def check_seed(folder: Folder = SEED_DATA) -> None:
    """Check the seed data: keys, references, units, ranges, dates, sources. One line a problem."""
    problems = list(check_folder(folder, datetime.now(UTC).date()))
    for problem in problems:
        where = ": ".join(part for part in (f"{problem.file}:{problem.line}", problem.field) if part)
        typer.echo(f"{where}: {render(problem.reason, DEFAULT_LOCALE)}", err=True)
    if problems:
        raise typer.Exit(BAD_INPUT)
    catalogue = load_catalogue(folder)
    typer.echo(f"{catalogue.row_count} rows are in order, revision {catalogue.revision}")
