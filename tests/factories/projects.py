"""Projects."""

from uuid import UUID

from app.db.engine import Database
from app.domain.money import Currency
from app.services import accounts, projects
from app.services.projects import SaveProject


def a_project(database: Database, name: str = "Retail copywriter 13B", currency: Currency = Currency.USD) -> UUID:
    """A stored project."""
    with database.write() as session:
        return projects.start_project(session, SaveProject(name=name, currency=currency), accounts.ensure_owner(session).id)
