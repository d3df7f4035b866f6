"""GPUs, servers, links, and which precision runs on which architecture."""

from dataclasses import dataclass
from decimal import Decimal

from app.domain.catalogue.source import Evidence, Source
from app.domain.errors import DataMissing
from app.domain.units import Bytes, BytesPerSecond, FlopsPerSecond, Watts

DESK_SIDE = ("workstation", "tower", "station")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One GPU variant: SXM, PCIe, NVL and laptop parts are different rows. Peaks are dense; accumulate-in-FP16 figures have their own field.

    Every figure is of ONE device as frameworks see it, also where a board carries several (A16, MI250X, Ascend 910C): `board_tdp_w` is the
    datasheet's figure, `tdp_w` the share of one device. What is unknown is None; `unconfirmed_fields` names what rests on weaker evidence than
    the row."""

    slug: str
    name: str
    vendor: str
    architecture: str
    compute_capability: str | None
    market_class: str  # datacenter | consumer | workstation | edge
    form_factor: str | None  # PCIe | SXM2 | SXM4 | SXM5 | SXM6 | OAM | Superchip | module
    slots: str | None
    cooling: str | None  # passive | active | either | liquid
    launched_on: str | None
    memory_marketed_gb: float | None  # for the name only
    memory_usable_bytes: Bytes | None  # what the driver shows; sizing reads this
    memory_usable_measured: bool  # False: derived from the marketed figure by `memory.usable_ratio`
    memory_type: str | None
    memory_bandwidth_bytes_per_s: BytesPerSecond | None
    l2_bytes: Bytes | None
    has_ecc: bool | None
    is_ecc_optional: bool  # off until switched on in the driver
    peak_fp64_dense_flops: FlopsPerSecond | None
    peak_fp64_tensor_dense_flops: FlopsPerSecond | None
    peak_fp32_dense_flops: FlopsPerSecond | None
    peak_tf32_dense_flops: FlopsPerSecond | None
    peak_fp16_dense_flops: FlopsPerSecond | None
    peak_fp16_fp16acc_dense_flops: FlopsPerSecond | None
    peak_bf16_dense_flops: FlopsPerSecond | None
    peak_fp8_dense_flops: FlopsPerSecond | None
    peak_int8_dense_flops: FlopsPerSecond | None
    peak_fp4_dense_flops: FlopsPerSecond | None
    peak_int4_dense_flops: FlopsPerSecond | None
    has_sparsity: bool | None
    peak_fp16_sparse_flops: FlopsPerSecond | None  # what sheets print first; no formula reads it (R-T1)
    nvlink_generation: str | None
    nvlink_bidirectional_bytes_per_s: BytesPerSecond | None  # sum of both directions, as marketed
    has_nvswitch: bool | None
    pcie_generation: str | None
    pcie_lane_count: int | None
    tdp_w: Watts | None  # of one device
    board_tdp_w: Watts | None  # as the datasheet prints it
    power_basis: str | None  # board | module | module with CPU | board of 2 GPUs | board of 4 GPUs
    gpus_per_board_count: int
    idle_w: Watts | None
    idle_factor: str | None = None  # key of the cost factor that idle_w comes from
    mig_max_count: int | None
    has_vgpu: bool | None
    export_control_note: str | None
    power_connector: str | None
    msrp_price_usd: Decimal | None
    msrp_source: str | None
    unconfirmed_fields: tuple[str, ...]
    notes: str
    source: Source

    @property
    def link_kind(self) -> str:
        """How it is linked to its like: NVSwitch, NVLink, another maker's link by name, or PCIe only."""
        if self.nvlink_generation is None:
            return "PCIe"
        if not self.nvlink_generation[0].isdigit():
            return self.nvlink_generation.split()[0]
        return "NVSwitch" if self.has_nvswitch else "NVLink"

    def known_memory_bytes(self) -> Bytes:
        """Usable memory. DataMissing: nobody published it."""
        if self.memory_usable_bytes is None:
            raise DataMissing("catalogue.no_memory", gpu=self.name)
        return self.memory_usable_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A machine that takes GPUs. `max_power_w` is the vendor's figure, or computed from the parts (`server_power`) and marked so in `power_evidence`.

    `max_gpu_count` counts boards or modules: an A16 counts once and brings four GPUs. `unconfirmed_fields` names fields that nobody confirmed;
    `gpu_slugs[l40s]` there means that this machine's support of the L40S is unconfirmed."""

    slug: str
    name: str
    vendor: str
    max_gpu_count: int
    form_factors: tuple[str, ...]
    gpu_slugs: tuple[str, ...]
    gpu_interconnect: str  # NVSwitch | NVLink mesh | NVLink bridge | PCIe switch | PCIe direct | xGMI mesh | …
    cpu_socket_count: int | None
    cpu_options: str
    max_memory_bytes: Bytes | None
    nvme_bay_count: int | None
    pcie_generation: str | None
    rack_units: float | None
    max_power_w: Watts | None
    power_evidence: Evidence | None
    psu: str
    cooling: str  # air | liquid | either
    network_slot_count: int | None
    nic_default: str
    network_bytes_per_s: BytesPerSecond | None  # per node, one direction, of the default compute NICs
    unconfirmed_fields: tuple[str, ...]
    notes: str
    source: Source

    @property
    def is_desk_side(self) -> bool:
        """A workstation or tower: no height in a rack, and so called by its maker."""
        return self.rack_units is None and any(word in self.name.casefold() for word in DESK_SIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An interconnect, NIC, switch, measured collective or storage class."""

    slug: str
    category: str  # pcie | gpu_link | switch | infiniband | ethernet | adapter | measured_allreduce | formula | storage
    name: str
    generation: str | None
    scope: str | None
    lane_or_link_count: int | None
    one_way_bytes_per_s: BytesPerSecond | None
    bidirectional_bytes_per_s: BytesPerSecond | None
    marketed_bidirectional_bytes_per_s: BytesPerSecond | None
    achievable_bytes_per_s: BytesPerSecond | None
    achievable_what: str | None
    efficiency_ratio: float | None
    availability: str | None  # yes | partly | no | end of life | restricted | cloud
    gpu_slugs: tuple[str, ...]
    notes: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionSupport:
    """Whether an architecture computes in a precision, and from which software on."""

    architecture: str
    vendor: str
    compute_capability: str | None
    gpu_slugs: tuple[str, ...]
    precision: str  # fp64 | fp32 | tf32 | fp16 | bf16 | fp8 | int8 | fp4 | int4
    hardware_support: str | None  # matrix | vector | reduced | no; None: unknown
    rate_vs_fp16_ratio: float | None
    weight_only: str | None
    min_cuda: str | None
    last_cuda: str | None
    min_pytorch: str | None
    min_transformer_engine: str | None
    min_vllm: str | None
    min_driver_mig: str | None
    notes: str
    source: Source
