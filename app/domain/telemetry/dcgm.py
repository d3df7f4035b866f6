"""DCGM fields by their column in `dcgmi dmon` and by their names in exporters, both generations. Source: dcgm_fields.h and dcgm_fields.cpp, 2026-07."""

from app.domain.telemetry import metrics
from app.domain.telemetry.metrics import Metric
from app.domain.units import KILO, as_mb, as_percent

PERCENT = as_percent(1)  # ratios of the profiling fields
BYTES = as_mb(1)  # bytes a second to MB/s
KILOBYTES = as_mb(KILO)

COLUMNS = {
    "GPUTL": Metric(metrics.SM),
    "MCUTL": Metric(metrics.MEMORY_BUSY),
    "ECUTL": Metric(metrics.ENCODER),
    "DCUTL": Metric(metrics.DECODER),
    "POWER": Metric(metrics.POWER),
    "POWINST": Metric("power_instant_w"),
    "TMPTR": Metric(metrics.GPU_TEMPERATURE),
    "MMTMP": Metric("memory_temp_c"),
    "SMCLK": Metric(metrics.SM_CLOCK),
    "MMCLK": Metric("memory_clock_mhz"),
    "FBUSD": Metric(metrics.FRAME_BUFFER),
    "GRACT": Metric(metrics.GRAPHICS_ACTIVE, PERCENT),
    "SMACT": Metric(metrics.SM_ACTIVE, PERCENT),
    "SMOCC": Metric(metrics.SM_OCCUPANCY, PERCENT),
    "TENSO": Metric(metrics.TENSOR_ACTIVE, PERCENT),
    "DRAMA": Metric(metrics.DRAM_ACTIVE, PERCENT),
    "FP64A": Metric("fp64_active_pct", PERCENT),
    "FP32A": Metric("fp32_active_pct", PERCENT),
    "FP16A": Metric("fp16_active_pct", PERCENT),
    "PCITX": Metric(metrics.PCIE_TX, BYTES),
    "PCIRX": Metric(metrics.PCIE_RX, BYTES),
    "NVLTX": Metric("nvlink_tx_mbps", BYTES),
    "NVLRX": Metric("nvlink_rx_mbps", BYTES),
    "TXTPT": Metric("pcie_tx_driver_mbps", KILOBYTES),
    "RXTPT": Metric("pcie_rx_driver_mbps", KILOBYTES),
}
NAMES = {
    "DEV_GPU_UTIL": "GPUTL",
    "DEV_MEM_COPY_UTIL": "MCUTL",
    "DEV_ENC_UTIL": "ECUTL",
    "DEV_DEC_UTIL": "DCUTL",
    "DEV_POWER_USAGE": "POWER",
    "DEV_BOARD_POWER_WATTS": "POWER",
    "DEV_POWER_USAGE_INSTANT": "POWINST",
    "DEV_BOARD_POWER_RAW_WATTS": "POWINST",
    "DEV_GPU_TEMP": "TMPTR",
    "DEV_GPU_TEMP_CELSIUS": "TMPTR",
    "DEV_MEMORY_TEMP": "MMTMP",
    "DEV_MEMORY_TEMP_CELSIUS": "MMTMP",
    "DEV_SM_CLOCK": "SMCLK",
    "DEV_MEM_CLOCK": "MMCLK",
    "DEV_FB_USED": "FBUSD",
    "PROF_GR_ENGINE_ACTIVE": "GRACT",
    "PROF_GR_ENGINE_UTIL_RATIO": "GRACT",
    "PROF_SM_ACTIVE": "SMACT",
    "PROF_SM_UTIL_RATIO": "SMACT",
    "PROF_SM_OCCUPANCY": "SMOCC",
    "PROF_SM_OCCUPANCY_RATIO": "SMOCC",
    "PROF_PIPE_TENSOR_ACTIVE": "TENSO",
    "PROF_TENSOR_UTIL_RATIO": "TENSO",
    "PROF_DRAM_ACTIVE": "DRAMA",
    "PROF_DRAM_UTIL_RATIO": "DRAMA",
    "PROF_PIPE_FP64_ACTIVE": "FP64A",
    "PROF_FP64_UTIL_RATIO": "FP64A",
    "PROF_PIPE_FP32_ACTIVE": "FP32A",
    "PROF_FP32_UTIL_RATIO": "FP32A",
    "PROF_PIPE_FP16_ACTIVE": "FP16A",
    "PROF_FP16_UTIL_RATIO": "FP16A",
    "PROF_PCIE_TX_BYTES": "PCITX",
    "PROF_PCIE_RX_BYTES": "PCIRX",
    "PROF_NVLINK_TX_BYTES": "NVLTX",
    "PROF_NVLINK_RX_BYTES": "NVLRX",
}


def metric_of(name: str) -> Metric | None:
    """The metric of an exporter's name, with or without its prefix; None: it is no reading over time that we use."""
    column = NAMES.get(name.removeprefix("DCGM_FI_"))
    return None if column is None else COLUMNS[column]
