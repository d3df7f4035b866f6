"""Cost overrides, and sheets that cannot be changed once issued."""

import sqlalchemy as sa
from alembic import op

revision = "d5sheets0001"
down_revision = "c81ca8866a78"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cost_overrides",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Numeric(precision=24, scale=8), nullable=False),
        sa.Column("currency", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("cost_overrides_project_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "key", name=op.f("cost_overrides_pkey")),
    )
    op.create_table(
        "sheets",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("issued_by", sa.Text(), nullable=False),
        sa.CheckConstraint("number > 0", name=op.f("sheets_number_check")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("sheets_project_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("sheets_pkey")),
        sa.UniqueConstraint("project_id", "number", name=op.f("sheets_project_id_number_key")),
    )
    op.execute(
        """
        CREATE FUNCTION refuse_sheet_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'an issued sheet is never changed: issue a new one' USING ERRCODE = 'restrict_violation';
        END
        $$
        """
    )
    op.execute("CREATE TRIGGER sheets_unchangeable BEFORE UPDATE ON sheets FOR EACH ROW EXECUTE FUNCTION refuse_sheet_change()")


def downgrade() -> None:
    op.drop_table("sheets")
    op.execute("DROP FUNCTION refuse_sheet_change()")
    op.drop_table("cost_overrides")
