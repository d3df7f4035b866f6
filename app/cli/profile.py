"""`gpuplan profile`: telemetry files in, what they say and what follows out. Needs no database."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from app.cli.inputs import STANDARD_INPUT, standard_input
from app.cli.problems import BAD_INPUT, line, reported
from app.domain.diagnosis import diagnose
from app.domain.errors import DomainError, InvalidInput
from app.domain.telemetry import read
from app.seeds import load_catalogue
from app.wire.profile import profile_json, series_json

PIECE = 1 << 20


def profile(
    files: Annotated[list[str], typer.Argument(metavar="FILE…|-", help="Telemetry, also .gz or .zst; - is standard input.")],
    gpu: Annotated[
        str | None, typer.Option(metavar="SLUG", help="The board, where the log does not name it: its limits sharpen the verdicts.")
    ] = None,
    series: Annotated[bool, typer.Option("--series", help="Also print the time series by bucket.")] = False,
) -> None:
    """Profile telemetry: distributions, phases, and what the GPUs wait for. Several files give a list of those that could be read."""
    with reported():
        board = load_catalogue().gpu(gpu) if gpu else None
    answers = []
    for name in files:
        try:
            found = read(_pieces(name), board)
        except DomainError as error:
            typer.echo(line(error, "standard input" if name == STANDARD_INPUT else name), err=True)
            continue
        answer = profile_json(found, diagnose(found, board))
        answers.append(answer | series_json(found) if series else answer)
    if answers:
        typer.echo(json.dumps(answers[0] if len(files) == 1 else answers, ensure_ascii=False, indent=2))
    if len(answers) < len(files):
        raise typer.Exit(BAD_INPUT)


def _pieces(name: str) -> Iterator[bytes]:
    if name == STANDARD_INPUT:
        source = standard_input()
        while piece := source.read(PIECE):
            yield piece
        return
    try:
        with Path(name).open("rb") as file:
            while piece := file.read(PIECE):
                yield piece
    except OSError as error:
        raise InvalidInput("file", "input.unreadable", reason=error.strerror or "") from None
