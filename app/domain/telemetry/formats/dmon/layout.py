"""Header lines: which columns a table has, in which order. Columns follow the letters after `-s`, so only the header knows."""

import re
from dataclasses import dataclass

from app.domain.telemetry import metrics
from app.domain.telemetry.metrics import MIB_PER_S_IN_MBPS, SUFFIX_OF_UNIT, Metric

COLUMNS = {
    "pwr": Metric(metrics.POWER),
    "temp": Metric(metrics.GPU_TEMPERATURE),  # drivers before 4xx
    "gtemp": Metric(metrics.GPU_TEMPERATURE),
    "mtemp": Metric("memory_temp_c"),
    "sm": Metric(metrics.SM),
    "mem": Metric(metrics.MEMORY_BUSY),
    "enc": Metric(metrics.ENCODER),
    "dec": Metric(metrics.DECODER),
    "jpg": Metric("jpeg_pct"),
    "ofa": Metric("optical_flow_pct"),
    "mclk": Metric("memory_clock_mhz"),
    "pclk": Metric(metrics.SM_CLOCK),
    "pviol": Metric(metrics.POWER_VIOLATION),
    "tviol": Metric(metrics.THERMAL_VIOLATION),
    "fb": Metric(metrics.FRAME_BUFFER),
    "bar1": Metric("bar1_used_mib"),
    "ccpm": Metric("protected_used_mib"),
    "sbecc": Metric("ecc_single_bit_count"),
    "dbecc": Metric("ecc_double_bit_count"),
    "pci": Metric("pcie_replay_count"),
    "rxpci": Metric(metrics.PCIE_RX),
    "txpci": Metric(metrics.PCIE_TX),
    "gract": Metric(metrics.GRAPHICS_ACTIVE),
    "smutil": Metric(metrics.SM_ACTIVE),
    "smocc": Metric(metrics.SM_OCCUPANCY),
    "mmaact": Metric(metrics.TENSOR_ACTIVE),
    "dram": Metric(metrics.DRAM_ACTIVE),
    "fp64": Metric("fp64_active_pct"),
    "fp32": Metric("fp32_active_pct"),
    "fp16": Metric("fp16_active_pct"),
    "pcitx": Metric("pcie_tx_profiled_mbps", MIB_PER_S_IN_MBPS),
    "pcirx": Metric("pcie_rx_profiled_mbps", MIB_PER_S_IN_MBPS),
}
DATE, TIME, GPU = "date", "time", "gpu"
_FOREIGN = frozenset({"pid", "command", "uid", "entity", "timestamp"})  # pmon and others that also begin with "# gpu"
_UNIT_WORDS = frozenset({"idx", "yyyymmdd", "hh:mm:ss"})
_NAME = re.compile(r"[a-z][a-z0-9_./%-]{0,31}")
_PLAIN = re.compile(r"[^a-z0-9]+")
COLUMN_LIMIT = 256


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table: `names` as printed, in order, date, time and gpu among them."""

    names: tuple[str, ...]
    units: tuple[str, ...]  # empty until the unit line was seen

    @property
    def date_at(self) -> int | None:
        """Position of the date, if the log has one."""
        return self.names.index(DATE) if DATE in self.names else None

    @property
    def time_at(self) -> int | None:
        """Position of the time of day, if the log has one."""
        return self.names.index(TIME) if TIME in self.names else None

    @property
    def gpu_at(self) -> int:
        """Position of the GPU index."""
        return self.names.index(GPU)

    def metrics(self) -> dict[int, Metric]:
        """The metric of each column. Unknown columns keep their name, with the unit of the unit line behind it."""
        found: dict[int, Metric] = {}
        taken: set[str] = set()
        for position, name in enumerate(self.names):
            if name in (DATE, TIME, GPU):
                continue
            metric = COLUMNS.get(name) or Metric(self._own_name(position))
            if metric.key in taken:  # the same column twice, as -s pp prints it: the first stands
                metric = Metric(f"{metric.key}_{position}", metric.factor)
            taken.add(metric.key)
            found[position] = metric
        return found

    def _own_name(self, position: int) -> str:
        name = _PLAIN.sub("_", self.names[position]).strip("_") or "unnamed"
        unit = self.units[position].removeprefix("GPM:") if self.units else ""
        suffix = SUFFIX_OF_UNIT.get(unit)
        key = f"{name}_{suffix}" if suffix else name
        return f"column_{key}" if any(key == known.key for known in COLUMNS.values()) else key


def read_header(cells: list[str]) -> Layout | None:
    """The layout of a line of column names, or None when it is no such line: "gpu" first, after a date or a time, and known names behind."""
    names = [cell.lower() for cell in cells[: COLUMN_LIMIT + 1]]
    head = names[:3]
    if GPU not in head or not set(head[: head.index(GPU)]) <= {DATE, TIME}:
        return None
    columns = names[head.index(GPU) + 1 :]
    if not columns or len(cells) > COLUMN_LIMIT or not all(_NAME.fullmatch(name) for name in columns) or GPU in columns:
        return None
    known = sum(name in COLUMNS for name in columns)
    if _FOREIGN & set(columns) or known * 2 < len(columns):
        return None
    return Layout(tuple(names), ())


def is_foreign_header(cells: list[str]) -> bool:
    """Whether the line heads a table of another tool: the rows behind it are not ours."""
    names = {cell.lower() for cell in cells[:16]}
    return (
        len(cells) >= 3
        and cells[0].lower() in (GPU, "entity", "id", "index", "name", "timestamp")
        and bool(names & _FOREIGN or {"pid", "type"} <= names or any("[" in name for name in names))
    )


def read_units(cells: list[str]) -> tuple[str, ...] | None:
    """The unit line under a header ("Idx W C % …"), or None."""
    if not cells or not {cell.lower() for cell in cells[:3]} & _UNIT_WORDS:
        return None
    return tuple(cells)
