"""Users, sign-in links, browser sessions and API tokens in the database. Secrets come in as hashes."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, select, update

from app.db.engine import Session
from app.db.models.accounts import ApiTokenModel, SessionModel, SignInLinkModel, UserModel
from app.domain.errors import NotFound

LAST_USE_IS_NOTED_EVERY = timedelta(hours=1)


class UserRole(StrEnum):
    """What a user may do in the projects they belong to, and outside of projects."""

    REQUESTER = "requester"
    PROCUREMENT = "procurement"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRow:
    """A user."""

    id: UUID
    name: str
    role: UserRole
    password_hash: str | None
    is_linked: bool  # to the company's sign-in
    created_at: datetime
    deactivated_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """A signed-in browser without its secret."""

    id: UUID
    token_hash: str
    browser: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiTokenRow:
    """An API token without its secret. With a project it opens that project alone."""

    id: UUID
    name: str
    project_id: UUID | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


def find_user(session: Session, name: str) -> UserRow | None:
    """The user of that name."""
    return _user(session, UserModel.name == name)


def find_linked_user(session: Session, oidc_subject: str) -> UserRow | None:
    """Whom the company's sign-in knows by that subject."""
    return _user(session, UserModel.oidc_subject == oidc_subject)


def get_user(session: Session, user_id: UUID) -> UserRow:
    """One user. NotFound: there is none."""
    found = _user(session, UserModel.id == user_id)
    if found is None:
        raise NotFound("account.unknown")
    return found


def first_admin(session: Session) -> UserRow | None:
    """The administrator who was there first and still is: the owner."""
    active = (UserModel.role == UserRole.ADMIN, UserModel.deactivated_at.is_(None))
    model = session.scalar(select(UserModel).where(*active).order_by(UserModel.created_at, UserModel.id).limit(1))
    return None if model is None else _to_user(model)


def users(session: Session) -> tuple[UserRow, ...]:
    """Everybody."""
    return tuple(map(_to_user, session.scalars(select(UserModel).order_by(UserModel.created_at, UserModel.id))))


def count_active_admins(session: Session) -> int:
    """How many could still let others in. Locks them, so that two admins cannot remove each other at once."""
    query = select(UserModel.id).where(UserModel.role == UserRole.ADMIN, UserModel.deactivated_at.is_(None))
    return len(session.scalars(query.with_for_update()).all())


def lock_names(session: Session) -> None:
    """Until the end of the transaction nobody else adds a user: names that only look alike break no constraint."""
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended("users.name", 0))))


def add_user(session: Session, name: str, role: UserRole, oidc_subject: str | None = None) -> UserRow:
    """Stores a new user; the caller handles the IntegrityError of a taken name."""
    model = UserModel(name=name, role=role.value, oidc_subject=oidc_subject)
    session.add(model)
    session.flush()
    return _to_user(model)


def change_user(session: Session, user_id: UUID, **values: str | datetime | None) -> None:
    """Changes columns of a user: `role`, `password_hash`, `deactivated_at`."""
    session.execute(update(UserModel).where(UserModel.id == user_id).values(**values).execution_options(synchronize_session="fetch"))


def add_sign_in_link(session: Session, user_id: UUID, token_hash: str, expires_at: datetime) -> None:
    """Stores a link."""
    session.add(SignInLinkModel(user_id=user_id, token_hash=token_hash, expires_at=expires_at))
    session.flush()


def use_sign_in_link(session: Session, token_hash: str, now: datetime) -> UserRow | None:
    """Marks the link as used and returns its user; None when it is unknown, used or expired. Two at once: one wins."""
    user_id = session.scalar(
        update(SignInLinkModel)
        .where(SignInLinkModel.token_hash == token_hash, SignInLinkModel.used_at.is_(None), SignInLinkModel.expires_at > now)
        .values(used_at=now)
        .returning(SignInLinkModel.user_id)
    )
    return None if user_id is None else _user(session, UserModel.id == user_id, UserModel.deactivated_at.is_(None))


def add_session(session: Session, user_id: UUID, token_hash: str, expires_at: datetime, browser: str) -> None:
    """Stores a signed-in browser."""
    session.add(SessionModel(user_id=user_id, token_hash=token_hash, expires_at=expires_at, browser=browser))
    session.flush()


def user_of_session(session: Session, token_hash: str, now: datetime) -> UserRow | None:
    """Who is signed in with that cookie."""
    query = select(UserModel).join(SessionModel, SessionModel.user_id == UserModel.id)
    live = (SessionModel.token_hash == token_hash, SessionModel.expires_at > now, UserModel.deactivated_at.is_(None))
    model = session.scalar(query.where(*live))
    return None if model is None else _to_user(model)


