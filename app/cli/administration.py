"""`gpuplan user …`, `gpuplan token …` and `gpuplan seed`: administration over the database of the site."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import typer

from app.cli.opening import opened
from app.cli.problems import reported
from app.cli.serve import DataDir, configured
from app.services import accounts, first_start

User = Annotated[str | None, typer.Option("--user", help="Whose; the owner’s unless set.")]

user_commands = typer.Typer(no_args_is_help=True, help="Users and their sign-in links.")
token_commands = typer.Typer(no_args_is_help=True, help="API tokens for scripts and agents.")


def seed(data_dir: DataDir = None) -> None:
    """Bring the seed data into the database. Rows that somebody changed here stay; where the seed data says otherwise, a line tells."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        differences = first_start.fill(session, database, datetime.now(UTC))
    for difference in differences:
        typer.echo(f"kept as changed here: {difference.table}: {difference.key}", err=True)
    typer.echo("The database holds the seed data.")


@user_commands.command("list")
def list_users(data_dir: DataDir = None) -> None:
    """Show everybody."""
    with opened(configured(data_dir=data_dir)) as database, database.read() as session:
        for user in accounts.users(session):
            typer.echo(f"{user.name}\t{user.created_at:%Y-%m-%d}")


@user_commands.command("add")
def add_user(name: str, data_dir: DataDir = None) -> None:
    """Add a user."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        accounts.add_user(session, name)
    typer.echo(f"{name} may sign in: gpuplan user sign-in-link --user {name}")


@user_commands.command("sign-in-link")
def sign_in_link(user: User = None, data_dir: DataDir = None) -> None:
    """Print a link that signs a browser in, once."""
    settings = configured(data_dir=data_dir)
    with reported(), opened(settings) as database, database.write() as session:
        found = accounts.get_user(session, user)
        token = accounts.new_sign_in_link(session, found.id, now=datetime.now(UTC))
    typer.echo(f"{settings.site}/sign-in?token={token}")


@token_commands.command("create")
def create_token(name: Annotated[str, typer.Option(help="What the token is for.")], user: User = None, data_dir: DataDir = None) -> None:
    """Make a token and print it, this once."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        made = accounts.new_api_token(session, accounts.get_user(session, user).id, name)
    typer.echo(made.secret)


@token_commands.command("list")
def list_tokens(user: User = None, data_dir: DataDir = None) -> None:
    """Show the tokens, without their secrets."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        for token in accounts.api_tokens(session, accounts.get_user(session, user).id):
            state = "revoked" if token.revoked_at else "works"
            typer.echo(f"{token.id}\t{token.name}\t{token.created_at:%Y-%m-%d}\t{state}")


@token_commands.command("revoke")
def revoke_token(token_id: UUID, user: User = None, data_dir: DataDir = None) -> None:
    """End a token."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        owner = accounts.get_user(session, user)
        accounts.revoke_api_token(session, owner.id, token_id, now=datetime.now(UTC))
    typer.echo("The token no longer works.")
