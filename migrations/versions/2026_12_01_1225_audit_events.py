"""Who signed in, and who changed users, tokens and cost inputs, when."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "j20audit0001"
down_revision = "i19priced001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_events",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("params", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("audit_events_pkey")),
    )
    op.create_index(op.f("audit_events_at_idx"), "audit_events", ["at"])


def downgrade() -> None:
    op.drop_index(op.f("audit_events_at_idx"), table_name="audit_events")
    op.drop_table("audit_events")
