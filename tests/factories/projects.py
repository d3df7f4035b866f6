"""Projects."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from app.db import projects as repository
from app.db.engine import Database, Session
from app.domain.money import Currency
from app.services import accounts, projects
from app.services.projects import SaveProject


def a_project(database: Database, name: str = "Retail copywriter 13B", currency: Currency = Currency.USD) -> UUID:
    """A stored project."""
    with database.write() as session:
        return projects.start_project(session, SaveProject(name=name, currency=currency), accounts.ensure_owner(session).id)


def gone(session: Session, project_id: UUID) -> None:
    """Deletes a project and lets the day pass in which it could be brought back."""
    now = datetime.now(UTC)
    projects.delete_project(session, project_id, now=now - projects.KEPT_AFTER_DELETION - timedelta(seconds=1))
    repository.forget_deleted(session, now - projects.KEPT_AFTER_DELETION)
