"""The intake's question pages as typed."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "b7intake0001"
down_revision = "0f268f25a447"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "intake_questions",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("texts", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("unknown", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("row_version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "question IN ('data', 'model', 'training', 'software', 'operations')", name=op.f("intake_questions_question_check")
        ),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("intake_questions_project_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "question", name=op.f("intake_questions_pkey")),
    )


def downgrade() -> None:
    op.drop_table("intake_questions")
