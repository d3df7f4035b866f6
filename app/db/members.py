"""Who belongs to which project."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from app.db.accounts import UserRole
from app.db.engine import Session
from app.db.models.accounts import UserModel
from app.db.models.projects import ProjectMemberModel, ProjectModel


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRow:
    """A member of a project."""

    user_id: UUID
    name: str
    role: UserRole
    is_maker: bool


@dataclass(frozen=True, slots=True)
class Membership:
    """How a user stands to a project that exists."""

    is_member: bool
    is_maker: bool
    is_deleted: bool


def find(session: Session, project_id: UUID, user_id: UUID) -> Membership | None:
    """How that user stands to the project; None: there is no such project."""
    member = select(ProjectMemberModel.user_id).where(ProjectMemberModel.project_id == project_id, ProjectMemberModel.user_id == user_id)
    found = session.execute(
        select(ProjectModel.made_by_id, ProjectModel.deleted_at, member.exists()).where(ProjectModel.id == project_id)
    ).one_or_none()
    return None if found is None else Membership(is_member=found[2], is_maker=found[0] == user_id, is_deleted=found[1] is not None)


def of_project(session: Session, project_id: UUID) -> tuple[MemberRow, ...]:
    """The members, in the order in which they came."""
    query = (
        select(UserModel.id, UserModel.name, UserModel.role, ProjectModel.made_by_id)
        .join(ProjectMemberModel, ProjectMemberModel.user_id == UserModel.id)
        .join(ProjectModel, ProjectModel.id == ProjectMemberModel.project_id)
        .where(ProjectMemberModel.project_id == project_id)
        .order_by(ProjectMemberModel.added_at, UserModel.name)
    )
    return tuple(
        MemberRow(user_id=user_id, name=name, role=UserRole(role), is_maker=user_id == maker)
        for user_id, name, role, maker in session.execute(query)
    )


def add(session: Session, project_id: UUID, user_id: UUID) -> None:
    """Makes a user a member; whoever is one already stays one."""
    session.execute(insert(ProjectMemberModel).values(project_id=project_id, user_id=user_id).on_conflict_do_nothing())


def remove(session: Session, project_id: UUID, user_id: UUID) -> None:
    """Ends a membership."""
    session.execute(delete(ProjectMemberModel).where(ProjectMemberModel.project_id == project_id, ProjectMemberModel.user_id == user_id))
