"""Puts the `gpuplan` command together."""

import typer

cli = typer.Typer(name="gpuplan", no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)


@cli.callback()
def gpuplan() -> None:
    """From workload evidence to a GPU purchase that can be defended."""


def main() -> None:
    """The console script."""
    cli()
