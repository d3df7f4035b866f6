"""The few physical constants of the method, each with its range (10th, 50th, 90th percentile), unit, source and date.

They come from documentation of libraries, kernel benchmarks and papers; within what those leave open, several (sustained share of the peak by
generation, fragmentation, bytes of logits, host times of engines, the widths of ranges) were settled while looking at published measurements.
`METHOD_REVISION` changes whenever one of them or a formula does."""

from dataclasses import dataclass, fields, replace
from functools import cache

from app.domain.catalogue.hardware import Gpu
from app.domain.units import GIB, MIB, as_tflops

METHOD_REVISION = "2026-12-01.9"


@dataclass(frozen=True, slots=True, kw_only=True)
class Physics:
    """One value for each constant: the typical ones by default."""

    # --- memory
    context_bytes: float = 0.45 * GIB  # CUDA context with kernels loaded (PyTorch docs, CUDA memory management, 2024)
    library_bytes: float = 0.5 * GIB  # one NCCL communicator: channels and buffers (NCCL 2.18 user guide, NCCL_BUFFSIZE, 2023)
    fragmentation_ratio: float = 0.08  # cached, unused blocks over allocated in a steady loop (GMLake, arXiv:2401.08156, Fig. 2, 2024)
    activation_ratio: float = 1.0  # live activations over the ones counted from the architecture: framework copies, early frees
    logits_ratio: float = 1.0  # copies of the logits a loss keeps over the counted ones (7–18 bytes an element in frameworks' code, 2025)
    gradient_ratio: float = 1.0  # gradient buffers where 16-bit ones may stay beside their fp32 sum (2 + 4 DeepSpeed, 4 Megatron, 2023)
    in_flight_ratio: float = 1.0  # activations waiting on a pipeline stage over those of a plain 1F1B schedule
    workspace_bytes: float = 32.0 * MIB  # cuBLAS workspace on Hopper, 8 MiB before (CUDA 12 cuBLAS docs, 2023)
    # --- time
    gemm_ratio: float = 1.0  # scales the sustained share of the dense peak, see SUSTAINED
    bandwidth_ratio: float = 0.85  # sequential share of the memory bandwidth (handbook R-T2; BabelStream on A100, H100: 0.85–0.92, 2023)
    elementwise_ratio: float = 1.0  # bytes moved by element-wise kernels over the counted ones: how far a framework fuses
    link_ratio: float = 1.0  # scales the share of a link that collectives reach, see RING_RATIO
    network_ratio: float = 0.85  # collectives between machines over the line rate (ml-engineering network chapter: 0.80–0.90, 2026)
    overlap_ratio: float = 0.75  # share of a pass behind which collectives can hide (PyTorch FSDP, arXiv:2304.11277 §5, 2023)
    host_ratio: float = 1.0  # scales the host times of serving engines, see `engines`: processor speed, versions
    hop_ratio: float = (
        1.0  # scales NETWORK_HOP_S: fabrics differ in latency; width set while looking at nccl-tests on EFA (2026), no datasheet
    )
    queue_ratio: float = 1.0  # scales what a prompt waits for: none where arrivals spread well, twice the mean for the last of a burst
    prefill_ratio: float = (
        1.0  # scales an engine's prefill over vendor libraries; width set while looking at llama.cpp on nine boards (2026)
    )
    imbalance_ratio: float = 1.25  # tokens of the fullest rank of an expert-parallel group over the mean: the capacity that recipes provide (Switch, arXiv:2101.03961 §2.2, 2021)
    kernel_s: float = 10e-6  # host time of one eager PyTorch operator with its launch (PyTorch profiler recipes, 6–14 µs, 2024)


RING_RATIO = 0.79  # ring collective over the one-way NVLink rate through a switch (ml-engineering network chapter: 0.78–0.82, 2026)
BRIDGE_RATIO = 0.4  # the same over a bridge between two cards: few channels (nccl-tests reports, 2024)
IN_SWITCH_RATIO = 1.0  # all-reduce added up by the switch (NVLS) over the one-way rate (Azure benchmarking guide: 0.94–1.07, 2024)
HOP_S = 10e-6  # one step of a pipelined ring with large chunks inside a machine (nccl-tests on DGX A100, 2024)
SMALL_HOP_S = 2.5e-6  # one step of the low-latency protocol (NCCL LL128, same source)
SMALL_BANDWIDTH_RATIO = 0.5  # of the bandwidth, what the low-latency protocol reaches (same source)
NETWORK_HOP_S = 25e-6  # one step between machines (same source)
COLLECTIVE_START_S = 10e-6  # launch and rendezvous of a collective (smallest messages of nccl-tests, 2024)

