"""Whether requests can be served."""

from sqlalchemy.exc import SQLAlchemyError

from app.db import schema
from app.db.engine import Database


def obstacle(database: Database) -> str | None:
    """What is in the way of serving, or nothing."""
    try:
        return None if schema.is_current(database) else "the database has not been migrated"
    except SQLAlchemyError:
        return "the database cannot be reached"
