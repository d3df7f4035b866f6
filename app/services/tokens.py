"""API tokens for scripts and agents: shown once, stored hashed, revocable, for all that a user may do or for one project."""

from dataclasses import dataclass
from datetime import datetime
from secrets import token_urlsafe
from uuid import UUID

from app.db import accounts
from app.db.accounts import ApiTokenRow
from app.db.engine import Session
from app.domain.errors import NotFound
from app.services.accounts import checked_name, hashed

__all__ = ["ApiTokenRow"]

PREFIX = "gpuplan_"  # marks our tokens in logs and secret scanners


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that can be read this once."""

    id: UUID
    secret: str


def new_token(session: Session, user_id: UUID, name: str, project_id: UUID | None = None) -> NewToken:
    """A token that works until it is revoked; with a project it opens that project alone."""
    secret = PREFIX + token_urlsafe(32)
    return NewToken(accounts.add_api_token(session, user_id, checked_name(name), hashed(secret), project_id), secret)


def tokens(session: Session, user_id: UUID) -> tuple[ApiTokenRow, ...]:
    """A user's tokens, newest first, revoked ones included."""
    return accounts.api_tokens(session, user_id)


def revoke(session: Session, user_id: UUID, token_id: UUID, *, now: datetime) -> str:
    """Ends a token and returns its name. NotFound: the user has no such token that still works."""
    name = accounts.revoke_api_token(session, user_id, token_id, now)
    if name is None:
        raise NotFound("account.no_token")
    return name
