"""Monitors of other vendors' accelerators: `amd-smi monitor` and `npu-smi info watch`. One header, then rows whose cells may carry units.

`amd-smi` separates a number from its unit by a blank; `npu-smi` has blanks in its header and none in its rows."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.domain.telemetry import metrics
from app.domain.telemetry.cleaning import FENCES, cleaned
from app.domain.telemetry.format import Block, Format, Rows
from app.domain.telemetry.metrics import Metric
from app.domain.telemetry.rejection import Report
from app.domain.telemetry.rounds import Rounds, Sample
from app.domain.units import as_mib, gib

ENOUGH = 8
CHIPS_OF_A_BOARD = 64  # numbers left to each chip where a board carries several
AMD = {
    "POWER": Metric(metrics.POWER),
    "GPU_T": Metric(metrics.GPU_TEMPERATURE),
    "MEM_T": Metric("memory_temp_c"),
    "GFX_CLK": Metric(metrics.SM_CLOCK),
    "MEM_CLOCK": Metric("memory_clock_mhz"),
    "GFX%": Metric(metrics.SM),
    "MEM%": Metric(metrics.MEMORY_BUSY),
    "ENC%": Metric(metrics.ENCODER),
    "DEC%": Metric(metrics.DECODER),
    "VRAM_USAGE": Metric(metrics.FRAME_BUFFER, as_mib(gib(1))),
}
NPU = {
    "PWR(W)": Metric(metrics.POWER),
    "TEMP(C)": Metric(metrics.GPU_TEMPERATURE),
    "AI CORE(%)": Metric(metrics.SM),
    "AI CUBE(%)": Metric(metrics.TENSOR_ACTIVE),
    "NPU UTIL(%)": Metric("npu_busy_pct"),
    "MEMORY BW(%)": Metric(metrics.MEMORY_BUSY),
    "MEMORY(%)": Metric("memory_held_pct"),
    "AI CPU(%)": Metric("ai_cpu_pct"),
    "CTRL CPU(%)": Metric("control_cpu_pct"),
}
_AMD_HEADER = re.compile(rb"^(?:[>\s]|\x1b\[[0-9;]*m)*(?:TIMESTAMP\s+)?GPU\s+(?:XCP\s+)?POWER\s+GPU_T\b", re.MULTILINE)
_NPU_HEADER = re.compile(rb"^(?:[>\s]|\x1b\[[0-9;]*m)*NpuID\(Idx\)\s+ChipId\(Idx\)", re.MULTILINE)
_CELL = re.compile(r"N/A|(-?\d+(?:\.\d+)?)(?:\s*/\s*\d+(?:\.\d+)?)?(?:\s*(?:W|°C|C|MHz|%|GB|MB)(?![\w/]))?")
_NPU_NAME = re.compile(r"[A-Za-z][A-Za-z ]*\([^)]{1,8}\)")


@dataclass(frozen=True, slots=True)
class Table:
    """What one vendor's header means. `part` numbers the chips of a board, or the partitions of a GPU."""

    key: str
    header: "re.Pattern[bytes]"
    gpu: str
    part: str
    columns: dict[str, Metric]
    time: str = ""

    def names(self, line: str) -> list[str] | None:
        """The columns of a header line; None: it is none."""
        if self.header.match(line.encode()) is None:
            return None
        return [name.upper() for name in (_NPU_NAME.findall(line) or line.split())]


def reader_of(table: Table) -> Format:
    """The format of a vendor's table."""

    def sniff(head: bytes) -> int:
        return min(ENOUGH, sum(1 for _ in table.header.finditer(head)))

    def parse(blocks: Iterable[Block], report: Report) -> Iterator[Rows]:
        rounds, names = Rounds(), None
        for block in blocks:
            for at, raw in enumerate(block.text.decode("utf-8", "replace").split("\n"), block.first_line):
                line = cleaned(raw)
                if not line:
                    continue
                if (found := table.names(line)) is not None:
                    names = found
                elif raw.lstrip().startswith(FENCES):
                    report.skip(at, "telemetry.skipped.fence")
                elif names is None or not line[0].isdigit():
                    report.skip(at, "telemetry.skipped.text")
                else:
                    _row(table, names, line, at, rounds, report)
            if (rows := rounds.rows()) is not None:
                yield rows
        rounds.close()
        if (rows := rounds.rows()) is not None:
            yield rows

    return Format(key=table.key, sniff=sniff, parse=parse)


def _row(table: Table, names: list[str], line: str, at: int, rounds: Rounds, report: Report) -> None:
    cells = [found[1] for found in _CELL.finditer(line)]
    if len(cells) != len(names):
        code = "telemetry.skipped.cut" if len(cells) < len(names) else "telemetry.skipped.too_many"
        report.skip(at, code, have_count=len(cells), want_count=len(names))
        return
    row = dict(zip(names, cells, strict=True))
    gpu, part = row.get(table.gpu), row.get(table.part) or "0"
    if gpu is None or not gpu.isdigit() or len(gpu) > 4 or not part.isdigit() or len(part) > 3:
        report.skip(at, "telemetry.skipped.not_a_number", have_count=1, want_count=len(names))
        return
    time = row.get(table.time)
    clock = int(float(time)) if time is not None and len(time) < 14 else None
    values = {metric.key: float(cell) * metric.factor for name, metric in table.columns.items() if (cell := row.get(name)) is not None}
    rounds.add(Sample(at, int(gpu) + CHIPS_OF_A_BOARD * int(part), clock, values))


AMD_SMI = reader_of(Table("amd-smi-monitor", _AMD_HEADER, "GPU", "XCP", AMD, "TIMESTAMP"))
NPU_SMI = reader_of(Table("npu-smi-watch", _NPU_HEADER, "NPUID(IDX)", "CHIPID(IDX)", NPU))
