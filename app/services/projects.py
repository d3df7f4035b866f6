"""Projects: list, start, rename, delete, and the rail that every page of a project shows."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from app.db import members, projects
from app.db.engine import Session
from app.db.projects import ProjectRow
from app.domain.errors import Conflict, InvalidInput
from app.domain.money import Currency
from app.services.access import Caller

__all__ = ["ProjectRow"]

NAME_LENGTH = 120
KEPT_AFTER_DELETION = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveProject:
    """A project's own fields, as a person fills them in. `row_version` is what the form was made from."""

    name: str
    currency: Currency
    row_version: int | None = None
    published_case: str | None = None  # the demo project's; nobody types it


def get_project(session: Session, project_id: UUID) -> ProjectRow:
    """One project. NotFound: there is none."""
    return projects.get(session, project_id)


def list_projects(session: Session, caller: Caller) -> tuple[ProjectRow, ...]:
    """The projects that the caller may see, the one changed last first."""
    member_id = None if caller.is_admin else caller.user.id
    return projects.rows(session, member_id=member_id, only_id=caller.only_project_id)


def start_project(session: Session, command: SaveProject, made_by_id: UUID) -> UUID:
    """A new project with its maker as its first member. Conflict: the name is taken."""
    name = _checked(command.name)
    try:
        with session.begin_nested():
            project_id = projects.add(session, name, command.currency, made_by_id, command.published_case)
            members.add(session, project_id, made_by_id)
            return project_id
    except IntegrityError:
        raise Conflict("project.name_taken", field="name", name=name) from None


def change_project(session: Session, project_id: UUID, command: SaveProject) -> None:
    """Renames a project or changes its currency. Conflict: the name is taken, or somebody else was first."""
    name = _checked(command.name)
    try:
        with session.begin_nested():
            projects.change(session, project_id, name=name, currency=command.currency, row_version=command.row_version)
    except IntegrityError:
        raise Conflict("project.name_taken", field="name", name=name) from None


def delete_project(session: Session, project_id: UUID, *, now: datetime) -> None:
    """Deletes a project; for a day it can be brought back, after that it is removed with everything in it."""
    projects.forget_deleted(session, now - KEPT_AFTER_DELETION)
    projects.mark_deleted(session, project_id, now)


def find_deleted(session: Session, project_id: UUID) -> str | None:
    """The name of a project that can be brought back; None: there is no such project."""
    return projects.find_deleted(session, project_id)


def restore_project(session: Session, project_id: UUID) -> None:
    """Brings a deleted project back. Conflict: another one has its name by now."""
    name = projects.find_deleted(session, project_id)
    try:
        with session.begin_nested():
            projects.mark_deleted(session, project_id, None)
    except IntegrityError:
        raise Conflict("project.name_taken", field="name", name=name or "") from None


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise InvalidInput("name", "project.name_missing")
    if len(name) > NAME_LENGTH:
        raise InvalidInput("name", "project.name_too_long", limit=NAME_LENGTH)
    if "\x00" in name:
        raise InvalidInput("name", "project.name_unreadable")
    return name
