"""Users and the ways to show that one is a user. Secrets are stored as SHA-256 of 32 random bytes, passwords as argon2, never themselves."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Id


class UserModel(Base):
    """A person. The first one owns the installation. `oidc_subject` is issuer and subject of the company's sign-in, if it is linked."""

    __tablename__ = "users"
    __table_args__ = (CheckConstraint("role IN ('requester', 'procurement', 'admin')", name="role"),)

    id: Mapped[Id]
    name: Mapped[str] = mapped_column(unique=True)
    role: Mapped[str]
    password_hash: Mapped[str | None]
    oidc_subject: Mapped[str | None] = mapped_column(unique=True)
    deactivated_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class SignInLinkModel(Base):
    """A link that signs a user in once, before it expires."""

    __tablename__ = "sign_in_links"

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class SessionModel(Base):
    """A browser that is signed in. `browser` is what it calls itself, for the list of one's own sessions."""

    __tablename__ = "sessions"

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    browser: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]


class SignInAttemptModel(Base):
    """A try at a password, kept until it succeeds or is too old to matter. `account` is the name as it was typed, hashed."""

    __tablename__ = "sign_in_attempts"
    __table_args__ = (Index(None, "account", "at"), Index(None, "address", "at"))

    id: Mapped[Id]
    account: Mapped[str]
    address: Mapped[str]
    at: Mapped[datetime]


class ApiTokenModel(Base):
    """A token for scripts and agents, shown once when it is made. With a project it opens that project alone."""

    __tablename__ = "api_tokens"

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    project_id: Mapped[UUID | None] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    token_hash: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
