"""Puts the `gpuplan` command together."""

import sys

import typer
from sqlalchemy.exc import ArgumentError, OperationalError

from app.cli.administration import seed, token_commands, user_commands
from app.cli.agent import run_agent
from app.cli.backup import backup, restore
from app.cli.estimate import estimate_command
from app.cli.importing import import_catalogue, import_prices
from app.cli.plan import plan
from app.cli.problems import BAD_INPUT, FAULT, file_problem
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
cli.command("backup")(backup)
cli.command("restore")(restore)
cli.add_typer(user_commands, name="user")
cli.add_typer(token_commands, name="token")
cli.command("backup")(backup)
cli.command("restore")(restore)
cli.command("check-seed")(check_seed)
cli.command("import-catalogue")(import_catalogue)
cli.command("import-prices")(import_prices)
cli.command("estimate")(estimate_command)
cli.command("profile")(profile)
cli.command("plan")(plan)
cli.command("tco")(tco)
cli.command("agent", context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False)(run_agent)


def main() -> None:
    """Runs a command. What is wrong around the command (a full disk, a database that does not answer) is one line, no traceback."""
    try:
        cli()
    except ArgumentError:
        sys.exit(_said("DATABASE_URL: is not the address of a database, like postgresql://user@host/name.", BAD_INPUT))
    except OperationalError as error:
        sys.exit(_said(f"The database does not answer: {str(error.orig).splitlines()[0]}", FAULT))
    except OSError as error:
        sys.exit(_said(file_problem(error), FAULT))


def _said(text: str, status: int) -> int:
    typer.echo(text, err=True)
    return status
