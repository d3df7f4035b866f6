"""Who put a value in place of a sourced cost input."""

import sqlalchemy as sa
from alembic import op

revision = "g17owner001"
down_revision = "f16weights01"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("cost_overrides", sa.Column("changed_by", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("cost_overrides", "changed_by")
