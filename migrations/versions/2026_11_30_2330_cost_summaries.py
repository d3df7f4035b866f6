"""The cost of a project in one line."""

import sqlalchemy as sa
from alembic import op

revision = "d5costs0002"
down_revision = "cd75f131313b"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cost_summaries",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("total", sa.Numeric(precision=18, scale=6), nullable=False),
        sa.Column("low", sa.Numeric(precision=18, scale=6), nullable=False),
        sa.Column("high", sa.Numeric(precision=18, scale=6), nullable=False),
        sa.Column("month_count", sa.Integer(), nullable=False),
        sa.Column("break_even_ratio", sa.Double(), nullable=True),
        sa.Column("cheaper", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("cost_summaries_project_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", name=op.f("cost_summaries_pkey")),
    )


def downgrade() -> None:
    op.drop_table("cost_summaries")
