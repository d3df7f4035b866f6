"""The hardware of one estimate, resolved: memory, peaks, the link inside a machine, the network between machines."""

from dataclasses import dataclass
from math import ceil

from app.domain.capacity import physics
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, PrecisionSupport, Server
from app.domain.errors import DataMissing, InvalidInput, message
from app.domain.estimate import Assumption
from app.domain.units import as_gbit_per_s, gb_per_s, gbit_per_s
from app.domain.workload.settings import LinkKind, Task, Workload

NODE_GPU_COUNT = 8  # of the usual HGX, DGX and OAM baseboards
RACK_GPU_COUNT = 72  # GPUs behind one NVLink switch system of GB200/GB300 NVL72 (NVIDIA GB200 NVL72 datasheet, 2024)
QUAD_BRIDGED_SLUGS = ("h200-nvl",)  # four cards under one bridge (H200 NVL datasheet, 2024)
BRIDGED_COUNT = 2  # cards joined by an NVLink bridge (A100 PCIe and H100 PCIe product briefs, 2022)
PCIE_LANE_BYTES_PER_S = {  # one lane, one direction, after line coding (PCI-SIG base specifications 3.0–6.0, 2010–2022)
    "3": gb_per_s(0.985),
    "4": gb_per_s(1.969),
    "5": gb_per_s(3.938),
    "6": gb_per_s(7.563),
}
PCIE_COPY_RATIO = 0.83  # host to device copy over the lane rate (Azure AI-benchmarking-guide, nvbandwidth on ND A100 v4, 2024)
PCIE_PEER_RATIO = 0.65  # ring collective between cards that may read each other across PCIe switches (same source, 2024)
PCIE_HOST_RATIO = (
    0.42  # the same through host memory: GeForce drivers refuse peer access (p2pBandwidthLatencyTest, 11.3 GB/s on Gen4, 2024)
)
USUAL_NETWORK_BYTES_PER_S = {  # per machine, one direction: compute NICs of the generation's DGX (NVIDIA DGX-1V, A100, H100, B200 user guides)
    "Volta": gbit_per_s(4 * 100),
    "Ampere": gbit_per_s(8 * 200),
    "Hopper": gbit_per_s(8 * 400),
    "Blackwell": gbit_per_s(8 * 400),
    "Blackwell Ultra": gbit_per_s(8 * 800),
}
PLAIN_NETWORK_BYTES_PER_S = gbit_per_s(100)  # one 100 Gb/s port, where nothing else is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """What the formulas read about the machines. `gpu` None: only the memory size is known."""

    gpu: Gpu | None
    capacity_bytes: float | None
    link: LinkKind
    link_bytes_per_s: float  # one direction, per GPU, before protocol losses
    link_ratio: float  # usual share of it for ring collectives of this kind of link, over `Physics.link_ratio`
    link_gpu_count: int  # GPUs that reach each other at that rate
    has_in_switch_reduction: bool  # NVLS: the switch adds up, for all-reduce over more than four GPUs
    pcie_bytes_per_s: float  # host to device, one direction
    network_bytes_per_s: float  # per machine, one direction
    gpus_per_node_count: int
    node_count: int
    sustained_ratio: float
    supports: tuple[PrecisionSupport, ...] = ()

    @property
    def bandwidth_bytes_per_s(self) -> float:
        """Memory bandwidth. DataMissing: nobody published it."""
        if self.gpu is None or self.gpu.memory_bandwidth_bytes_per_s is None:
            raise DataMissing("estimate.no_bandwidth", gpu=self.gpu.name if self.gpu else "")
        return self.gpu.memory_bandwidth_bytes_per_s


PEAK_FIELD = {
    "fp64": "peak_fp64_dense_flops",
    "fp32": "peak_fp32_dense_flops",
    "tf32": "peak_tf32_dense_flops",
    "fp16": "peak_fp16_dense_flops",
    "bf16": "peak_bf16_dense_flops",
    "fp8": "peak_fp8_dense_flops",
    "int8": "peak_int8_dense_flops",
    "fp4": "peak_fp4_dense_flops",
}


def peak_flops(hardware: Hardware, precision: str) -> float:
    """Dense peak at a precision, FP32 accumulation (R-T1). DataMissing: the board has none or nobody published it."""
    gpu = hardware.gpu
    value = getattr(gpu, PEAK_FIELD[precision]) if gpu is not None else None
    if value is None:
        raise DataMissing("estimate.no_peak", precision=precision, gpu=gpu.name if gpu else "")
    return float(value)


