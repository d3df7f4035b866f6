"""The job queue's own tables, from the library's released steps up to 3.10."""

from importlib import resources

from alembic import op

revision = "a0001queue"
down_revision = None
branch_labels = None
depends_on = None

# The library ships its schema as immutable numbered steps; a later release gets a later revision that runs the steps it adds.
UP_TO = "03.10.99"


def upgrade() -> None:
    driver = op.get_bind().connection.driver_connection
    steps = sorted(
        (step for step in resources.files("procrastinate.sql.migrations").iterdir() if step.name.endswith(".sql")),
        key=lambda step: step.name,
    )
    for step in steps:
        if step.name.split("_")[0] <= UP_TO:
            driver.execute(step.read_text(encoding="utf-8"))


def downgrade() -> None:
    op.execute(
        """
        DO $$
        DECLARE item record;
        BEGIN
            FOR item IN SELECT oid::regclass AS name FROM pg_class
                WHERE relname LIKE 'procrastinate\\_%' AND relkind = 'r' AND relnamespace = current_schema()::regnamespace
            LOOP EXECUTE format('DROP TABLE IF EXISTS %s CASCADE', item.name); END LOOP;
            FOR item IN SELECT oid::regprocedure AS name FROM pg_proc
                WHERE proname LIKE 'procrastinate\\_%' AND pronamespace = current_schema()::regnamespace
            LOOP EXECUTE format('DROP FUNCTION IF EXISTS %s CASCADE', item.name); END LOOP;
            FOR item IN SELECT oid::regtype AS name FROM pg_type
                WHERE typname LIKE 'procrastinate\\_%' AND typtype IN ('e', 'c') AND typnamespace = current_schema()::regnamespace
            LOOP EXECUTE format('DROP TYPE IF EXISTS %s CASCADE', item.name); END LOOP;
        END $$
        """
    )
