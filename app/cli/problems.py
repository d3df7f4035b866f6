"""Bad input on the command line: one line on standard error that names the field, exit status 2, never a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from app.domain.errors import DomainError
from app.text.catalogues import DEFAULT_LOCALE
from app.text.render import render

FAULT = 1
BAD_INPUT = 2


def line(error: DomainError, where: str = "") -> str:
    """`where: field: sentence`, without the parts that are unknown."""
    return ": ".join(part for part in (where, error.field, render(error.message, DEFAULT_LOCALE)) if part)


def file_problem(error: OSError) -> str:
    """What is wrong with a file or the disk."""
    return ": ".join(str(part) for part in (error.filename, error.strerror or error) if part)


@contextmanager
def reported(where: str = "") -> Iterator[None]:
    """Turns a domain error into its line and exit status 2."""
    try:
        yield
    except DomainError as error:
        typer.echo(line(error, where), err=True)
        raise typer.Exit(BAD_INPUT) from None
