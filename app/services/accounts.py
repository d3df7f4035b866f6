"""Users: who there is, what their role is, how they prove it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from uuid import UUID

from pwdlib import PasswordHash
from sqlalchemy.exc import IntegrityError

from app.db import accounts
from app.db.accounts import SessionRow, UserRole, UserRow
from app.db.engine import Session
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.services.likeness import has_invisible, marks

__all__ = ["SessionRow", "UserRole", "UserRow"]

OWNER = "owner"
LINK_LASTS = timedelta(hours=24)
NAME_LENGTH = 120
PASSWORD_AT_LEAST, PASSWORD_AT_MOST = 12, 200


@dataclass(frozen=True, slots=True)
class NewUser:
    """A user as somebody adds them."""

    name: str
    role: UserRole


def passwords() -> PasswordHash:
    """argon2id with its library's recommended cost."""
    return PasswordHash.recommended()


def ensure_owner(session: Session) -> UserRow:
    """The owner, made at the first start: the administrator who was there first."""
    return accounts.first_admin(session) or accounts.add_user(session, OWNER, UserRole.ADMIN)


def add_user(session: Session, command: NewUser, oidc_subject: str | None = None) -> UserRow:
    """A new user. Conflict: the name is taken, or looks like one that is."""
    name = checked_name(command.name)
    if has_invisible(name):
        raise InvalidInput("name", "account.name_invisible")
    try:
        with session.begin_nested():
            accounts.lock_names(session)
            _check_likeness(session, name)
            return accounts.add_user(session, name, command.role, oidc_subject)
    except IntegrityError:
        raise Conflict("account.name_taken", field="name", name=name) from None


def _check_likeness(session: Session, name: str) -> None:
    mine = marks(name)
    for user in accounts.users(session):
        if user.name != name and mine & marks(user.name):
            raise Conflict("account.name_alike", field="name", name=user.name)


def get_user(session: Session, name: str | None) -> UserRow:
    """The user of that name, or the owner when no name is given. NotFound: nobody is called so."""
    user = ensure_owner(session) if name is None else accounts.find_user(session, name)
    if user is None:
        raise NotFound("account.no_user", field="name", name=name)
    return user


def users(session: Session) -> tuple[UserRow, ...]:
    """Everybody."""
    return accounts.users(session)


def change_role(session: Session, user_id: UUID, role: UserRole) -> UserRow:
    """Gives a user another role; returns them as they were. Conflict: nobody would be admin any more."""
    with session.begin_nested():
        user = accounts.get_user(session, user_id)
        _keep_an_admin(session, user, stays=role is UserRole.ADMIN)
        accounts.change_user(session, user_id, role=role.value)
    return user


def deactivate(session: Session, user_id: UUID, *, now: datetime) -> UserRow:
    """Nobody signs in as this user any more, who is signed in is out, and their tokens are revoked. Conflict: nobody would be admin any more."""
    with session.begin_nested():
        user = accounts.get_user(session, user_id)
        _keep_an_admin(session, user, stays=False)
        accounts.change_user(session, user_id, deactivated_at=user.deactivated_at or now)
        accounts.end_sessions(session, user_id)
        accounts.forget_links(session, user_id)
        accounts.revoke_api_tokens(session, user_id, now)
    return user


def reactivate(session: Session, user_id: UUID) -> UserRow:
    """Lets a user in again."""
    user = accounts.get_user(session, user_id)
    accounts.change_user(session, user_id, deactivated_at=None)
    return user


def set_password(session: Session, user_id: UUID, password: str) -> None:
    """Sets a password, whatever it was; every browser is signed out, and links that were not used open nothing any more."""
    _set_password(session, accounts.get_user(session, user_id), password, cookie="")


def check_password(user: UserRow, password: str) -> None:
    """InvalidInput: that is not the user's password."""
    if user.password_hash is not None and not passwords().verify(password, user.password_hash):
        raise InvalidInput("old", "account.old_password_wrong")


def set_own_password(session: Session, user: UserRow, password: str, *, cookie: str) -> None:
    """Sets one's own password and signs out every other browser. InvalidInput: it is too weak."""
    _set_password(session, user, password, cookie=cookie)


def new_sign_in_link(session: Session, user_id: UUID, *, now: datetime) -> str:
    """The token of a fresh link. Conflict: the user is deactivated."""
    if accounts.get_user(session, user_id).deactivated_at is not None:
        raise Conflict("account.deactivated")
    secret = token_urlsafe(32)
    accounts.add_sign_in_link(session, user_id, hashed(secret), now + LINK_LASTS)
    return secret


def sessions(session: Session, user_id: UUID, *, now: datetime) -> tuple[SessionRow, ...]:
    """A user's signed-in browsers."""
    return accounts.sessions(session, user_id, now)


def end_session(session: Session, user_id: UUID, session_id: UUID) -> None:
    """Signs one of a user's browsers out."""
    accounts.end_sessions(session, user_id, session_id=session_id)


def checked_name(name: str) -> str:
    """A name without surplus blanks. InvalidInput: it cannot be one."""
    name = " ".join(name.split())
    if not name:
        raise InvalidInput("name", "account.name_missing")
    if len(name) > NAME_LENGTH:
        raise InvalidInput("name", "account.name_too_long", limit=NAME_LENGTH)
    return name


def hashed(secret: str) -> str:
    """What is stored of a secret of ours: 32 random bytes cannot be guessed from their hash, so a slow one would only cost time."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _set_password(session: Session, user: UserRow, password: str, *, cookie: str) -> None:
    accounts.change_user(session, user.id, password_hash=passwords().hash(_checked_password(password, user.name)))
    accounts.end_sessions(session, user.id, except_hash=hashed(cookie))
    accounts.forget_links(session, user.id)


def _checked_password(password: str, name: str) -> str:
    if len(password) < PASSWORD_AT_LEAST:
        raise InvalidInput("password", "account.password_short", limit=PASSWORD_AT_LEAST)
    if len(password) > PASSWORD_AT_MOST:
        raise InvalidInput("password", "account.password_long", limit=PASSWORD_AT_MOST)
    if password.casefold() == name.casefold() or len(set(password)) < len("abcd"):
        raise InvalidInput("password", "account.password_easy")
    return password


def _keep_an_admin(session: Session, user: UserRow, *, stays: bool) -> None:
    is_admin = user.role is UserRole.ADMIN and user.deactivated_at is None
    if is_admin and not stays and accounts.count_active_admins(session) == 1:
        raise Conflict("account.last_admin")
