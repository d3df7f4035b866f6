"""Who may use the installation: a local owner, one-time sign-in links, browser sessions, API tokens."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from app.db import accounts
from app.db.accounts import ApiTokenRow, UserRow
from app.db.engine import Database, Session
from app.domain.errors import Conflict, DomainError, InvalidInput, NotFound

__all__ = ["ApiTokenRow", "UserRow"]

OWNER = "owner"
LINK_LASTS = timedelta(hours=24)
SESSION_LASTS = timedelta(days=30)
API_TOKEN_PREFIX = "gpuplan_"  # noqa: S105 -- marks our tokens in logs and secret scanners
NAME_LENGTH = 120


class SignInRefused(DomainError):
    """The link is unknown, was used, or has expired."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that can be read this once."""

    id: UUID
    secret: str


def ensure_owner(session: Session) -> UserRow:
    """The local owner, made at the first start."""
    return accounts.first_user(session) or accounts.add_user(session, OWNER)


def add_user(session: Session, name: str) -> UserRow:
    """A new user. Conflict: the name is taken."""
    name = _named(name)
    try:
        with session.begin_nested():
            return accounts.add_user(session, name)
    except IntegrityError:
        raise Conflict("account.name_taken", field="name", name=name) from None


def get_user(session: Session, name: str | None) -> UserRow:
    """The user of that name, or the owner when no name is given. NotFound: nobody is called so."""
    user = ensure_owner(session) if name is None else accounts.find_user(session, name)
    if user is None:
        raise NotFound("account.no_user", field="name", name=name)
    return user


def users(session: Session) -> tuple[UserRow, ...]:
    """Everybody."""
    return accounts.users(session)


def new_sign_in_link(session: Session, user_id: UUID, *, now: datetime) -> str:
    """The token of a fresh link."""
    secret = token_urlsafe(32)
    accounts.add_sign_in_link(session, user_id, _hashed(secret), now + LINK_LASTS)
    return secret


def sign_in(session: Session, token: str, *, now: datetime) -> str:
    """Spends a link and opens a browser session; returns the cookie's value."""
    accounts.forget_expired(session, now)
    user = accounts.use_sign_in_link(session, _hashed(token), now)
    if user is None:
        raise SignInRefused("account.link_refused")
    secret = token_urlsafe(32)
    accounts.add_session(session, user.id, _hashed(secret), now + SESSION_LASTS)
    return secret


def sign_out(session: Session, cookie: str) -> None:
    """Ends a browser session."""
    accounts.end_session(session, _hashed(cookie))


def user_of_cookie(database: Database, cookie: str, *, now: datetime) -> UserRow | None:
    """Who a browser belongs to. Opens and ends its own session: a request must not hold one connection while it waits for another."""
    with database.read() as session:
        return accounts.user_of_session(session, _hashed(cookie), now)


def user_of_bearer(database: Database, token: str, *, now: datetime) -> UserRow | None:
    """Whose API token that is."""
    hashed = _hashed(token)
    with database.read() as session:
        user = accounts.user_of_api_token(session, hashed)
    if user is not None:
        with database.write() as session:
            accounts.note_use_of_api_token(session, hashed, now)
    return user


def new_api_token(session: Session, user_id: UUID, name: str) -> NewToken:
    """A token that works until it is revoked."""
    secret = API_TOKEN_PREFIX + token_urlsafe(32)
    return NewToken(accounts.add_api_token(session, user_id, _named(name), _hashed(secret)), secret)


def api_tokens(session: Session, user_id: UUID) -> tuple[ApiTokenRow, ...]:
    """A user's tokens."""
    return accounts.api_tokens(session, user_id)


def revoke_api_token(session: Session, user_id: UUID, token_id: UUID, *, now: datetime) -> None:
    """Ends a token. NotFound: the user has no such token that still works."""
    if not accounts.revoke_api_token(session, user_id, token_id, now):
        raise NotFound("account.no_token")


def _named(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise InvalidInput("name", "account.name_missing")
    if len(name) > NAME_LENGTH:
        raise InvalidInput("name", "account.name_too_long", limit=NAME_LENGTH)
    return name


def _hashed(secret: str) -> str:
    # 32 random bytes cannot be guessed from their hash, so a slow password hash would only cost time.
    return sha256(secret.encode()).hexdigest()
