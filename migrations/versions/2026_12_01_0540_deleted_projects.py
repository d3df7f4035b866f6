"""A deleted project can be brought back for a day; its name is free meanwhile."""

import sqlalchemy as sa
from alembic import op

revision = "l18deleted01"
down_revision = "g17owner001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("projects", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.drop_constraint("projects_name_key", "projects")
    op.create_index("projects_name_key", "projects", ["name"], unique=True, postgresql_where=sa.text("deleted_at IS NULL"))


def downgrade() -> None:
    op.execute("DELETE FROM projects WHERE deleted_at IS NOT NULL")
    op.drop_index("projects_name_key", "projects")
    op.create_unique_constraint("projects_name_key", "projects", ["name"])
    op.drop_column("projects", "deleted_at")