def resolve_hardware(workload: Workload, catalogue: Catalogue, server: Server | None = None) -> tuple[Hardware, tuple[Assumption, ...]]:
    """The machines of a workload, with what had to be assumed about them. NotFound, InvalidInput: no such GPU, or none for a collective."""
    nodes = workload.node_count
    per_node = ceil(workload.gpu_count / nodes)
    if workload.gpu is None:
        return _memory_only(workload, per_node), ()
    gpu = catalogue.gpu(workload.gpu)
    assumed: list[Assumption] = []
    kind = workload.link or _usual_link(gpu, server)
    if workload.link is None and workload.gpu_count > 1:
        assumed.append(Assumption(field="link", value=kind.value, why=message("assume.link", gpu=gpu.name)))
    rate, ratio, count, reduces = _inside(gpu, kind, server, per_node)
    if workload.has_peer_access and kind is LinkKind.PCIE:
        ratio = PCIE_PEER_RATIO
    network = workload.network_bytes_per_s or (server.network_bytes_per_s if server else None)
    if network is None:
        network = _usual_network(gpu, per_node)
        if nodes > 1:
            why = message("assume.network", gpu=gpu.name)
            assumed.append(Assumption(field="network_gbps", value=as_gbit_per_s(network) / 8, why=why))
    hardware = Hardware(
        gpu=gpu,
        capacity_bytes=workload.gpu_memory_bytes or gpu.memory_usable_bytes,
        link=kind,
        link_bytes_per_s=rate,
        link_ratio=ratio,
        link_gpu_count=count,
        has_in_switch_reduction=reduces and not workload.has_plain_ring,
        pcie_bytes_per_s=pcie_bytes_per_s(gpu) * PCIE_COPY_RATIO,
        network_bytes_per_s=network,
        gpus_per_node_count=per_node,
        node_count=nodes,
        sustained_ratio=physics.sustained_ratio(gpu),
        supports=tuple(row for name in PEAK_FIELD if (row := catalogue.precision(gpu, name)) is not None),
    )
    return hardware, tuple(assumed)


def pcie_bytes_per_s(gpu: Gpu) -> float:
    """One direction of the card's PCIe connection; sixteen lanes of generation 4 where the board does not say."""
    generation = (gpu.pcie_generation or "4").split(".")[0]
    return (gpu.pcie_lane_count or 16) * PCIE_LANE_BYTES_PER_S.get(generation, PCIE_LANE_BYTES_PER_S["4"])


def _usual_network(gpu: Gpu, per_node: int) -> float:
    """Ports of the usual machine; in a rack of superchips every GPU has one of its own."""
    if is_rack(gpu):
        return per_node * USUAL_NETWORK_BYTES_PER_S[gpu.architecture] / NODE_GPU_COUNT
    return USUAL_NETWORK_BYTES_PER_S.get(gpu.architecture, PLAIN_NETWORK_BYTES_PER_S) if _has_baseboard(gpu) else PLAIN_NETWORK_BYTES_PER_S


def is_rack(gpu: Gpu) -> bool:
    """GB200 and GB300: one NVLink domain is a rack."""
    return (gpu.form_factor or "").startswith("Superchip") and gpu.architecture.startswith("Blackwell")


def _has_baseboard(gpu: Gpu) -> bool:
    return (gpu.form_factor or "").startswith(("SXM", "OAM", "Superchip"))


def _usual_link(gpu: Gpu, server: Server | None) -> LinkKind:
    """Baseboard modules come with their fabric, NVL cards with their bridge; others reach each other over PCIe unless the server says that
    bridges are fitted."""
    fabric = server.gpu_interconnect if server else ""
    if gpu.nvlink_bidirectional_bytes_per_s and (
        _has_baseboard(gpu) or "nvl" in gpu.slug.split("-") or "bridge" in fabric.lower() or "nvswitch" in fabric.lower()
    ):
        return LinkKind.NVLINK
    return LinkKind.PCIE


def _inside(gpu: Gpu, kind: LinkKind, server: Server | None, per_node: int) -> tuple[float, float, int, bool]:
    """One-way rate, its usual share, how many GPUs it joins, and whether the switch reduces."""
    pcie = pcie_bytes_per_s(gpu)
    if kind is LinkKind.PCIE:
        return pcie, PCIE_HOST_RATIO if gpu.market_class == "consumer" else PCIE_PEER_RATIO, max(per_node, 1), False
    if not gpu.nvlink_bidirectional_bytes_per_s:
        raise InvalidInput("link", "estimate.no_nvlink", gpu=gpu.name)
    one_way = gpu.nvlink_bidirectional_bytes_per_s / 2
    if is_rack(gpu):
        return one_way, physics.RING_RATIO, RACK_GPU_COUNT, True
    if _has_baseboard(gpu):
        reduces = bool(gpu.has_nvswitch) and gpu.architecture in ("Hopper", "Blackwell", "Blackwell Ultra")
        return one_way, physics.RING_RATIO, NODE_GPU_COUNT, reduces
    bridged = 2 * BRIDGED_COUNT if gpu.slug.startswith(QUAD_BRIDGED_SLUGS) else BRIDGED_COUNT
    fitted = server.max_gpu_count if server and "nvswitch" in server.gpu_interconnect.lower() else bridged
    return one_way, physics.BRIDGE_RATIO, fitted, False


def _memory_only(workload: Workload, per_node: int) -> Hardware:
    """A card of which only the memory is known: memory answers, no speed."""
    if workload.task is Task.COLLECTIVE:
        raise InvalidInput("gpu", "estimate.no_gpu")
    return Hardware(
        gpu=None,
        capacity_bytes=workload.gpu_memory_bytes,
        link=workload.link or LinkKind.PCIE,
        link_bytes_per_s=0.0,
        link_ratio=1.0,
        link_gpu_count=per_node,
        has_in_switch_reduction=False,
        pcie_bytes_per_s=0.0,
        network_bytes_per_s=workload.network_bytes_per_s or PLAIN_NETWORK_BYTES_PER_S,
        gpus_per_node_count=per_node,
        node_count=workload.node_count,
        sustained_ratio=1.0,
    )
