"""Uploads that grow: which agent sends them, what it knows of its node, when it was heard last, when it ended."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "h18agents001"
down_revision = "l18deleted01"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("telemetry_uploads", sa.Column("agent", sa.Text(), nullable=True))
    op.add_column("telemetry_uploads", sa.Column("node", postgresql.JSONB(), nullable=True))
    op.add_column("telemetry_uploads", sa.Column("heard_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("telemetry_uploads", sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    for name in ("ended_at", "heard_at", "node", "agent"):
        op.drop_column("telemetry_uploads", name)
