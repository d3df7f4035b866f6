"""Tells whether the migrations make exactly the tables that the models describe, on a fresh bundled PostgreSQL (`alembic check`)."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError

from app.embedded import EmbeddedPostgres

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Migrates an empty database and compares."""
    with TemporaryDirectory(prefix="gpuplan-schema-") as folder:
        postgres = EmbeddedPostgres(Path(folder) / "postgres", is_durable=False)
        postgres.start()
        try:
            config = Config(str(ROOT / "alembic.ini"))
            config.set_main_option("sqlalchemy.url", postgres.url.replace("%", "%%"))
            command.upgrade(config, "head")
            command.check(config)
        except CommandError as error:
            sys.exit(f"The models and the migrations differ: {error}")
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
