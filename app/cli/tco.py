"""`gpuplan tco`: a scenario in, cash flows and the comparison out."""

import json
from datetime import date

import typer

from app.cli.inputs import parse_document, read_bytes
from app.cli.problems import reported
from app.domain.cost import evaluate
from app.seeds import default_fx
from app.wire.tco import parse_scenario, tco_json


def tco(file: str = typer.Argument(..., metavar="FILE|-", help="A TCO scenario, JSON or YAML.")) -> None:
    """Compare owning and renting: totals, present values, break-even, ranges."""
    with reported():
        document = parse_document(read_bytes(file), file)
        scenario = parse_scenario(document, default_fx(date.today()))  # noqa: DTZ011 -- the day only picks the newest bundled rate
        result = evaluate(scenario)
    typer.echo(json.dumps(tco_json(result), ensure_ascii=False, indent=2))
