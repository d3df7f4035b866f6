"""Prometheus text exposition as dcgm-exporter serves it: one scrape, or several one below the other, with times behind the values or without."""

import re
from collections.abc import Iterable, Iterator

from app.domain.telemetry.dcgm import metric_of
from app.domain.telemetry.format import Block, Format, Rows
from app.domain.telemetry.metrics import FRAME_BUFFER
from app.domain.telemetry.rejection import Report
from app.domain.telemetry.rounds import Rounds, Sample

ENOUGH = 8
GPUS_OF_A_HOST = 32  # numbers left to each host where a paste holds several
_SAMPLE = re.compile(r"(DCGM_(?:FI|EXP)_[A-Z0-9_]+)\{([^}]{0,4000})\}\s+([^\s]+)(?:\s+(\d{1,16}))?")
_LABEL = re.compile(r'\s*([A-Za-z_][A-Za-z0-9_]*)="((?:[^"\\]|\\.)*)"')
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)


def sniff(head: bytes) -> int:
    """The number of samples, as far as they matter."""
    return min(ENOUGH, head.count(b"DCGM_FI_") - head.count(b" DCGM_FI_"))


def parse(blocks: Iterable[Block], report: Report) -> Iterator[Rows]:
    """A scrape ends when a metric of a GPU comes again, or another time. Of a divided GPU the readings of the whole board count."""
    scrape, rounds = Scrape(), Rounds()
    for block in blocks:
        for at, raw in enumerate(block.text.decode("utf-8", "replace").split("\n"), block.first_line):
            line = raw.strip()
            if not line or line.startswith(("# HELP", "# TYPE")):
                continue
            found = _SAMPLE.fullmatch(line)
            if found is None:
                report.skip(at, "telemetry.skipped.text")
            else:
                scrape.take(found, at, rounds, report)
        if (rows := rounds.rows()) is not None:
            yield rows
    scrape.end(rounds)
    rounds.close()
    if (rows := rounds.rows()) is not None:
        yield rows


class Scrape:
    """The samples of one instant, by GPU."""

    def __init__(self) -> None:
        self._cells: dict[int, dict[str, float]] = {}
        self._line: dict[int, int] = {}
        self._clock_s: int | None = None
        self._hosts: dict[str, int] = {}

    def take(self, found: "re.Match[str]", line: int, rounds: Rounds, report: Report) -> None:
        """Takes a sample, and hands the scrape on when it belongs to the next."""
        metric, labels = metric_of(found[1]), dict(_LABEL.findall(found[2]))
        gpu = self._gpu(labels)
        if metric is None:
            return
        if gpu is None or not _NUMBER.fullmatch(found[3]):
            report.skip(line, "telemetry.skipped.not_a_number", have_count=1, want_count=1)
            return
        if labels.get("GPU_I_ID") and (found[1].startswith("DCGM_FI_PROF_") or metric.key == FRAME_BUFFER):
            report.skip(line, "telemetry.skipped.instance")
            return
        clock_s = int(found[4]) // 1000 if found[4] else None
        is_shared = bool(labels.get("GPU_I_ID"))  # every instance repeats what its board reads
        if clock_s != self._clock_s or (metric.key in self._cells.get(gpu, {}) and not is_shared):
            self.end(rounds)
            self._clock_s = clock_s
        self._cells.setdefault(gpu, {})[metric.key] = float(found[3]) * metric.factor
        self._line.setdefault(gpu, line)

    def end(self, rounds: Rounds) -> None:
        """Hands the scrape on."""
        for gpu, cells in self._cells.items():
            rounds.add(Sample(self._line[gpu], gpu, self._clock_s, cells))
        rounds.close()
        self._cells, self._line = {}, {}

    def _gpu(self, labels: dict[str, str]) -> int | None:
        number = labels.get("gpu", "")
        if not (number.isascii() and number.isdigit() and len(number) < 4):
            return None
        host = self._hosts.setdefault(labels.get("Hostname") or labels.get("hostname") or labels.get("instance", ""), len(self._hosts))
        return host * GPUS_OF_A_HOST + int(number)


FORMAT = Format(key="dcgm-exporter", sniff=sniff, parse=parse)
