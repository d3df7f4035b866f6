"""Puts the `gpuplan` command together."""

import typer

from app.cli.administration import seed, token_commands, user_commands
from app.cli.estimate import estimate_command
from app.cli.plan import plan
from app.cli.profile import profile
from app.cli.seed import check_seed
from app.cli.serve import migrate, serve, web, work
from app.cli.tco import tco

cli = typer.Typer(name="gpuplan", no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)


@cli.callback()
def gpuplan() -> None:
    """From workload evidence to a GPU purchase that can be defended."""


cli.command("serve")(serve)
cli.command("worker")(work)
cli.command("web")(web)
cli.command("migrate")(migrate)
cli.command("seed")(seed)
cli.add_typer(user_commands, name="user")
cli.add_typer(token_commands, name="token")
cli.command("check-seed")(check_seed)
cli.command("estimate")(estimate_command)
cli.command("profile")(profile)
cli.command("plan")(plan)
cli.command("tco")(tco)


def main() -> None:
    """The console script."""
    cli()
