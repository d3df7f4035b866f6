"""Projects: list, start, rename, delete, and the rail that every page of a project shows."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from app.db import projects
from app.db.engine import Session
from app.db.projects import ProjectRow
from app.domain.errors import Conflict, InvalidInput
from app.domain.money import Currency

__all__ = ["ProjectRow"]

NAME_LENGTH = 120


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


def list_projects(session: Session) -> tuple[ProjectRow, ...]:
    """Every project, the one changed last first."""
    return projects.all_rows(session)


def start_project(session: Session, command: SaveProject) -> UUID:
    """A new project. Conflict: the name is taken."""
    name = _checked(command.name)
    try:
        with session.begin_nested():
            return projects.add(session, name, command.currency, command.published_case)
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


def delete_project(session: Session, project_id: UUID) -> None:
    """Removes a project with everything in it."""
    projects.delete(session, project_id)


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise InvalidInput("name", "project.name_missing")
    if len(name) > NAME_LENGTH:
        raise InvalidInput("name", "project.name_too_long", limit=NAME_LENGTH)
    if "\x00" in name:
        raise InvalidInput("name", "project.name_unreadable")
    return name
