"""accounts: roles, passwords, the company's sign-in, members of projects, tokens for one project

Who was there first owned the installation, so they become its admin; what had no maker is theirs."""

import sqlalchemy as sa
from alembic import op

revision = "f1accounts001"
down_revision = "e15versions01"
branch_labels = None
depends_on = None

FIRST = "(SELECT id FROM users ORDER BY created_at, id LIMIT 1)"


def upgrade() -> None:
    op.add_column("users", sa.Column("role", sa.Text(), server_default="requester", nullable=False))
    op.alter_column("users", "role", server_default=None)
    op.execute(f"UPDATE users SET role = 'admin' WHERE id = {FIRST}")  # noqa: S608 -- constant text
    op.create_check_constraint(op.f("users_role_check"), "users", "role IN ('requester', 'procurement', 'admin')")
    op.add_column("users", sa.Column("password_hash", sa.Text(), nullable=True))
    op.add_column("users", sa.Column("oidc_subject", sa.Text(), nullable=True))
    op.add_column("users", sa.Column("deactivated_at", sa.DateTime(timezone=True), nullable=True))
    op.create_unique_constraint(op.f("users_oidc_subject_key"), "users", ["oidc_subject"])
    op.add_column("sessions", sa.Column("browser", sa.Text(), server_default="", nullable=False))
    op.create_table(
        "sign_in_attempts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("sign_in_attempts_pkey")),
    )
    op.create_index(op.f("sign_in_attempts_account_at_idx"), "sign_in_attempts", ["account", "at"])
    op.create_index(op.f("sign_in_attempts_address_at_idx"), "sign_in_attempts", ["address", "at"])
    op.add_column("api_tokens", sa.Column("project_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(op.f("api_tokens_project_id_fkey"), "api_tokens", "projects", ["project_id"], ["id"], ondelete="CASCADE")
    op.create_index(op.f("api_tokens_project_id_idx"), "api_tokens", ["project_id"])
    op.add_column("projects", sa.Column("made_by_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(op.f("projects_made_by_id_fkey"), "projects", "users", ["made_by_id"], ["id"], ondelete="SET NULL")
    op.create_index(op.f("projects_made_by_id_idx"), "projects", ["made_by_id"])
    op.execute(f"UPDATE projects SET made_by_id = {FIRST}")  # noqa: S608 -- constant text
    op.create_table(
        "project_members",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("project_members_project_id_fkey"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("project_members_user_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "user_id", name=op.f("project_members_pkey")),
    )
    op.create_index(op.f("project_members_user_id_idx"), "project_members", ["user_id"])
    op.execute("INSERT INTO project_members (project_id, user_id) SELECT projects.id, users.id FROM projects CROSS JOIN users")


def downgrade() -> None:
    op.drop_table("project_members")
    op.drop_column("projects", "made_by_id")
    op.drop_column("api_tokens", "project_id")
    op.drop_table("sign_in_attempts")
    op.drop_column("sessions", "browser")
    for name in ("deactivated_at", "oidc_subject", "password_hash", "role"):
        op.drop_column("users", name)
