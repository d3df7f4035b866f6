"""The names of metrics, as axes and tables print them."""

from collections.abc import Mapping

from app.domain.errors import message
from app.domain.telemetry import metrics
from app.text.render import render


def metric_name(metric: str, locale: str) -> str:
    """A metric with its unit, as axes and tables print it; an unknown one by its own name."""
    known: Mapping[str, str] = NAMES
    return render(message(known[metric]), locale) if metric in known else metric


NAMES = {
    name: f"metric.{name}"
    for name in (
        metrics.SM,
        metrics.MEMORY_BUSY,
        metrics.POWER,
        metrics.GPU_TEMPERATURE,
        metrics.FRAME_BUFFER,
        metrics.SM_CLOCK,
        metrics.PCIE_RX,
        metrics.PCIE_TX,
        metrics.ENCODER,
        metrics.DECODER,
        metrics.POWER_VIOLATION,
        metrics.THERMAL_VIOLATION,
        metrics.TENSOR_ACTIVE,
        metrics.DRAM_ACTIVE,
        metrics.SM_ACTIVE,
        metrics.SM_OCCUPANCY,
        metrics.GRAPHICS_ACTIVE,
        "memory_temp_c",
        "nvlink_tx_mbps",
        "nvlink_rx_mbps",
        "power_instant_w",
        "npu_busy_pct",
        "memory_held_pct",
        "ai_cpu_pct",
        "control_cpu_pct",
        "memory_clock_mhz",
        "bar1_used_mib",
        "protected_used_mib",
        "jpeg_pct",
        "optical_flow_pct",
        "pcie_replay_count",
        "ecc_single_bit_count",
        "ecc_double_bit_count",
        "fp64_active_pct",
        "fp32_active_pct",
        "fp16_active_pct",
        "pcie_tx_profiled_mbps",
        "pcie_rx_profiled_mbps",
    )
}
