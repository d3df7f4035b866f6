"""`gpuplan estimate`: workloads in, estimates out, without a database."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from app.cli.inputs import document_text, parse_document, read_bytes
from app.cli.problems import reported
from app.domain.capacity import estimate, resolve_hardware
from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import DomainError
from app.seeds import load_catalogue
from app.text.render import render
from app.wire.estimate import estimate_json
from app.wire.workload import parse_workload

LOCALE = "en"


def estimate_command(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Workloads, JSON or YAML; - is standard input.")],
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON a line, in and out; a bad line is answered in its place.")] = False,
) -> None:
    """Memory, speed, duration and energy of workloads, with ranges, assumptions and derivation."""
    catalogue = load_catalogue()
    for name in files:
        with reported(name if len(files) > 1 else ""):
            text = read_bytes(name)
            if jsonl:
                for line in _lines(text):
                    typer.echo(document_text(_answer_line(line, catalogue), indent=None))
            else:
                document = parse_document(text, name)
                typer.echo(document_text(answer(document, catalogue)))


def answer(document: Any, catalogue: Catalogue) -> dict[str, Any]:
    """The estimate of one workload document."""
    workload, assumptions = parse_workload(document, catalogue)
    hardware, more = resolve_hardware(workload, catalogue)
    return estimate_json(estimate(workload, hardware, (*assumptions, *more)), LOCALE)


def _lines(text: bytes) -> Iterator[bytes]:
    return (line for line in text.splitlines() if line.strip())


def _answer_line(line: bytes, catalogue: Catalogue) -> dict[str, Any]:
    try:
        return answer(parse_document(line, "line"), catalogue)
    except DomainError as error:
        return {"error": render(error.message, LOCALE), "field": error.field or ""}
