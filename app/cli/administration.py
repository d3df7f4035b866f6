"""`gpuplan user …`, `gpuplan token …` and `gpuplan seed`: administration over the database of the site."""

import sys
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import typer

from app.cli.opening import opened
from app.cli.problems import reported
from app.cli.serve import DataDir, configured
from app.services import access, accounts, audit, first_start, tokens
from app.services.access import Caller, Right
from app.services.accounts import NewUser, UserRole

User = Annotated[str | None, typer.Option("--user", help="Whose; the owner’s unless set.")]

user_commands = typer.Typer(no_args_is_help=True, help="Users and their sign-in links.")
token_commands = typer.Typer(no_args_is_help=True, help="API tokens for scripts and agents.")


def seed(data_dir: DataDir = None) -> None:
    """Bring the seed data into the database. Rows that somebody changed here stay; where the seed data says otherwise, a line tells."""
    with reported(), opened(configured(data_dir=data_dir), may_make=True) as database, database.write() as session:
        differences = first_start.fill(session, database, datetime.now(UTC))
    for difference in differences:
        typer.echo(f"kept as changed here: {difference.table}: {difference.key}", err=True)
    typer.echo("The database holds the seed data.")


@user_commands.command("list")
def list_users(data_dir: DataDir = None) -> None:
    """Show everybody."""
    with opened(configured(data_dir=data_dir)) as database, database.read() as session:
        for user in accounts.users(session):
            state = "deactivated" if user.deactivated_at else "active"
            typer.echo(f"{user.name}\t{user.role}\t{state}\t{user.created_at:%Y-%m-%d}")


@user_commands.command("add")
def add_user(
    name: str,
    role: Annotated[UserRole, typer.Option(help="What the user may do.")] = UserRole.REQUESTER,
    data_dir: DataDir = None,
) -> None:
    """Add a user."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        user = accounts.add_user(session, NewUser(name, role))
        audit.note(session, audit.COMMAND_LINE, "user_added", name=user.name, role=role.value)
    typer.echo(f"{name} may sign in: gpuplan user sign-in-link --user {name}")


@user_commands.command("role")
def change_role(name: str, role: UserRole, data_dir: DataDir = None) -> None:
    """Give a user another role."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        accounts.change_role(session, accounts.get_user(session, name).id, role)
        audit.note(session, audit.COMMAND_LINE, "role_changed", name=name, role=role.value)
    typer.echo(f"{name}: {role}")


@user_commands.command("password")
def set_password(name: str, data_dir: DataDir = None) -> None:
    """Set a user's password; it is asked for, or read from standard input."""
    password = (
        typer.prompt("Password", hide_input=True, confirmation_prompt=True) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    )
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        accounts.set_password(session, accounts.get_user(session, name).id, password)
        audit.note(session, audit.COMMAND_LINE, "password_changed", name=name)
    typer.echo(f"{name} has a new password.")


@user_commands.command("deactivate")
def deactivate(name: str, data_dir: DataDir = None) -> None:
    """Sign a user out everywhere and let them in no more."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        accounts.deactivate(session, accounts.get_user(session, name).id, now=datetime.now(UTC))
        audit.note(session, audit.COMMAND_LINE, "deactivated", name=name)
    typer.echo(f"{name} is deactivated.")


@user_commands.command("sign-in-link")
def sign_in_link(user: User = None, data_dir: DataDir = None) -> None:
    """Print a link that signs a browser in, once."""
    settings = configured(data_dir=data_dir)
    with reported(), opened(settings) as database, database.write() as session:
        found = accounts.get_user(session, user)
        token = accounts.new_sign_in_link(session, found.id, now=datetime.now(UTC))
        audit.note(session, audit.COMMAND_LINE, "link_made", name=found.name)
    typer.echo(f"{settings.site}/sign-in?token={token}")


@token_commands.command("create")
def create_token(
    name: Annotated[str, typer.Option(help="What the token is for.")],
    user: User = None,
    project: Annotated[UUID | None, typer.Option(help="The one project it opens; all that the user may do unless set.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Make a token and print it, this once."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        owner = accounts.get_user(session, user)
        if project is not None:
            access.require(session, Caller(owner), project, Right.READ)
        made = tokens.new_token(session, owner.id, name, project)
        audit.note(session, audit.COMMAND_LINE, "token_made", project, name=name)
    typer.echo(made.secret)


@token_commands.command("list")
def list_tokens(user: User = None, data_dir: DataDir = None) -> None:
    """Show the tokens, without their secrets."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        for token in tokens.tokens(session, accounts.get_user(session, user).id):
            state = "revoked" if token.revoked_at else "works"
            typer.echo(f"{token.id}\t{token.name}\t{token.project_id or 'everything'}\t{token.created_at:%Y-%m-%d}\t{state}")


@token_commands.command("revoke")
def revoke_token(token_id: UUID, user: User = None, data_dir: DataDir = None) -> None:
    """End a token."""
    with reported(), opened(configured(data_dir=data_dir)) as database, database.write() as session:
        owner = accounts.get_user(session, user)
        name = tokens.revoke(session, owner.id, token_id, now=datetime.now(UTC))
        audit.note(session, audit.COMMAND_LINE, "token_revoked", name=name)
    typer.echo("The token no longer works.")
