"""Runs the migrations: one at a time across processes, and never waiting long for a lock that a running site holds."""

from alembic import context
from sqlalchemy import Connection, create_engine, text

from app.db.engine import driver_url
from app.db.models import metadata
from app.db.schema import ours

LOCK_NUMBER = 5_071_968_320  # ours alone; any constant would do


def migrate(connection: Connection) -> None:
    context.configure(
        connection=connection, target_metadata=metadata(), include_object=ours, compare_type=True, compare_server_default=True
    )
    with context.begin_transaction():
        connection.execute(text("SET LOCAL statement_timeout = '60s'"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK_NUMBER})
        connection.execute(text("SET LOCAL lock_timeout = '4s'"))
        connection.execute(text("SET LOCAL statement_timeout = '30s'"))
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    url = context.config.get_main_option("sqlalchemy.url")
    assert url, "set sqlalchemy.url, or use `gpuplan migrate`"
    engine = create_engine(driver_url(url))
    with engine.connect() as connection:
        migrate(connection)
    engine.dispose()
