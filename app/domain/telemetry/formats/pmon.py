"""`nvidia-smi pmon`: a row a process. What the processes of a GPU do in one round is added up; a GPU nobody uses prints dashes."""

import re
from collections.abc import Iterable, Iterator

from app.domain.telemetry import metrics
from app.domain.telemetry.cleaning import FENCES, cleaned
from app.domain.telemetry.format import Block, Format, Rows
from app.domain.telemetry.rejection import Report
from app.domain.telemetry.rounds import Rounds, Sample

ENOUGH = 8
COLUMNS = {
    "sm": metrics.SM,
    "mem": metrics.MEMORY_BUSY,
    "enc": metrics.ENCODER,
    "dec": metrics.DECODER,
    "jpg": "jpeg_pct",
    "ofa": "optical_flow_pct",
    "fb": metrics.FRAME_BUFFER,
    "ccpm": "protected_used_mib",
}
SHARES = frozenset(COLUMNS.values()) - {metrics.FRAME_BUFFER, "protected_used_mib"}
WHOLE_PCT = 100.0
_HEADER = re.compile(rb"^(?:[>\s]|\x1b\[[0-9;]*m)*#\s*(?:Date\s+Time\s+|Time\s+)?gpu\s+pid\s+type\b", re.MULTILINE | re.IGNORECASE)


def sniff(head: bytes) -> int:
    """The number of headers, as far as they matter."""
    return min(ENOUGH, sum(1 for _ in _HEADER.finditer(head)))


def parse(blocks: Iterable[Block], report: Report) -> Iterator[Rows]:
    """Rows of one GPU that follow each other are one round, until a process comes again."""
    reader = Reader(report)
    for block in blocks:
        for at, raw in enumerate(block.text.decode("utf-8", "replace").split("\n"), block.first_line):
            if raw.strip():
                reader.take(raw, at)
        if (rows := reader.rounds.rows()) is not None:
            yield rows
    reader.end()
    reader.rounds.close()
    if (rows := reader.rounds.rows()) is not None:
        yield rows


class Reader:
    """The processes of the GPU that is being read."""

    def __init__(self, report: Report) -> None:
        self.report, self.rounds = report, Rounds()
        self._names: list[str] = []
        self._gpu: int | None = None
        self._line = 0
        self._processes: set[str] = set()
        self._cells: dict[str, float] = {}

    def take(self, raw: str, line: int) -> None:
        """One line of the log."""
        words = cleaned(raw).split()
        names = [word.casefold() for word in words]
        if {"gpu", "pid", "type"} <= set(names[:6]):
            self._names = names
        elif not words or "idx" in names[:3]:
            return
        elif raw.lstrip().startswith(FENCES):
            self.report.skip(line, "telemetry.skipped.fence")
        elif not self._names:
            self.report.skip(line, "telemetry.skipped.no_header" if words[0].isdigit() else "telemetry.skipped.text")
        else:
            self._row(words, line)

    def _row(self, words: list[str], line: int) -> None:
        at = self._names.index("gpu")
        last = len(self._names) - 1  # the command, which may hold blanks
        if len(words) < last or not (words[at].isascii() and words[at].isdigit() and len(words[at]) < 6):
            code = "telemetry.skipped.text" if not words[0][:1].isdigit() else "telemetry.skipped.cut"
            self.report.skip(line, code, **({} if code.endswith("text") else {"have_count": len(words), "want_count": last + 1}))
            return
        gpu, process = int(words[at]), words[self._names.index("pid")]
        if gpu != self._gpu or process in self._processes:
            self.end()
            self._gpu, self._line = gpu, line
        self._processes.add(process)
        for name, word in zip(self._names, words, strict=False):
            if name in COLUMNS and word.isascii() and word.isdigit():
                self._cells[COLUMNS[name]] = self._cells.get(COLUMNS[name], 0.0) + float(word)

    def end(self) -> None:
        """The GPU is read: shares of one engine add up to all of it at most."""
        if self._gpu is not None:
            cells = {key: min(value, WHOLE_PCT) if key in SHARES else value for key, value in self._cells.items()}
            self.rounds.add(Sample(self._line, self._gpu, None, cells))
        self._processes, self._cells = set(), {}


FORMAT = Format(key="nvidia-smi-pmon", sniff=sniff, parse=parse)
