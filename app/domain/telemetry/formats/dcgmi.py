"""`dcgmi dmon -e …`: left-aligned columns, a two-word label in front, no clock."""

import re
from collections.abc import Iterable, Iterator

from app.domain.telemetry.cleaning import FENCES, cleaned
from app.domain.telemetry.dcgm import COLUMNS
from app.domain.telemetry.format import Block, Format, Rows
from app.domain.telemetry.metrics import Metric
from app.domain.telemetry.rejection import Report
from app.domain.telemetry.rounds import Rounds, Sample
from app.domain.units import ms

ENOUGH = 8
_HEADER = re.compile(rb"^(?:[>\s#]|\x1b\[[0-9;]*m)*Entity\s+\S", re.MULTILINE)
_DELAY = re.compile(r"dcgmi\s+dmon\b.*?\s-d\s*(\d{2,9})\b")
_ROW = re.compile(r"(GPU|GPU-I|GPU-CI|CPU|Switch|NvSwitch)\s+(\d{1,5})(?:\s+(.*))?", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
_PLAIN = re.compile(r"[^a-z0-9]+")


def sniff(head: bytes) -> int:
    """The number of headers, as far as they matter."""
    return min(ENOUGH, sum(1 for _ in _HEADER.finditer(head)))


def parse(blocks: Iterable[Block], report: Report) -> Iterator[Rows]:
    """Row by row; instances of a divided GPU are left out, for their share of the whole is not told."""
    rounds, columns = Rounds(), None
    for block in blocks:
        for at, raw in enumerate(block.text.decode("utf-8", "replace").split("\n"), block.first_line):
            if not raw.strip():
                continue
            line = cleaned(raw)
            if (delay := _DELAY.search(raw)) is not None:
                report.delay_s = ms(float(delay[1]))
                report.skip(at, "telemetry.skipped.command")
            elif line.split()[:1] and line.split()[0].casefold() == "entity":
                columns = tuple(_metric(name) for name in line.split()[1:])
            elif line.casefold() == "id":
                continue
            elif (row := _ROW.fullmatch(line)) is not None:
                _add(rounds, columns, row, at, report)
            else:
                report.skip(at, "telemetry.skipped.fence" if raw.lstrip().startswith(FENCES) else "telemetry.skipped.text")
        if (rows := rounds.rows()) is not None:
            yield rows
    rounds.close()
    if (rows := rounds.rows()) is not None:
        yield rows


def _metric(name: str) -> Metric:
    return COLUMNS.get(name.upper()) or Metric(f"dcgm_{_PLAIN.sub('_', name.casefold()).strip('_')}")


def _add(rounds: Rounds, columns: tuple[Metric, ...] | None, row: "re.Match[str]", line: int, report: Report) -> None:
    cells = (row[3] or "").split()
    if columns is None:
        report.skip(line, "telemetry.skipped.no_header")
    elif row[1].upper() != "GPU":
        report.skip(line, "telemetry.skipped.instance")
    elif len(cells) != len(columns):
        code = "telemetry.skipped.cut" if len(cells) < len(columns) else "telemetry.skipped.too_many"
        report.skip(line, code, have_count=len(cells), want_count=len(columns))
    else:
        values = {metric.key: float(cell) * metric.factor for metric, cell in zip(columns, cells, strict=True) if _NUMBER.fullmatch(cell)}
        rounds.add(Sample(line, int(row[2]), None, values))


FORMAT = Format(key="dcgmi-dmon", sniff=sniff, parse=parse)
