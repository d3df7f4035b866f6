"""What a new installation holds before anybody touched it."""

from datetime import datetime

from app.db import catalogue as repository
from app.db.engine import Database, Session
from app.services import demo
from app.services.seeding import Difference, seed


def fill(session: Session, database: Database, now: datetime) -> tuple[Difference, ...]:
    """Brings in the seed data that the database does not hold yet, and on the very first start the demo project; changes nothing else.

    Returns where the shipped facts differ from what people changed here, which stays."""
    is_first = repository.find_revision(session) is None
    differences = seed(session)
    if is_first:
        demo.start(session, database, now)
    return differences
