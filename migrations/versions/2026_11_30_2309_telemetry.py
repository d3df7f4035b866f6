"""Stored files, telemetry uploads, their rollups and time series."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "c81ca8866a78"
down_revision = "304512243473"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "stored_files",
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("content_hash", name=op.f("stored_files_pkey")),
    )
    op.create_table(
        "stored_pieces",
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["content_hash"], ["stored_files.content_hash"], name=op.f("stored_pieces_content_hash_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("content_hash", "number", name=op.f("stored_pieces_pkey")),
    )
    op.create_table(
        "telemetry_uploads",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("gpu", sa.Text(), nullable=True),
        sa.Column("idempotency_key", sa.Text(), nullable=True),
        sa.Column("job_id", sa.Uuid(), nullable=True),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("profiled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("format", sa.Text(), nullable=True),
        sa.Column("started_at", sa.DateTime(), nullable=True),
        sa.Column("duration_s", sa.Double(), nullable=True),
        sa.Column("interval_s", sa.Double(), nullable=True),
        sa.Column("interval_is_assumed", sa.Boolean(), nullable=True),
        sa.Column("sample_count", sa.BigInteger(), nullable=True),
        sa.Column("cycle_count", sa.BigInteger(), nullable=True),
        sa.Column("gpu_count", sa.Integer(), nullable=True),
        sa.Column("log_count", sa.Integer(), nullable=True),
        sa.Column("steady_s", sa.Double(), nullable=True),
        sa.Column("dip_count", sa.Integer(), nullable=True),
        sa.Column("bucket_s", sa.Double(), nullable=True),
        sa.Column("skipped_count", sa.BigInteger(), nullable=True),
        sa.Column("dropped_count", sa.BigInteger(), nullable=True),
        sa.Column("rule", sa.Text(), nullable=True),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("confidence", sa.Integer(), nullable=True),
        sa.Column("headline", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("evidence", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.ForeignKeyConstraint(
            ["content_hash"], ["stored_files.content_hash"], name=op.f("telemetry_uploads_content_hash_fkey"), ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("telemetry_uploads_job_id_fkey"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("telemetry_uploads_project_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("telemetry_uploads_pkey")),
    )
    op.create_index(op.f("telemetry_uploads_content_hash_idx"), "telemetry_uploads", ["content_hash"], unique=False)
    op.create_index(
        "telemetry_uploads_content_key",
        "telemetry_uploads",
        ["project_id", "content_hash"],
        unique=True,
        postgresql_where=sa.text("removed_at IS NULL"),
    )
    op.create_index("telemetry_uploads_idempotency_key", "telemetry_uploads", ["project_id", "idempotency_key"], unique=True)
    op.create_index(op.f("telemetry_uploads_project_id_idx"), "telemetry_uploads", ["project_id"], unique=False)
    op.create_table(
        "telemetry_rollups",
        sa.Column("upload_id", sa.Uuid(), nullable=False),
        sa.Column("gpu", sa.Integer(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("span", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("p05", sa.Double(), nullable=False),
        sa.Column("p50", sa.Double(), nullable=False),
        sa.Column("p95", sa.Double(), nullable=False),
        sa.Column("mean", sa.Double(), nullable=False),
        sa.Column("max", sa.Double(), nullable=False),
        sa.Column("sample_count", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["upload_id"], ["telemetry_uploads.id"], name=op.f("telemetry_rollups_upload_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("upload_id", "gpu", "metric", "span", name=op.f("telemetry_rollups_pkey")),
    )
    op.create_table(
        "telemetry_series",
        sa.Column("upload_id", sa.Uuid(), nullable=False),
        sa.Column("gpu", sa.Integer(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("bucket", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.Column("minimum", postgresql.ARRAY(sa.REAL()), nullable=False),
        sa.Column("mean", postgresql.ARRAY(sa.REAL()), nullable=False),
        sa.Column("maximum", postgresql.ARRAY(sa.REAL()), nullable=False),
        sa.Column("sample_count", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.ForeignKeyConstraint(["upload_id"], ["telemetry_uploads.id"], name=op.f("telemetry_series_upload_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("upload_id", "gpu", "metric", name=op.f("telemetry_series_pkey")),
    )


def downgrade() -> None:
    op.drop_table("telemetry_series")
    op.drop_table("telemetry_rollups")
    op.drop_index(op.f("telemetry_uploads_project_id_idx"), table_name="telemetry_uploads")
    op.drop_index("telemetry_uploads_idempotency_key", table_name="telemetry_uploads")
    op.drop_index("telemetry_uploads_content_key", table_name="telemetry_uploads", postgresql_where=sa.text("removed_at IS NULL"))
    op.drop_index(op.f("telemetry_uploads_content_hash_idx"), table_name="telemetry_uploads")
    op.drop_table("telemetry_uploads")
    op.drop_table("stored_pieces")
    op.drop_table("stored_files")
