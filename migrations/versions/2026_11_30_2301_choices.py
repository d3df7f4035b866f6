"""choices."""

import sqlalchemy as sa
from alembic import op

revision = "304512243473"
down_revision = "b7intake0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "choices",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("gpu", sa.Text(), nullable=False),
        sa.Column("server", sa.Text(), nullable=False),
        sa.Column("gpu_count", sa.Integer(), nullable=False),
        sa.Column("node_count", sa.Integer(), nullable=False),
        sa.Column("duration_low_s", sa.Double(), nullable=True),
        sa.Column("duration_s", sa.Double(), nullable=True),
        sa.Column("duration_high_s", sa.Double(), nullable=True),
        sa.Column("inputs_key", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("choices_project_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", name=op.f("choices_pkey")),
    )


def downgrade() -> None:
    op.drop_table("choices")
