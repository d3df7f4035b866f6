"""Users, sign-in links, browser sessions and API tokens in the database. Secrets come in as hashes."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, select, update

from app.db.engine import Session
from app.db.models.accounts import ApiTokenModel, SessionModel, SignInLinkModel, UserModel

LAST_USE_IS_NOTED_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRow:
    """A user."""

    id: UUID
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiTokenRow:
    """An API token without its secret."""

    id: UUID
    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


def find_user(session: Session, name: str) -> UserRow | None:
    """The user of that name."""
    model = session.scalar(select(UserModel).where(UserModel.name == name))
    return None if model is None else _to_user(model)


def first_user(session: Session) -> UserRow | None:
    """The user who was there first: the owner."""
    model = session.scalar(select(UserModel).order_by(UserModel.created_at, UserModel.id).limit(1))
    return None if model is None else _to_user(model)


def users(session: Session) -> tuple[UserRow, ...]:
    """Everybody."""
    return tuple(map(_to_user, session.scalars(select(UserModel).order_by(UserModel.created_at, UserModel.id))))


def add_user(session: Session, name: str) -> UserRow:
    """Stores a new user; the caller handles the IntegrityError of a taken name."""
    model = UserModel(name=name)
    session.add(model)
    session.flush()
    return _to_user(model)


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
    return None if user_id is None else _to_user(session.get_one(UserModel, user_id))


def add_session(session: Session, user_id: UUID, token_hash: str, expires_at: datetime) -> None:
    """Stores a signed-in browser."""
    session.add(SessionModel(user_id=user_id, token_hash=token_hash, expires_at=expires_at))
    session.flush()


def user_of_session(session: Session, token_hash: str, now: datetime) -> UserRow | None:
    """Who is signed in with that cookie."""
    query = select(UserModel).join(SessionModel, SessionModel.user_id == UserModel.id)
    model = session.scalar(query.where(SessionModel.token_hash == token_hash, SessionModel.expires_at > now))
    return None if model is None else _to_user(model)


def end_session(session: Session, token_hash: str) -> None:
    """Signs a browser out."""
    session.execute(delete(SessionModel).where(SessionModel.token_hash == token_hash))


def forget_expired(session: Session, now: datetime) -> None:
    """Removes sessions and links that no longer open anything."""
    session.execute(delete(SessionModel).where(SessionModel.expires_at <= now))
    session.execute(delete(SignInLinkModel).where(SignInLinkModel.expires_at <= now))


def add_api_token(session: Session, user_id: UUID, name: str, token_hash: str) -> UUID:
    """Stores a token."""
    model = ApiTokenModel(user_id=user_id, name=name, token_hash=token_hash)
    session.add(model)
    session.flush()
    return model.id


def api_tokens(session: Session, user_id: UUID) -> tuple[ApiTokenRow, ...]:
    """A user's tokens, newest first, revoked ones included."""
    query = select(ApiTokenModel).where(ApiTokenModel.user_id == user_id).order_by(ApiTokenModel.created_at.desc(), ApiTokenModel.id)
    return tuple(map(_to_token, session.scalars(query)))


def revoke_api_token(session: Session, user_id: UUID, token_id: UUID, now: datetime) -> bool:
    """Ends a token; False when the user has no such token that still works."""
    query = (
        update(ApiTokenModel)
        .where(ApiTokenModel.id == token_id, ApiTokenModel.user_id == user_id, ApiTokenModel.revoked_at.is_(None))
        .values(revoked_at=now)
        .returning(ApiTokenModel.id)
    )
    return session.scalar(query) is not None


def user_of_api_token(session: Session, token_hash: str) -> UserRow | None:
    """Whose token that is, unless it was revoked."""
    query = select(UserModel).join(ApiTokenModel, ApiTokenModel.user_id == UserModel.id)
    model = session.scalar(query.where(ApiTokenModel.token_hash == token_hash, ApiTokenModel.revoked_at.is_(None)))
    return None if model is None else _to_user(model)


def note_use_of_api_token(session: Session, token_hash: str, now: datetime) -> None:
    """Remembers when the token was last used, to the hour, so that a busy script does not write with every request."""
    stale = ApiTokenModel.last_used_at.is_(None) | (ApiTokenModel.last_used_at < now - LAST_USE_IS_NOTED_EVERY)
    session.execute(update(ApiTokenModel).where(ApiTokenModel.token_hash == token_hash, stale).values(last_used_at=now))


def _to_user(model: UserModel) -> UserRow:
    return UserRow(id=model.id, name=model.name, created_at=model.created_at)


def _to_token(model: ApiTokenModel) -> ApiTokenRow:
    return ApiTokenRow(
        id=model.id, name=model.name, created_at=model.created_at, last_used_at=model.last_used_at, revoked_at=model.revoked_at
    )
