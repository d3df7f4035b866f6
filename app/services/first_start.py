"""What a new installation holds before anybody touched it."""

from datetime import datetime

from app.db import catalogue as repository
from app.db.engine import Database, Session
from app.services import catalogue, demo


def fill(session: Session, database: Database, now: datetime) -> None:
    """Brings in the seed data that the database does not hold yet, and on the very first start the demo project; changes nothing else."""
    is_first = repository.find_revision(session) is None
    catalogue.seed(session)
    if is_first:
        demo.start(session, database, now)
