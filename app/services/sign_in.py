"""Signing in: by one-time link, by password with a limit on tries, by the company's sign-in; and who a request belongs to afterwards."""

from datetime import datetime, timedelta
from functools import cache
from secrets import token_urlsafe

from app.db import accounts, sign_in_attempts
from app.db.accounts import UserRole, UserRow
from app.db.engine import Database, Session
from app.domain.errors import Conflict, DomainError
from app.services import audit
from app.services.access import Caller
from app.services.accounts import NAME_LENGTH, NewUser, add_user, check_password, hashed, passwords, set_own_password

SESSION_LASTS = timedelta(days=30)
TRIES_COUNT_FOR = timedelta(minutes=15)
TRIES_PER_ACCOUNT, TRIES_PER_ADDRESS = 5, 30
TRIES_FROM_BUSY_ADDRESS = 2  # of one account, once its address spent its tries: whoever sits behind the same proxy still gets in
BROWSER_LENGTH = 200


class SignInRefused(DomainError):
    """The link, the name with the password, or the company's answer opens nothing."""


class TooManyTries(DomainError):
    """Wait before the next try: `retry_at` says until when."""

    def __init__(self, retry_at: datetime, now: datetime) -> None:
        self.retry_after_s = max(1, int((retry_at - now).total_seconds()))
        super().__init__("account.too_many_tries", minutes=-(-self.retry_after_s // 60))


def by_link(session: Session, token: str, browser: str, *, now: datetime) -> str:
    """Spends a link and opens a browser session; returns the cookie's value."""
    accounts.forget_expired(session, now)
    user = accounts.use_sign_in_link(session, hashed(token), now)
    if user is None:
        raise SignInRefused("account.link_refused")
    return _opened(session, user, browser, now, "link")


def by_password(database: Database, name: str, password: str, *, address: str, browser: str, now: datetime) -> str:
    """Opens a browser session. SignInRefused: wrong, with nothing said of which. TooManyTries: not before some minutes."""
    name = " ".join(name.split())
    account = hashed(name.casefold())
    _count_try(database, account, address, now)
    with database.read() as session:
        user = accounts.find_user(session, name)
    known = user.password_hash if user is not None and user.deactivated_at is None else None
    is_right = passwords().verify(password, known or _nobodys_hash())
    if user is None or known is None or not is_right:
        with database.write() as session:
            audit.note(session, name[:NAME_LENGTH], "refused", address=address)
        raise SignInRefused("account.password_refused")
    with database.write() as session:
        sign_in_attempts.forget(session, account, now - TRIES_COUNT_FOR)
        return _opened(session, user, browser, now, "password")


def change_password(database: Database, user: UserRow, *, old: str, new: str, cookie: str, address: str, now: datetime) -> None:
    """Changes one's own password; guessing the old one is limited as signing in is, so that a browser left open does not give it away.

    InvalidInput: the old one is wrong, or the new one too weak. TooManyTries: not before some minutes."""
    if user.password_hash is not None:
        account = hashed(f"change {user.id}")
        _count_try(database, account, address, now)
        check_password(user, old)
        with database.write() as session:
            sign_in_attempts.forget(session, account, now - TRIES_COUNT_FOR)
    with database.write() as session:
        set_own_password(session, user, new, cookie=cookie)
        audit.note(session, user.name, "password_changed", name=user.name)


def by_company(session: Session, *, subject: str, name: str, role: UserRole, browser: str, now: datetime) -> str:
    """Opens a browser session for whom the company's sign-in vouches for; a new subject becomes a new user with `role`.

    A local user of the same name is never taken over: the new one gets a number."""
    user = accounts.find_linked_user(session, subject)
    if user is None:
        user = _new_linked(session, subject, name, role)
    if user.deactivated_at is not None:
        raise SignInRefused("account.deactivated")
    return _opened(session, user, browser, now, "company")


def out(session: Session, cookie: str) -> None:
    """Ends a browser session."""
    accounts.end_session(session, hashed(cookie))


def caller_of_cookie(database: Database, cookie: str, *, now: datetime) -> Caller | None:
    """Who a browser belongs to. Opens and ends its own session: a request must not hold one connection while it waits for another."""
    with database.read() as session:
        user = accounts.user_of_session(session, hashed(cookie), now)
    return None if user is None else Caller(user)


def caller_of_bearer(database: Database, token: str, *, now: datetime) -> Caller | None:
    """Whose API token that is."""
    with database.read() as session:
        found = accounts.use_api_token(session, hashed(token))
    if found is None:
        return None
    with database.write() as session:
        accounts.note_use_of_api_token(session, hashed(token), now)
    return Caller(*found)


def _count_try(database: Database, account: str, address: str, now: datetime) -> None:
    """Stores a try before its password is looked at, in a transaction of its own: many at once count, and a refusal does not undo it.

    TooManyTries: the account had its tries; or the address had, and this account had those that are left to it there."""
    since = now - TRIES_COUNT_FOR
    with database.write() as session:
        sign_in_attempts.lock(session, account)
        count, first = sign_in_attempts.of_account(session, account, since)
        if count < TRIES_PER_ACCOUNT and sign_in_attempts.of_address(session, address, since)[0] >= TRIES_PER_ADDRESS:
            count, first = sign_in_attempts.of_account(session, account, since, address)
            count += TRIES_PER_ACCOUNT - TRIES_FROM_BUSY_ADDRESS
        if count < TRIES_PER_ACCOUNT:
            sign_in_attempts.add(session, account, address, now)
    if count >= TRIES_PER_ACCOUNT:
        raise TooManyTries((first or now) + TRIES_COUNT_FOR, now)


def _opened(session: Session, user: UserRow, browser: str, now: datetime, way: str) -> str:
    secret = token_urlsafe(32)
    audit.note(session, user.name, "signed_in", way=way, browser=browser[:BROWSER_LENGTH])
    accounts.add_session(session, user.id, hashed(secret), now + SESSION_LASTS, browser[:BROWSER_LENGTH])
    return secret


def _new_linked(session: Session, subject: str, name: str, role: UserRole) -> UserRow:
    name = name[: NAME_LENGTH - len(" 999")]
    for number in range(1, 1000):
        try:
            user = add_user(session, NewUser(name if number == 1 else f"{name} {number}", role), subject)
            audit.note(session, user.name, "user_added", name=user.name, role=role.value)
            return user
        except Conflict:
            continue
    raise SignInRefused("account.company_refused")


@cache
def _nobodys_hash() -> str:
    """Verified when there is nobody of that name, so that the answer takes as long."""
    return passwords().hash(token_urlsafe(32))
