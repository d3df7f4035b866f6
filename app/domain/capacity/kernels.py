"""How long kernels take: matrix products by shape, attention, and what only moves memory."""

from app.domain.capacity.hardware import Hardware, peak_flops
from app.domain.capacity.physics import CUDNN_RATIO, EIGHT_BIT_RATIO, FLASH_RATIO, FLASH_RATIO_UNKNOWN, VECTOR_RATIO, Physics
from app.domain.workload.settings import TrainPrecision

EDGE_COUNT = 64.0  # rows, columns or depth lost to tile edges, wave tails and pipeline fill of a 128 × 256 tile kernel (CUTLASS docs, 2024)
BATCHED_RATIO = 0.5  # batched score products of unfused attention over large matrix products (same paper, standard attention)
COMPUTE_FORMAT = {
    TrainPrecision.FP32: "fp32",
    TrainPrecision.FP16_MIXED: "fp16",
    TrainPrecision.BF16_MIXED: "bf16",
    TrainPrecision.PURE_BF16: "bf16",
    TrainPrecision.FP8_MIXED: "fp8",
    TrainPrecision.MXFP8_MIXED: "fp8",
    TrainPrecision.NVFP4_MIXED: "fp4",
}


def wide_format(precision: TrainPrecision) -> str:
    """The format of products that low-precision recipes leave alone: attention and the output projection."""
    return COMPUTE_FORMAT[precision] if precision in (TrainPrecision.FP32, TrainPrecision.FP16_MIXED) else "bf16"


def matmul_s(rows: float, columns: float, depth: float, sustained_flops: float) -> float:
    """Dense product: 2·m·n·k / sustained rate, each dimension lengthened by the edge that tiles lose."""
    return 2 * rows * columns * depth * (1 + EDGE_COUNT / rows + EDGE_COUNT / columns + EDGE_COUNT / depth) / sustained_flops


def sustained_flops(hardware: Hardware, precision: str, physics: Physics) -> float:
    """Rate that large products keep up: dense peak · sustained share of the generation (R-T1)."""
    share = VECTOR_RATIO if precision == "fp32" else hardware.sustained_ratio
    if precision in ("fp8", "fp4"):
        share *= EIGHT_BIT_RATIO
    return peak_flops(hardware, precision) * min(1.0, share * physics.gemm_ratio)


def flash_ratio(hardware: Hardware, *, is_cudnn: bool = False) -> float:
    """Fused attention over large matrix products on this generation."""
    architecture = hardware.gpu.architecture if hardware.gpu else ""
    plain = FLASH_RATIO.get(architecture, FLASH_RATIO_UNKNOWN)
    return CUDNN_RATIO.get(architecture, plain) if is_cudnn else plain


def flash_flops(hardware: Hardware, precision: str, physics: Physics, *, is_cudnn: bool = False) -> float:
    """Rate of a fused attention kernel."""
    return sustained_flops(hardware, precision, physics) * flash_ratio(hardware, is_cudnn=is_cudnn)


def moving_s(moved_bytes: float, hardware: Hardware, physics: Physics) -> float:
    """Memory-bound work: bytes / (bandwidth · achievable share) (R-T2)."""
    return moved_bytes / (hardware.bandwidth_bytes_per_s * physics.bandwidth_ratio)