def sessions(session: Session, user_id: UUID, now: datetime) -> tuple[SessionRow, ...]:
    """A user's signed-in browsers, newest first."""
    query = select(SessionModel).where(SessionModel.user_id == user_id, SessionModel.expires_at > now)
    return tuple(
        SessionRow(id=row.id, token_hash=row.token_hash, browser=row.browser, created_at=row.created_at, expires_at=row.expires_at)
        for row in session.scalars(query.order_by(SessionModel.created_at.desc(), SessionModel.id))
    )


def end_session(session: Session, token_hash: str) -> None:
    """Signs a browser out."""
    session.execute(delete(SessionModel).where(SessionModel.token_hash == token_hash))


def end_sessions(session: Session, user_id: UUID, *, session_id: UUID | None = None, except_hash: str = "") -> None:
    """Signs a user's browsers out: the one with that id, or all but the one with that cookie."""
    query = delete(SessionModel).where(SessionModel.user_id == user_id, SessionModel.token_hash != except_hash)
    session.execute(query if session_id is None else query.where(SessionModel.id == session_id))


def forget_links(session: Session, user_id: UUID) -> None:
    """Links of a user that were not used yet open nothing any more."""
    session.execute(delete(SignInLinkModel).where(SignInLinkModel.user_id == user_id, SignInLinkModel.used_at.is_(None)))


def forget_expired(session: Session, now: datetime) -> None:
    """Removes sessions and links that no longer open anything."""
    session.execute(delete(SessionModel).where(SessionModel.expires_at <= now))
    session.execute(delete(SignInLinkModel).where(SignInLinkModel.expires_at <= now))


def add_api_token(session: Session, user_id: UUID, name: str, token_hash: str, project_id: UUID | None) -> UUID:
    """Stores a token."""
    model = ApiTokenModel(user_id=user_id, name=name, token_hash=token_hash, project_id=project_id)
    session.add(model)
    session.flush()
    return model.id


def api_tokens(session: Session, user_id: UUID) -> tuple[ApiTokenRow, ...]:
    """A user's tokens, newest first, revoked ones included."""
    query = select(ApiTokenModel).where(ApiTokenModel.user_id == user_id).order_by(ApiTokenModel.created_at.desc(), ApiTokenModel.id)
    return tuple(map(_to_token, session.scalars(query)))


def revoke_api_token(session: Session, user_id: UUID, token_id: UUID, now: datetime) -> str | None:
    """Ends a token and returns its name; None when the user has no such token that still works."""
    query = (
        update(ApiTokenModel)
        .where(ApiTokenModel.id == token_id, ApiTokenModel.user_id == user_id, ApiTokenModel.revoked_at.is_(None))
        .values(revoked_at=now)
        .returning(ApiTokenModel.name)
    )
    return session.scalar(query)


def revoke_api_tokens(session: Session, user_id: UUID, now: datetime) -> None:
    """Ends all tokens of a user."""
    session.execute(
        update(ApiTokenModel).where(ApiTokenModel.user_id == user_id, ApiTokenModel.revoked_at.is_(None)).values(revoked_at=now)
    )


def use_api_token(session: Session, token_hash: str) -> tuple[UserRow, UUID | None] | None:
    """Whose token that is and the one project it opens, if it is for one; None when it was revoked or never made."""
    query = select(UserModel, ApiTokenModel.project_id).join(ApiTokenModel, ApiTokenModel.user_id == UserModel.id)
    live = (ApiTokenModel.token_hash == token_hash, ApiTokenModel.revoked_at.is_(None), UserModel.deactivated_at.is_(None))
    found = session.execute(query.where(*live)).one_or_none()
    return None if found is None else (_to_user(found[0]), found[1])


def note_use_of_api_token(session: Session, token_hash: str, now: datetime) -> None:
    """Remembers when the token was last used, to the hour, so that a busy script does not write with every request."""
    stale = ApiTokenModel.last_used_at.is_(None) | (ApiTokenModel.last_used_at < now - LAST_USE_IS_NOTED_EVERY)
    session.execute(update(ApiTokenModel).where(ApiTokenModel.token_hash == token_hash, stale).values(last_used_at=now))


def _user(session: Session, *conditions: ColumnElement[bool]) -> UserRow | None:
    model = session.scalar(select(UserModel).where(*conditions).execution_options(populate_existing=True))
    return None if model is None else _to_user(model)


def _to_user(model: UserModel) -> UserRow:
    return UserRow(
        id=model.id,
        name=model.name,
        role=UserRole(model.role),
        password_hash=model.password_hash,
        is_linked=model.oidc_subject is not None,
        created_at=model.created_at,
        deactivated_at=model.deactivated_at,
    )


def _to_token(model: ApiTokenModel) -> ApiTokenRow:
    return ApiTokenRow(
        id=model.id,
        name=model.name,
        project_id=model.project_id,
        created_at=model.created_at,
        last_used_at=model.last_used_at,
        revoked_at=model.revoked_at,
    )
