"""Brings a database to the newest schema, and tells whether it is there."""

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from app import SHIPPED
from app.db.engine import Database, Session
from app.db.models import metadata

MIGRATIONS = SHIPPED / "migrations"


def migrate(database: Database, revision: str = "head") -> None:
    """Runs the missing migrations, all in one transaction."""
    with database.write() as session:
        command.upgrade(_config(session.connection()), revision)


def downgrade(database: Database, revision: str = "base") -> None:
    """Takes migrations back."""
    with database.write() as session:
        command.downgrade(_config(session.connection()), revision)


def rebuild(session: Session, revision: str) -> None:
    """Makes all tables anew as they were at a revision, inside the session's transaction. What they held must be out of them."""
    command.downgrade(_config(session.connection()), "base")
    command.upgrade(_config(session.connection()), revision)


def finish(session: Session) -> None:
    """Runs the missing migrations inside the session's transaction."""
    command.upgrade(_config(session.connection()), "head")


def revision(session: Session) -> str:
    """The last migration that ran."""
    (there,) = MigrationContext.configure(session.connection()).get_current_heads()
    return there


def knows(revision: str) -> bool:
    """Whether a revision is among ours."""
    return revision in {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}


def is_current(database: Database) -> bool:
    """Whether the newest migration has run."""
    with database.read() as session:
        there = MigrationContext.configure(session.connection()).get_current_heads()
    return set(there) == set(ScriptDirectory(str(MIGRATIONS)).get_heads())


def differences(database: Database) -> list[object]:
    """What the models say and the migrated database does not."""
    with database.read() as session:
        options = {"compare_type": True, "compare_server_default": True, "include_object": ours}
        return list(compare_metadata(MigrationContext.configure(session.connection(), opts=options), metadata()))


def ours(_item: object, name: str | None, kind: str, _reflected: bool, _compared: object) -> bool:
    """Whether a table is for our migrations to manage: those of the queue belong to its library."""
    return not (kind == "table" and name is not None and name.startswith("procrastinate_"))


def _config(connection: object) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
