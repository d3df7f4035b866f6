"""`nvidia-smi --query-gpu=… --format=csv`, with units or without, a header once or before every row.

The columns are what the header says; without one they cannot be told apart, and the table is refused."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from app.domain.telemetry import metrics
from app.domain.telemetry.cleaning import FENCES, cleaned
from app.domain.telemetry.format import Block, Format, Rows
from app.domain.telemetry.metrics import SUFFIX_OF_UNIT, Metric
from app.domain.telemetry.rejection import Report
from app.domain.telemetry.rounds import Rounds, Sample

FIELDS = {
    "utilization.gpu": Metric(metrics.SM),
    "utilization.memory": Metric(metrics.MEMORY_BUSY),
    "utilization.encoder": Metric(metrics.ENCODER),
    "utilization.decoder": Metric(metrics.DECODER),
    "utilization.jpeg": Metric("jpeg_pct"),
    "utilization.ofa": Metric("optical_flow_pct"),
    "power.draw": Metric(metrics.POWER),
    "power.draw.average": Metric("power_average_w"),
    "power.draw.instant": Metric("power_instant_w"),
    "temperature.gpu": Metric(metrics.GPU_TEMPERATURE),
    "temperature.memory": Metric("memory_temp_c"),
    "clocks.sm": Metric(metrics.SM_CLOCK),
    "clocks.current.sm": Metric(metrics.SM_CLOCK),
    "clocks.mem": Metric("memory_clock_mhz"),
    "clocks.current.memory": Metric("memory_clock_mhz"),
    "memory.used": Metric(metrics.FRAME_BUFFER),
    "ecc.errors.corrected.volatile.total": Metric("ecc_single_bit_count"),
    "ecc.errors.uncorrected.volatile.total": Metric("ecc_double_bit_count"),
    "clocks_event_reasons.sw_power_cap": Metric(metrics.POWER_VIOLATION, 100.0),  # a flag of the moment: its mean is the share of time
    "clocks_event_reasons.hw_thermal_slowdown": Metric(metrics.THERMAL_VIOLATION),
    "clocks_event_reasons.sw_thermal_slowdown": Metric("software_thermal_flag"),
}
KNOWN = (*FIELDS, "timestamp", "index", "name", "uuid", "pci.bus_id", "pstate", "memory.total", "memory.free", "driver_version")
FLAGS = {"active": 1.0, "not active": 0.0, "enabled": 1.0, "disabled": 0.0}
CLOCKS = ("%Y/%m/%d %H:%M:%S.%f", "%Y/%m/%d %H:%M:%S", "%Y-%m-%d %H:%M:%S", "%m-%d-%Y %H:%M:%S")
COLUMN_LIMIT = 256
ENOUGH = 8
_FIELD = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)(?: \[([^\]]{1,12})\])?")
_NUMBER = re.compile(r"(-?\d+(?:\.\d+)?)(?: ?[A-Za-z%/]+)?")


@dataclass(frozen=True, slots=True)
class Header:
    """Where the columns stand."""

    width: int
    time_at: int | None
    gpu_at: int | None
    board_at: int | None  # tells boards apart where no index does
    columns: tuple[tuple[int, Metric], ...]


def sniff(head: bytes) -> int:
    """The number of headers, as far as they matter."""
    count = 0
    for line in head.decode("utf-8", "replace").splitlines():
        count += "," in line and header_of(_split(line)) is not None
        if count == ENOUGH:
            break
    return count


def parse(blocks: Iterable[Block], report: Report) -> Iterator[Rows]:
    """Row by row; a header that comes again may bring other columns."""
    rounds, header, boards = Rounds(), None, dict[str, int]()
    for block in blocks:
        for at, line in enumerate(block.text.decode("utf-8", "replace").split("\n"), block.first_line):
            if not line.strip():
                continue
            cells = _split(line)
            found = header_of(cells)
            if found is not None:
                header = found
            elif line.lstrip().startswith(FENCES):
                report.skip(at, "telemetry.skipped.fence")
            elif "," not in line and (header is None or header.width > 1):
                report.skip(at, "telemetry.skipped.text")
            elif header is None:
                report.skip(at, "telemetry.skipped.no_header")
            elif len(cells) != header.width:
                code = "telemetry.skipped.cut" if len(cells) < header.width else "telemetry.skipped.too_many"
                report.skip(at, code, have_count=len(cells), want_count=header.width)
            else:
                _add(rounds, header, cells, at, boards, report)
        if (rows := rounds.rows()) is not None:
            yield rows
    rounds.close()
    if (rows := rounds.rows()) is not None:
        yield rows


def header_of(cells: list[str]) -> Header | None:
    """A line of field names, at least one of them known."""
    if not 1 <= len(cells) <= COLUMN_LIMIT:
        return None
    found = [_FIELD.fullmatch(cell) for cell in cells]
    names = [match[1].casefold().replace("clocks_throttle_reasons.", "clocks_event_reasons.") for match in found if match]
    if len(names) != len(cells) or not set(names) & set(FIELDS):
        return None
    where = {name: at for at, name in reversed(list(enumerate(names)))}
    taken: dict[str, int] = {}
    columns = []
    for at, (name, match) in enumerate(zip(names, found, strict=True)):
        metric = _metric(name, (match[2] or "") if match else "")
        if metric is not None and metric.key not in taken:
            taken[metric.key] = at
            columns.append((at, metric))
    board_at = next((where[name] for name in ("uuid", "pci.bus_id") if name in where), None)
    return Header(len(cells), where.get("timestamp"), where.get("gpu", where.get("index")), board_at, tuple(columns))


def _metric(name: str, unit: str) -> Metric | None:
    """A known field, or any other that has a unit, under its own name."""
    if name in FIELDS:
        return FIELDS[name]
    suffix = SUFFIX_OF_UNIT.get(unit)
    return Metric(f"{name.replace('.', '_')}_{suffix}") if suffix else None


def _split(line: str) -> list[str]:
    return [cell.strip() for cell in cleaned(line).split(",")]


def _add(rounds: Rounds, header: Header, cells: list[str], line: int, boards: dict[str, int], report: Report) -> None:
    gpu = _index(header, cells, boards)
    clock = None if header.time_at is None else _clock(cells[header.time_at])
    if gpu is None or (header.time_at is not None and clock is None):
        report.skip(line, "telemetry.skipped.not_a_number", have_count=1 + (header.time_at or 0), want_count=header.width)
        return
    values = {metric.key: value * metric.factor for at, metric in header.columns if (value := _value(cells[at])) is not None}
    rounds.add(Sample(line, gpu, clock, values))


def _index(header: Header, cells: list[str], boards: dict[str, int]) -> int | None:
    if header.gpu_at is not None:
        text = cells[header.gpu_at]
        return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None
    return 0 if header.board_at is None else boards.setdefault(cells[header.board_at], len(boards))


def _value(cell: str) -> float | None:
    if (flag := FLAGS.get(cell.casefold())) is not None:
        return flag
    found = _NUMBER.fullmatch(cell)
    return None if found is None else float(found[1])


def _clock(text: str) -> int | None:
    for form in CLOCKS:
        try:
            return int(datetime.strptime(text, form).replace(tzinfo=UTC).timestamp())  # the host's clock, which names no zone
        except ValueError:
            continue
    try:
        return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())
    except (ValueError, OverflowError):
        return None


FORMAT = Format(key="nvidia-smi-query", sniff=sniff, parse=parse)
