"""Users, browser sessions and tokens."""

from datetime import UTC, datetime
from uuid import UUID

from app.db.engine import Database
from app.services import accounts, sign_in, tokens
from app.services.accounts import NewUser, UserRole, UserRow


def a_user(database: Database, name: str = "Li Wei", role: UserRole = UserRole.REQUESTER, password: str = "") -> UserRow:
    """A user who was added."""
    with database.write() as session:
        user = accounts.add_user(session, NewUser(name, role))
        if password:
            accounts.set_password(session, user.id, password)
        return user


def a_session(database: Database, user: UserRow | None = None) -> str:
    """A signed-in browser of the user, or else of the owner; returns the cookie's value."""
    now = datetime.now(UTC)
    with database.write() as session:
        user = user or accounts.ensure_owner(session)
        return sign_in.by_link(session, accounts.new_sign_in_link(session, user.id, now=now), "a test", now=now)


def an_api_token(database: Database, name: str = "script", user: UserRow | None = None, project_id: UUID | None = None) -> str:
    """An API token of the user, or else of the owner; returns its secret."""
    with database.write() as session:
        return tokens.new_token(session, (user or accounts.ensure_owner(session)).id, name, project_id).secret
