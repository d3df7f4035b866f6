"""Pieces of stored files arrive packed: the database need not try again."""

from alembic import op

revision = "d3packed0001"
down_revision = "d5costs0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE stored_pieces ALTER COLUMN content SET STORAGE EXTERNAL")


def downgrade() -> None:
    op.execute("ALTER TABLE stored_pieces ALTER COLUMN content SET STORAGE EXTENDED")
