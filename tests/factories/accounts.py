"""Users, browser sessions and tokens."""

from datetime import UTC, datetime

from app.db.engine import Database
from app.services import accounts


def a_session(database: Database) -> str:
    """A signed-in browser of the owner; returns the cookie's value."""
    now = datetime.now(UTC)
    with database.write() as session:
        owner = accounts.ensure_owner(session)
        return accounts.sign_in(session, accounts.new_sign_in_link(session, owner.id, now=now), now=now)


def an_api_token(database: Database, name: str = "script") -> str:
    """An API token of the owner; returns its secret."""
    with database.write() as session:
        return accounts.new_api_token(session, accounts.ensure_owner(session).id, name).secret
