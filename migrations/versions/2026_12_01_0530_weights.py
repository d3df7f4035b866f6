"""weights: what a project lets its roles weigh; the range of a chosen run was never read"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "f16weights01"
down_revision = "f1accounts001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "project_weights",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("weights", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("project_weights_project_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", name=op.f("project_weights_pkey")),
    )
    op.drop_column("choices", "duration_low_s")
    op.drop_column("choices", "duration_high_s")


def downgrade() -> None:
    op.add_column("choices", sa.Column("duration_high_s", sa.Double(), nullable=True))
    op.add_column("choices", sa.Column("duration_low_s", sa.Double(), nullable=True))
    op.drop_table("project_weights")
