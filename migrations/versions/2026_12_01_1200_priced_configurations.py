"""For which configuration somebody put a value in place of a sourced cost input."""

import sqlalchemy as sa
from alembic import op

revision = "i19priced001"
down_revision = "h18agents001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("cost_overrides", sa.Column("configuration", sa.Text(), server_default="", nullable=False))
    op.execute(
        """UPDATE cost_overrides AS o SET configuration = coalesce(
            (SELECT c.gpu_count || '*' || c.gpu || '@' || c.node_count || '*' || c.server FROM choices AS c WHERE c.project_id = o.project_id),
            '?')
        WHERE o.key NOT IN ('discount_rate', 'utilisation')
            AND split_part(o.key, '.', 2) NOT IN ('electricity_per_kwh', 'pue', 'maintenance_ratio_per_year')"""
    )
    op.drop_constraint("cost_overrides_pkey", "cost_overrides", type_="primary")
    op.create_primary_key("cost_overrides_pkey", "cost_overrides", ["project_id", "configuration", "key"])


def downgrade() -> None:
    op.execute(
        """DELETE FROM cost_overrides AS o USING cost_overrides AS other WHERE o.project_id = other.project_id AND o.key = other.key
            AND (o.updated_at, o.configuration) < (other.updated_at, other.configuration)"""
    )
    op.drop_constraint("cost_overrides_pkey", "cost_overrides", type_="primary")
    op.create_primary_key("cost_overrides_pkey", "cost_overrides", ["project_id", "key"])
    op.drop_column("cost_overrides", "configuration")
