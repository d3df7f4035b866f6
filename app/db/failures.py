"""Which constraint a failed statement broke."""

from psycopg import Error
from sqlalchemy.exc import IntegrityError


def constraint(error: IntegrityError) -> str | None:
    """The constraint's name, by the database's own report."""
    return error.orig.diag.constraint_name if isinstance(error.orig, Error) else None
