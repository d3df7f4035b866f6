"""`gpuplan agent`: the same file that nodes without GPU Plan download from `/agent.py`; it reads its own arguments."""

import typer

from app import agent


def run_agent(context: typer.Context) -> None:
    """Upload GPU telemetry from this node, losing nothing."""
    raise typer.Exit(agent.main(context.args))
