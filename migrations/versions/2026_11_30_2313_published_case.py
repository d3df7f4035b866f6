"""published_case."""

import sqlalchemy as sa
from alembic import op

revision = "cd75f131313b"
down_revision = "798c478d8f37"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("projects", sa.Column("published_case", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("projects", "published_case")
