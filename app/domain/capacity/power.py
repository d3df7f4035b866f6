"""Average power of one GPU while it works, from what it is busy with."""

from app.domain.capacity.hardware import Hardware

COMPUTE_SHARE = 0.95  # of the board limit in large matrix products (MLPerf power submissions on A100 and H100, 2023)
MEMORY_SHARE = 0.70  # in memory-bound kernels (same)
WAITING_SHARE = 0.45  # in collectives and bubbles, where kernels spin (same)


def average_w(hardware: Hardware, compute_s: float, memory_s: float, waiting_s: float) -> float | None:
    """Board limit · Σ share of time · share of the limit; None where the limit is unknown."""
    gpu = hardware.gpu
    total = compute_s + memory_s + waiting_s
    if gpu is None or not gpu.tdp_w or total <= 0:
        return None
    board = gpu.tdp_w / gpu.gpus_per_board_count if gpu.power_basis == "board of 4 GPUs" else gpu.tdp_w
    return board * (compute_s * COMPUTE_SHARE + memory_s * MEMORY_SHARE + waiting_s * WAITING_SHARE) / total