# Sustained dense matrix product over the dense peak for large square shapes: power and clock limits of the generation.
# Volta, Turing: Jia et al., arXiv:1804.06826 and arXiv:1903.07486; the rest: ml-engineering accelerator chapter, maximum achievable
# matmul FLOPS (A100 0.87, H100 0.80, H200 0.86, B200 0.78, MI300X 0.58), less what long runs lose to clocks, 2025.
SUSTAINED = {
    "Volta": 0.85,
    "Turing": 0.65,
    "Ampere": 0.83,
    "Ada Lovelace": 0.85,
    "Hopper": 0.72,
    "Blackwell": 0.72,
    "Blackwell Ultra": 0.72,
    "CDNA2": 0.65,
    "CDNA3": 0.54,
    "CDNA4": 0.65,
}
GEMV_RATIO = 0.9  # matrix-vector products of single-stream decoding over a plain read (gpt-fast README: 0.72–0.8 of peak bandwidth, 2023)
CACHE_READ_RATIO = 0.75  # attention over a paged cache over a plain read (FlashInfer, arXiv:2501.01005 Fig. 8, 2025)
VECTOR_RATIO = 0.9  # plain fp32 products on the vector units over their peak (Jia et al., arXiv:1804.06826, SGEMM on V100, 2018)
EIGHT_BIT_RATIO = 0.85  # 8- and 4-bit products over the share that 16-bit ones keep (same chapter: H100 fp8 0.71 against 0.80, 2025)
FLASH_RATIO = {  # fused attention over large matrix products: FlashAttention-2 on A100 (arXiv:2307.08691 Fig. 4–6) and H100 (arXiv:2407.08608, 2024)
    "Ampere": 0.6,
    "Hopper": 0.48,
}
CUDNN_RATIO = {
    "Hopper": 0.8
}  # the same for cuDNN's attention, which Transformer Engine runs: 550–600 TFLOPS causal at 8k (arXiv:2407.08608 Fig. 5–6, 2024)
FLASH_RATIO_UNKNOWN = 0.5
SUSTAINED_UNKNOWN = 0.6  # architectures without a published matmul table
STARVED_W_PER_TFLOPS = {  # boards with less power than this for a dense TFLOPS lower their clock below the generation's flagship
    "Hopper": 0.7,  # H100 SXM5 700 W for 989 TFLOPS; H100 PCIe has 0.46 (datasheets, 2023)
    "Ada Lovelace": 0.7,  # L4 has 0.6 (datasheet, 2023)
}


def sustained_ratio(gpu: Gpu) -> float:
    """Share of the dense peak that a large matrix product keeps up, lower on boards whose power limit starves them."""
    ratio = SUSTAINED.get(gpu.architecture, SUSTAINED_UNKNOWN)
    if gpu.architecture == "Blackwell" and (gpu.compute_capability or "").startswith("12"):
        ratio = SUSTAINED["Ada Lovelace"]  # GeForce and RTX PRO: as much power per TFLOPS as the generation before
    peak = gpu.peak_fp16_dense_flops or gpu.peak_bf16_dense_flops
    if not peak or not gpu.tdp_w or gpu.power_basis not in ("board", "module"):
        return ratio
    needed = STARVED_W_PER_TFLOPS.get(gpu.architecture, 0.0)
    available = gpu.tdp_w / as_tflops(peak)
    return ratio * float((available / needed) ** 0.5) if available < needed else ratio


@dataclass(frozen=True, slots=True)
class Spread:
    """How far a constant may lie from its typical value, as factors."""

    low: float
    high: float


MEMORY_SPREAD = {
    "context_bytes": Spread(0.7, 1.6),
    "library_bytes": Spread(0.4, 2.0),
    "fragmentation_ratio": Spread(0.1, 3.0),
    "activation_ratio": Spread(0.75, 1.4),
    "gradient_ratio": Spread(2 / 3, 1.0),
    "in_flight_ratio": Spread(1.0, 1.5),  # 1 + (p − 1)/(p·v) with v chunks a stage: two at least (arXiv:2205.05198 §4.2.3, 2022)
    "logits_ratio": Spread(0.25, 2.2),
}
TIME_SPREAD = {
    "gemm_ratio": Spread(0.72, 1.2),
    "bandwidth_ratio": Spread(0.8, 1.12),
    "elementwise_ratio": Spread(0.5, 2.0),
    "link_ratio": Spread(0.7, 1.15),
    "network_ratio": Spread(0.5, 1.12),
    "overlap_ratio": Spread(0.3, 1.3),
    "host_ratio": Spread(0.5, 2.0),
    "kernel_s": Spread(0.5, 2.0),
    "imbalance_ratio": Spread(0.8, 1.6),  # balanced, and the capacity factor 2 of the same table
    "prefill_ratio": Spread(0.65, 1.4),
    "hop_ratio": Spread(0.4, 3.2),
    "queue_ratio": Spread(0.0, 2.0),
}
TYPICAL = Physics()


@cache
def moved(name: str, factor: float) -> Physics:
    """The typical constants with one of them multiplied."""
    assert name in {field.name for field in fields(Physics)}
    return replace(TYPICAL, **{name: getattr(TYPICAL, name) * factor})
