"""Who may do what: a user's role says what they may do, membership says in which projects, a token may narrow it to one project."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from app.db import members
from app.db.accounts import UserRole, UserRow
from app.db.engine import Session
from app.domain.errors import DomainError, NotFound


class Forbidden(DomainError):
    """The caller is known and may not do this; the message says who may."""


class Right(StrEnum):
    """What can be done to a project."""

    READ = "read"
    UPLOAD = "upload"
    DESCRIBE = "describe"
    PRICE = "price"
    ISSUE = "issue"
    MANAGE = "manage"
    RESTORE = "restore"


MEMBERS = {
    UserRole.REQUESTER: frozenset({Right.READ, Right.UPLOAD, Right.DESCRIBE, Right.ISSUE}),
    UserRole.PROCUREMENT: frozenset({Right.READ, Right.PRICE, Right.ISSUE}),
    UserRole.ADMIN: frozenset(Right) - {Right.RESTORE},
}
"""What a member may do by role; an admin is a member everywhere."""

MAKER = frozenset({Right.MANAGE, Right.DESCRIBE, Right.UPLOAD})
"""What who made the project may do there besides, whatever their role: manage it, and begin its work."""

TOKEN = frozenset({Right.READ, Right.UPLOAD})
"""What a token for one project may do there at most."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. `only_project_id`: by a token that opens that project alone."""

    user: UserRow
    only_project_id: UUID | None = None

    @property
    def is_admin(self) -> bool:
        """Whether everything is open."""
        return self.user.role is UserRole.ADMIN and self.only_project_id is None

    @property
    def keeps_prices(self) -> bool:
        """Whether the price book may be changed."""
        return self.is_admin or (self.user.role is UserRole.PROCUREMENT and self.only_project_id is None)


def rights(session: Session, caller: Caller, project_id: UUID) -> frozenset[Right]:
    """What the caller may do there; nothing at all in a project of others, nor in one that does not exist; in a deleted one bring it back."""
    found = members.find(session, project_id, caller.user.id)
    if found is None or caller.only_project_id not in (None, project_id):
        return frozenset()
    is_admin = caller.user.role is UserRole.ADMIN
    if not (found.is_member or is_admin):
        return frozenset()
    allowed = MEMBERS[caller.user.role] | (MAKER if found.is_maker else frozenset())
    if found.is_deleted:
        allowed = frozenset({Right.RESTORE}) if Right.MANAGE in allowed else frozenset()
    return allowed & TOKEN if caller.only_project_id else allowed


def require(session: Session, caller: Caller, project_id: UUID, right: Right) -> frozenset[Right]:
    """All that the caller may do there. NotFound: nothing, so they do not learn that it exists. Forbidden: not this."""
    allowed = rights(session, caller, project_id)
    if not allowed or (right is Right.RESTORE) != (Right.RESTORE in allowed):
        raise NotFound("project.not_found")
    if right not in allowed:
        raise Forbidden(f"access.needs_{right.value}")
    return allowed


def require_admin(caller: Caller) -> None:
    """Forbidden: not an admin."""
    if not caller.is_admin:
        raise Forbidden("access.needs_admin")


def require_price_keeper(caller: Caller) -> None:
    """Forbidden: neither procurement nor admin."""
    if not caller.keeps_prices:
        raise Forbidden("access.needs_price_keeper")


def require_whole_user(caller: Caller) -> None:
    """Forbidden: a token for one project cannot do what its user could."""
    if caller.only_project_id is not None:
        raise Forbidden("access.token_for_one_project")
