"""What a new installation holds before anybody touched it."""

from app.db.engine import Session
from app.services import catalogue


def fill(session: Session) -> None:
    """Brings in the seed data that the database does not hold yet; changes nothing that is there."""
    catalogue.seed(session)
