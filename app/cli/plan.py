"""`gpuplan plan`: requirements in, ranked candidates out; no database."""

import json
from datetime import UTC, datetime
from typing import Annotated

import typer

from app.cli.inputs import parse_document, read_bytes
from app.cli.problems import reported
from app.domain.selection import make_plan
from app.seeds import default_fx, load_catalogue
from app.wire.intake import parse_intake
from app.wire.plan import plan_json


def plan(file: Annotated[str, typer.Argument(help="The answers of the intake, JSON or YAML; - reads standard input.")]) -> None:
    """Ranks what does the work for these needs and says what does not, and why."""
    with reported():
        catalogue = load_catalogue()
        needs = parse_intake(parse_document(read_bytes(file), file), catalogue)
        made = make_plan(needs, catalogue, None, default_fx(datetime.now(UTC).date()))
    typer.echo(json.dumps(plan_json(made), ensure_ascii=False, indent=1))
