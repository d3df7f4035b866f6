"""GPUs, servers, links and precision support."""

from decimal import Decimal

from sqlalchemy import Numeric
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base
from app.db.models.catalogue import Fact, texts


class GpuModel(Fact, Base):
    """A GPU variant."""

    __tablename__ = "gpus"

    slug: Mapped[str]
    name: Mapped[str]
    vendor: Mapped[str]
    architecture: Mapped[str]
    compute_capability: Mapped[str | None]
    market_class: Mapped[str]
    form_factor: Mapped[str | None]
    slots: Mapped[str | None]
    cooling: Mapped[str | None]
    launched_on: Mapped[str | None]
    memory_marketed_gb: Mapped[float | None]
    memory_usable_bytes: Mapped[float | None]
    memory_usable_measured: Mapped[bool]
    memory_type: Mapped[str | None]
    memory_bandwidth_bytes_per_s: Mapped[float | None]
    l2_bytes: Mapped[float | None]
    has_ecc: Mapped[bool | None]
    is_ecc_optional: Mapped[bool]
    peak_fp64_dense_flops: Mapped[float | None]
    peak_fp64_tensor_dense_flops: Mapped[float | None]
    peak_fp32_dense_flops: Mapped[float | None]
    peak_tf32_dense_flops: Mapped[float | None]
    peak_fp16_dense_flops: Mapped[float | None]
    peak_fp16_fp16acc_dense_flops: Mapped[float | None]
    peak_bf16_dense_flops: Mapped[float | None]
    peak_fp8_dense_flops: Mapped[float | None]
    peak_int8_dense_flops: Mapped[float | None]
    peak_fp4_dense_flops: Mapped[float | None]
    peak_int4_dense_flops: Mapped[float | None]
    has_sparsity: Mapped[bool | None]
    peak_fp16_sparse_flops: Mapped[float | None]
    nvlink_generation: Mapped[str | None]
    nvlink_bidirectional_bytes_per_s: Mapped[float | None]
    has_nvswitch: Mapped[bool | None]
    pcie_generation: Mapped[str | None]
    pcie_lane_count: Mapped[int | None]
    tdp_w: Mapped[float | None]
    board_tdp_w: Mapped[float | None]
    power_basis: Mapped[str | None]
    gpus_per_board_count: Mapped[int]
    idle_w: Mapped[float | None]
    idle_factor: Mapped[str | None]
    mig_max_count: Mapped[int | None]
    has_vgpu: Mapped[bool | None]
    export_control_note: Mapped[str | None]
    power_connector: Mapped[str | None]
    msrp_price_usd: Mapped[Decimal | None] = mapped_column(Numeric())
    msrp_source: Mapped[str | None]
    unconfirmed_fields: Mapped[list[str]] = texts()
    notes: Mapped[str]


class ServerModel(Fact, Base):
    """A machine that takes GPUs."""

    __tablename__ = "servers"

    slug: Mapped[str]
    name: Mapped[str]
    vendor: Mapped[str]
    max_gpu_count: Mapped[int]
    form_factors: Mapped[list[str]] = texts()
    gpu_slugs: Mapped[list[str]] = texts()
    gpu_interconnect: Mapped[str]
    cpu_socket_count: Mapped[int | None]
    cpu_options: Mapped[str]
    max_memory_bytes: Mapped[float | None]
    nvme_bay_count: Mapped[int | None]
    pcie_generation: Mapped[str | None]
    rack_units: Mapped[float | None]
    max_power_w: Mapped[float | None]
    power_evidence: Mapped[str | None]
    psu: Mapped[str]
    cooling: Mapped[str]
    network_slot_count: Mapped[int | None]
    nic_default: Mapped[str]
    network_bytes_per_s: Mapped[float | None]
    unconfirmed_fields: Mapped[list[str]] = texts()
    notes: Mapped[str]


class LinkModel(Fact, Base):
    """An interconnect, adapter, switch or storage class."""

    __tablename__ = "links"

    slug: Mapped[str]
    category: Mapped[str]
    name: Mapped[str]
    generation: Mapped[str | None]
    scope: Mapped[str | None]
    lane_or_link_count: Mapped[int | None]
    one_way_bytes_per_s: Mapped[float | None]
    bidirectional_bytes_per_s: Mapped[float | None]
    marketed_bidirectional_bytes_per_s: Mapped[float | None]
    achievable_bytes_per_s: Mapped[float | None]
    achievable_what: Mapped[str | None]
    efficiency_ratio: Mapped[float | None]
    availability: Mapped[str | None]
    gpu_slugs: Mapped[list[str]] = texts()
    notes: Mapped[str]


class PrecisionSupportModel(Fact, Base):
    """Whether an architecture computes in a precision."""

    __tablename__ = "precision_support"

    architecture: Mapped[str]
    vendor: Mapped[str]
    compute_capability: Mapped[str | None]
    gpu_slugs: Mapped[list[str]] = texts()
    precision: Mapped[str]
    hardware_support: Mapped[str | None]
    rate_vs_fp16_ratio: Mapped[float | None]
    weight_only: Mapped[str | None]
    min_cuda: Mapped[str | None]
    last_cuda: Mapped[str | None]
    min_pytorch: Mapped[str | None]
    min_transformer_engine: Mapped[str | None]
    min_vllm: Mapped[str | None]
    min_driver_mig: Mapped[str | None]
    notes: Mapped[str]
