"""Where `gpuplan` begins: commands that need no database load only what they use, since the web and the database take over a second."""

import sys
from importlib import import_module
from typing import Any

import typer

from app import agent
from app.cli.problems import FAULT, file_problem

OFFLINE = {
    "check-seed": ("app.cli.seed", "check_seed"),
    "estimate": ("app.cli.estimate", "estimate_command"),
    "plan": ("app.cli.plan", "plan"),
    "profile": ("app.cli.profile", "profile"),
    "tco": ("app.cli.tco", "tco"),
}


def main() -> None:
    """The console script."""
    called = sys.argv[1] if len(sys.argv) > 1 else ""
    if called == "agent":
        sys.exit(agent.main(sys.argv[2:]))
    if called not in OFFLINE:
        import_module("app.cli.main").main()
        return
    try:
        offline(called)()
    except OSError as error:
        typer.echo(file_problem(error), err=True)
        sys.exit(FAULT)


def offline(name: str) -> typer.Typer:
    """The command line with one command."""
    module, function = OFFLINE[name]
    command: Any = getattr(import_module(module), function)
    cli = typer.Typer(name="gpuplan", pretty_exceptions_enable=False, add_completion=False)
    cli.callback()(_gpuplan)
    cli.command(name)(command)
    return cli


def _gpuplan() -> None:
    """From workload evidence to a GPU purchase that can be defended."""
