"""The few physical constants of the method, each with its range (10th, 50th, 90th percentile), unit, source and date.

None is fitted to a published result that the accuracy table scores: they come from datasheets of libraries, kernel benchmarks and papers.
`METHOD_REVISION` changes whenever one of them or a formula does."""

from dataclasses import dataclass, fields, replace

from app.domain.catalogue.hardware import Gpu
from app.domain.units import as_tflops

METHOD_REVISION = "2026-12-01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Physics:
    """One value for each constant: the typical ones by default."""

    # --- memory
    context_bytes: float = (
        0.45 * 2**30
    )  # CUDA context with kernels loaded, PyTorch on sm_80/90; nvidia-smi minus reserved (PyTorch docs "CUDA semantics: memory management", 2024)
    library_bytes: float = (
        0.55 * 2**30
    )  # NCCL channels and buffers of the first communicators of a multi-GPU process (NCCL 2.18 user guide, NCCL_BUFFSIZE 4 MiB × channels × peers, 2023)
    fragmentation_ratio: float = (
        0.04  # cached but unused blocks over allocated, steady training loop (GMLake, arXiv:2401.08156, Fig. 2: 2–30 %, 2024)
    )
    activation_ratio: float = 1.0  # live activations over the ones counted from the architecture; framework copies and early frees
    workspace_bytes: float = 32 * 2**20  # cuBLAS workspace Hopper 32 MiB, others 8 MiB (CUDA 12 cuBLAS docs, cublasSetWorkspace, 2023)
    # --- time
    gemm_ratio: float = 1.0  # scales the sustained share of the dense peak, see `hardware.SUSTAINED`
    bandwidth_ratio: float = 0.85  # sequential share of the memory bandwidth (handbook R-T2; BabelStream on A100 and H100 0.85–0.92, 2023)
    elementwise_ratio: float = 1.0  # passes over memory of unfused element-wise kernels against the counted ones
    link_ratio: float = 1.0  # scales the share of a link that collectives reach, see `RING_RATIO`
    network_ratio: float = 0.85  # the same between machines (80–90 %, 2026)
    overlap_ratio: float = 0.75  # share of the backward pass behind which gradient collectives can hide
    kernel_s: float = 4.5e-6  # one kernel launch on the device side, CUDA graphs off (NVIDIA "CUDA graphs" blog: 2.2–9.6 µs, 2019)


RING_RATIO = 0.79  # ring collective over the one-way rate of NVLink through a switch (ml-engineering network chapter: 78–82 %, 2026)
BRIDGE_RATIO = 0.5  # the same over a bridge between two cards: few channels (nccl-tests reports, 2024)
IN_SWITCH_RATIO = 1.0  # all-reduce with the switch adding up (NVLS) over the same rate (NCCL 2.18 release notes; Azure benchmarking guide: 0.94–1.07, 2024)
HOP_S = 10e-6  # one step of a pipelined ring with large chunks inside a machine (nccl-tests on DGX A100, 2024)
SMALL_HOP_S = 2.5e-6  # one step of the low-latency protocol (NCCL LL128; same source)
SMALL_BANDWIDTH_RATIO = 0.5  # of the bandwidth that the low-latency protocol reaches
NETWORK_HOP_S = 25e-6  # one step between machines
COLLECTIVE_START_S = 10e-6  # launch and rendezvous of a collective (nccl-tests smallest messages, 2024)


# Sustained dense matrix product over the dense peak for large square shapes: power and clock limits of the generation.
# Volta, Turing: Jia et al., arXiv:1804.06826 and arXiv:1903.07486; Ampere, Hopper, Blackwell: ml-engineering "accelerator" chapter,
# maximum achievable matmul FLOPS table (2025); consumer boards: same method on GeForce (2024).
SUSTAINED = {
    "Volta": 0.75,
    "Turing": 0.65,
    "Ampere": 0.85,
    "Ada Lovelace": 0.85,
    "Hopper": 0.78,
    "Blackwell": 0.76,
    "Blackwell Ultra": 0.76,
    "CDNA2": 0.65,
    "CDNA3": 0.54,
    "CDNA4": 0.65,
}
SUSTAINED_UNKNOWN = 0.6  # architectures without a published matmul table
STARVED_W_PER_TFLOPS = 0.5  # boards with less power than this for a dense TFLOPS lower their clock (H100 PCIe, L4), 2024


def sustained_ratio(gpu: Gpu) -> float:
    """Share of the dense peak that a large matrix product keeps up, lower on boards whose power limit starves them."""
    ratio = SUSTAINED.get(gpu.architecture, SUSTAINED_UNKNOWN)
    peak = gpu.peak_fp16_dense_flops or gpu.peak_bf16_dense_flops
    if not peak or not gpu.tdp_w or gpu.power_basis not in ("board", "module"):
        return ratio
    available = gpu.tdp_w / as_tflops(peak)
    return ratio * min(1.0, (available / STARVED_W_PER_TFLOPS) ** 0.5) if available < STARVED_W_PER_TFLOPS else ratio


@dataclass(frozen=True, slots=True)
class Spread:
    """How far a constant may lie from its typical value, as factors."""

    low: float
    high: float


MEMORY_SPREAD = {
    "context_bytes": Spread(0.7, 1.6),
    "library_bytes": Spread(0.4, 2.0),
    "fragmentation_ratio": Spread(0.3, 3.0),
    "activation_ratio": Spread(0.88, 1.15),
}
TIME_SPREAD = {
    "gemm_ratio": Spread(0.82, 1.12),
    "bandwidth_ratio": Spread(0.88, 1.06),
    "elementwise_ratio": Spread(0.7, 1.5),
    "link_ratio": Spread(0.75, 1.12),
    "network_ratio": Spread(0.6, 1.1),
    "overlap_ratio": Spread(0.5, 1.25),
    "kernel_s": Spread(0.6, 1.8),
}
TYPICAL = Physics()


def moved(name: str, factor: float) -> Physics:
    """The typical constants with one of them multiplied."""
    assert name in {field.name for field in fields(Physics)}
    return replace(TYPICAL, **{name: getattr(TYPICAL, name) * factor})
