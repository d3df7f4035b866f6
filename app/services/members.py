"""The people of a project."""

from uuid import UUID

from app.db import members
from app.db.engine import Session
from app.db.members import MemberRow
from app.domain.errors import Conflict, NotFound
from app.services import accounts

__all__ = ["MemberRow"]


def of_project(session: Session, project_id: UUID) -> tuple[MemberRow, ...]:
    """The members, in the order in which they came."""
    return members.of_project(session, project_id)


def add(session: Session, project_id: UUID, name: str) -> None:
    """Makes the user of that name a member. NotFound: nobody is called so, or they are deactivated."""
    user = accounts.get_user(session, accounts.checked_name(name))
    if user.deactivated_at is not None:
        raise NotFound("account.no_user", field="name", name=name)
    members.add(session, project_id, user.id)


def remove(session: Session, project_id: UUID, user_id: UUID) -> None:
    """Ends a membership. Conflict: who made the project stays."""
    found = members.find(session, project_id, user_id)
    if found is not None and found.is_maker:
        raise Conflict("member.maker_stays")
    members.remove(session, project_id, user_id)
