"""What a column measures, whatever format it came from.

A metric's key ends in its unit as the profile prints it (`_pct` 0–100, `_w`, `_c`, `_mhz`, `_mib`, `_mbps` = 10⁶ bytes a second)."""

from dataclasses import dataclass

from app.domain.units import mb, mib

SM = "sm_pct"
MEMORY_BUSY = "mem_pct"
ENCODER = "encoder_pct"
DECODER = "decoder_pct"
POWER = "power_w"
GPU_TEMPERATURE = "gpu_temp_c"
SM_CLOCK = "sm_clock_mhz"
FRAME_BUFFER = "fb_used_mib"
PCIE_RX = "pcie_rx_mbps"
PCIE_TX = "pcie_tx_mbps"
POWER_VIOLATION = "power_violation_pct"
THERMAL_VIOLATION = "thermal_violation_flag"
SM_ACTIVE = "sm_active_pct"
SM_OCCUPANCY = "sm_occupancy_pct"
TENSOR_ACTIVE = "tensor_active_pct"
GRAPHICS_ACTIVE = "graphics_active_pct"
DRAM_ACTIVE = "dram_active_pct"

MIB_PER_S_IN_MBPS = mib(1) / mb(1)  # the profiling columns count MiB/s, the profile MB/s


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and what its cells are multiplied with to stand in the metric's unit."""

    key: str
    factor: float = 1.0


SUFFIX_OF_UNIT = {
    "%": "pct",
    "W": "w",
    "C": "c",
    "MHz": "mhz",
    "MB": "mib",
    "MiB": "mib",
    "MB/s": "mbps",
    "GB/s": "gbps",
    "MiB/s": "mibps",
    "errs": "count",
    "bool": "flag",
}

FRONT = (
    SM,
    MEMORY_BUSY,
    POWER,
    GPU_TEMPERATURE,
    FRAME_BUFFER,
    SM_CLOCK,
    PCIE_RX,
    PCIE_TX,
    TENSOR_ACTIVE,
    DRAM_ACTIVE,
)  # the order in which people read them; the rest follows as the log has it
