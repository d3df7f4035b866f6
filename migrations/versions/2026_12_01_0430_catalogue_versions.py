"""catalogue versions: rows of cells with every version of each, in place of one table a noun; a choice names its catalogue's revision.

The old tables held the shipped facts and nothing else; the seeding that follows every migration brings them back."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "e15versions01"
down_revision = "d3packed0001"
branch_labels = None
depends_on = None

OLD = {
    "gpus": (
        "slug:t name:t vendor:t architecture:t compute_capability:t? market_class:t form_factor:t? slots:t? cooling:t? "
        "launched_on:t? memory_marketed_gb:f? memory_usable_bytes:f? memory_usable_measured:b memory_type:t? "
        "memory_bandwidth_bytes_per_s:f? l2_bytes:f? has_ecc:b? is_ecc_optional:b peak_fp64_dense_flops:f? "
        "peak_fp64_tensor_dense_flops:f? peak_fp32_dense_flops:f? peak_tf32_dense_flops:f? peak_fp16_dense_flops:f? "
        "peak_fp16_fp16acc_dense_flops:f? peak_bf16_dense_flops:f? peak_fp8_dense_flops:f? peak_int8_dense_flops:f? "
        "peak_fp4_dense_flops:f? peak_int4_dense_flops:f? has_sparsity:b? peak_fp16_sparse_flops:f? nvlink_generation:t? "
        "nvlink_bidirectional_bytes_per_s:f? has_nvswitch:b? pcie_generation:t? pcie_lane_count:i? tdp_w:f? board_tdp_w:f? "
        "power_basis:t? gpus_per_board_count:i idle_w:f? idle_factor:t? mig_max_count:i? has_vgpu:b? export_control_note:t? "
        "power_connector:t? msrp_price_usd:n? msrp_source:t? unconfirmed_fields:a notes:t"
    ),
    "servers": (
        "slug:t name:t vendor:t max_gpu_count:i form_factors:a gpu_slugs:a gpu_interconnect:t cpu_socket_count:i? "
        "cpu_options:t max_memory_bytes:f? nvme_bay_count:i? pcie_generation:t? rack_units:f? max_power_w:f? "
        "power_evidence:t? psu:t cooling:t network_slot_count:i? nic_default:t network_bytes_per_s:f? unconfirmed_fields:a "
        "notes:t"
    ),
    "links": (
        "slug:t category:t name:t generation:t? scope:t? lane_or_link_count:i? one_way_bytes_per_s:f? "
        "bidirectional_bytes_per_s:f? marketed_bidirectional_bytes_per_s:f? achievable_bytes_per_s:f? achievable_what:t? "
        "efficiency_ratio:f? availability:t? gpu_slugs:a notes:t"
    ),
    "precision_support": (
        "architecture:t vendor:t compute_capability:t? gpu_slugs:a precision:t hardware_support:t? rate_vs_fp16_ratio:f? "
        "weight_only:t? min_cuda:t? last_cuda:t? min_pytorch:t? min_transformer_engine:t? min_vllm:t? min_driver_mig:t? "
        "notes:t"
    ),
    "purchase_prices": (
        "item:t gpu_slug:t? unit:t gpus_per_unit_count:i unit_price:n currency:t price_per_gpu:n? quantity_count:i? "
        "condition:t region:t seller_type:t tax:t on:t confidence:t notes:t"
    ),
    "rental_prices": (
        "provider:t sku:t gpu_quoted:t gpu_slug:t? gpu_count:i vcpu_count:f? memory_gb:f? commitment:t hourly_price:n "
        "hourly_price_per_gpu:n currency:t region:t on:t confidence:t notes:t"
    ),
    "cost_factors": ("key:t group:t factor:t low:n? typical:n? high:n? unit:t region:t on:t confidence:t notes:t"),
    "language_models": (
        "name:t aliases:a family:t kind:t parameter_count:f active_parameter_count:f? layer_count:i hidden:i head_count:i "
        "kv_head_count:i head_dim:i ffn_hidden:i is_gated_mlp:b vocab:i has_tied_embeddings:b norm:t max_context:i? "
        "sliding_window:i? sliding_pattern:t? attention:t mla_kv_lora_rank:i? mla_rope_dim:i? mla_q_lora_rank:i? mla_v_dim:i? "
        "moe_expert_count:i? moe_topk:i? moe_shared_expert_count:i? moe_expert_ffn:i? first_dense_layer_count:i? "
        "dense_ffn_hidden:i? has_linear_bias:b notes:t"
    ),
    "other_models": (
        "name:t task:t parameter_count:f? input:t forward_mac_count:f? activation_train_fp16_bytes:f? embedding_bytes:f? basis:t notes:t"
    ),
}
KINDS = {"t": sa.Text(), "f": sa.Double(), "i": sa.Integer(), "b": sa.Boolean(), "n": sa.Numeric(), "a": ARRAY(sa.Text())}
SHARED = "natural_key:t position:i source_title:t source_url:t? source_on:t source_evidence:t"


def upgrade() -> None:
    op.create_table(
        "catalogue_rows",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("shipped_key", sa.Text(), nullable=True),
        sa.Column("shipped", JSONB(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("catalogue_rows_pkey")),
        sa.UniqueConstraint("table_name", "shipped_key", name=op.f("catalogue_rows_table_name_shipped_key_key")),
    )
    op.create_table(
        "catalogue_versions",
        sa.Column("row_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("natural_key", sa.Text(), nullable=False),
        sa.Column("cells", JSONB(), nullable=True),
        sa.ForeignKeyConstraint(["row_id"], ["catalogue_rows.id"], name=op.f("catalogue_versions_row_id_fkey")),
        sa.ForeignKeyConstraint(["revision_id"], ["catalogue_revisions.id"], name=op.f("catalogue_versions_revision_id_fkey")),
        sa.PrimaryKeyConstraint("row_id", "number", name=op.f("catalogue_versions_pkey")),
    )
    op.create_index(op.f("catalogue_versions_natural_key_idx"), "catalogue_versions", ["natural_key"])
    op.create_index(op.f("catalogue_versions_revision_id_idx"), "catalogue_versions", ["revision_id"])
    op.add_column("catalogue_revisions", sa.Column("kind", sa.Text(), server_default="seed", nullable=False))
    op.add_column("catalogue_revisions", sa.Column("changed_by", sa.Text(), server_default="gpuplan", nullable=False))
    op.add_column("catalogue_revisions", sa.Column("note", sa.Text(), server_default="", nullable=False))
    for name in ("kind", "changed_by", "note"):
        op.alter_column("catalogue_revisions", name, server_default=None)
    op.alter_column("catalogue_revisions", "seeded_at", new_column_name="changed_at")
    op.create_check_constraint(op.f("catalogue_revisions_kind_check"), "catalogue_revisions", "kind IN ('seed', 'edit', 'import')")
    for table in OLD:
        op.drop_table(table)
    op.add_column("choices", sa.Column("catalogue_revision", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("choices", "catalogue_revision")
    for table, columns in OLD.items():
        op.create_table(
            table, *map(_column, f"{columns} {SHARED}".split()), sa.PrimaryKeyConstraint("natural_key", name=op.f(f"{table}_pkey"))
        )
    op.drop_constraint(op.f("catalogue_revisions_kind_check"), "catalogue_revisions")
    op.alter_column("catalogue_revisions", "changed_at", new_column_name="seeded_at")
    for name in ("kind", "changed_by", "note"):
        op.drop_column("catalogue_revisions", name)
    op.drop_table("catalogue_versions")
    op.drop_table("catalogue_rows")
    op.execute("DELETE FROM catalogue_revisions")


def _column(text: str) -> sa.Column[object]:
    name, _, kind = text.partition(":")
    return sa.Column(name, KINDS[kind[0]], nullable=kind.endswith("?"))
