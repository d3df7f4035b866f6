"""A stretch of lines under one layout: what `fixed` verifies is taken at once, every other line singly."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.domain.telemetry.format import Rows
from app.domain.telemetry.formats.dmon.collapsed import is_collapsed, uncollapsed
from app.domain.telemetry.formats.dmon.fixed import Alignment, alignment, read_rows
from app.domain.telemetry.formats.dmon.layout import Layout
from app.domain.telemetry.formats.dmon.lines import Header, Noise, Row, Units, read_line
from app.domain.telemetry.rejection import Report
from app.domain.units import days

HEADER_EVERY = 44  # data rows between two headers of one log


@dataclass(slots=True)
class State:
    """What is carried from line to line."""

    report: Report
    worth_aligning: int  # lines of one width that pay for a new alignment
    alignment_limit: int
    layout: Layout | None = None
    alignments: dict[int, Alignment] = field(default_factory=dict)  # by width
    header_line: bytes | None = None
    unit_line: bytes | None = None
    since_header: int = 0  # rows since the last header
    elided: bool = False  # rows were left out since the last header
    starts_log: bool = False  # the next row begins another log


class Window:
    """Some lines under one layout. `run` ends early at a line that changes the layout."""

    def __init__(
        self, state: State, raw: bytes, text: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64], first_line: int
    ) -> None:
        self.state, self.raw, self.text = state, raw, text
        self.starts, self.widths, self.ends = starts, ends - starts, ends
        self.first_line = first_line
        self.layout = self.next_layout = state.layout
        self.layout_changed = False
        self.other_table = False
        self.done = np.zeros(len(starts), dtype=np.bool_)
        self.is_row = np.zeros(len(starts), dtype=np.bool_)
        self.fast: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        self.slow: list[tuple[int, list[float]]] = []
        self.breaks: list[int] = []
        self.counted_to = 0

    def run(self) -> int:
        """Reads; returns how many lines were used."""
        if self.layout is not None:
            for aligned in self.state.alignments.values():
                self._read_aligned(aligned)
        self.done |= self.widths == 0
        for index in np.flatnonzero(~self.done).tolist():
            if self.done[index]:
                continue
            text = self.raw[self.starts[index] : self.ends[index]]
            if self._is_repeated(index, text):
                continue
            pieces = _pieces(text)
            if len(pieces) > 1 and (self.slow or any(len(lines) for lines, _ in self.fast)):
                self._forget_after(index - 1)
                return index  # the collapsed log gets a window of its own
            if self._read_collapsed(index, pieces) if len(pieces) > 1 else self._take(index, pieces[0], text):
                self._forget_after(index)
                return index + 1
        self._count_rows(len(self.starts))
        return len(self.starts)

    def _read_aligned(self, aligned: Alignment) -> None:
        assert self.layout is not None
        candidates = np.flatnonzero((self.widths == aligned.width) & ~self.done)
        if not len(candidates):
            return
        good, columns = read_rows(self.text, self.starts[candidates], aligned, self.layout)
        accepted = candidates[good]
        self.fast.append((accepted, np.stack([column[good] for column in columns])))
        self.done[accepted] = self.is_row[accepted] = True

    def _is_repeated(self, index: int, raw: bytes) -> bool:
        """Whether the line is, byte for byte, the header or the unit line of the table."""
        if raw == self.state.header_line:
            self._repeat_header(index)
            return True
        return raw == self.state.unit_line

    def _read_collapsed(self, index: int, pieces: list[str]) -> bool:
        self.layout = self.next_layout = None
        for piece in pieces:
            before = self.next_layout
            self._take(index, piece, b"")
            if self.slow and self.next_layout != before:
                self.slow = [(index, values) for _, values in self.slow if before and len(values) == len(before.names)]
                self.next_layout = before
                self.state.report.skip(self.first_line + index, "telemetry.skipped.second_table")
                break
        self.layout_changed = True
        return True

    def _take(self, index: int, text: str, raw: bytes) -> bool:
        found = read_line(text, self.next_layout)
        if isinstance(found, Row):
            self._take_row(index, found, raw)
        elif isinstance(found, Header):
            return self._take_header(index, found.layout, raw)
        elif isinstance(found, Units):
            return self._take_units(found, raw)
        else:
            return self._take_noise(index, found)
        return False

    def _take_row(self, index: int, row: Row, raw: bytes) -> None:
        self.slow.append((index, row.values))
        self.is_row[index] = self.done[index] = True
        width = len(raw)
        alignments = self.state.alignments
        if (
            self.layout is None
            or self.layout_changed
            or width in alignments
            or len(alignments) >= self.state.alignment_limit
            or not raw.isascii()
        ):
            return
        if np.count_nonzero(self.widths[index:] == width) >= self.state.worth_aligning and (aligned := alignment(raw, self.layout)):
            alignments[width] = aligned
            self._read_aligned(aligned)

    def _take_header(self, index: int, layout: Layout, raw: bytes) -> bool:
        current = self.next_layout
        if current is not None and current.names == layout.names:
            self.state.header_line = raw or None
            self._repeat_header(index)
            return False
        self._count_rows(index)
        self.next_layout, self.layout_changed, self.other_table = layout, True, True
        self.state.header_line, self.state.unit_line = raw or None, None
        self.state.since_header, self.state.elided = 0, False
        return True

    def _repeat_header(self, index: int) -> None:
        """The same header again: after 44 rows it is the driver's; earlier it heads another log that was pasted behind."""
        self._count_rows(index)
        state = self.state
        timed = self.next_layout is not None and self.next_layout.time_at is not None
        if state.since_header not in (0, HEADER_EVERY) and not timed and not state.elided:
            self.breaks.append(index)
        state.since_header, state.elided = 0, False

    def _take_units(self, found: Units, raw: bytes) -> bool:
        layout = self.next_layout
        self.state.unit_line = raw or None
        if layout is None or layout.units or len(found.units) != len(layout.names):
            return False
        self.next_layout = Layout(layout.names, found.units)
        self.layout_changed = True
        return True

    def _take_noise(self, index: int, found: Noise) -> bool:
        state = self.state
        if found.delay_s and state.report.delay_s is None:
            state.report.delay_s = found.delay_s
        if found.code == "telemetry.skipped.empty":
            return False
        line = self.first_line + index
        if found.want_count:
            state.report.skip(line, found.code, have_count=found.have_count, want_count=found.want_count)
            state.since_header += 1
        else:
            state.report.skip(line, found.code)
            state.elided |= found.code == "telemetry.skipped.elision"
        if found.ends_table and self.next_layout is not None:
            self._count_rows(index)
            self.next_layout, self.layout_changed = None, True
            state.header_line = state.unit_line = None
            return True
        return False

    def _count_rows(self, until: int) -> None:
        self.state.since_header += int(np.count_nonzero(self.is_row[self.counted_to : until]))
        self.counted_to = until

    def _forget_after(self, index: int) -> None:
        """Drops the rows behind a change of layout: they are read again under the new one."""
        self.fast = [(lines[lines <= index], values[:, lines <= index]) for lines, values in self.fast]

    def rows(self) -> Rows | None:
        """The samples of this window in the order of the log."""
        layout = self.next_layout if self.layout is None else self.layout
        parts = [part for part in self.fast if len(part[0])]
        if self.slow:
            parts.append((np.array([index for index, _ in self.slow]), np.array([values for _, values in self.slow]).T))
        if not parts or layout is None:
            return None
        lines = np.concatenate([part[0] for part in parts])
        values = np.concatenate([part[1] for part in parts], axis=1)
        if len(parts) > 1:
            order = np.argsort(lines, kind="stable")
            lines, values = lines[order], values[:, order]
        return Rows(
            line=lines + self.first_line,
            gpu=values[layout.gpu_at].astype(np.int64),
            clock_s=_clock(layout, values),
            has_date=layout.date_at is not None,
            columns={metric.key: (values[at] * metric.factor).astype(np.float32) for at, metric in layout.metrics().items()},
            log_starts=(0,) * self.state.starts_log + tuple(int(np.searchsorted(lines, at, side="right")) for at in self.breaks),
        )


def _pieces(raw: bytes) -> list[str]:
    text = raw.decode("utf-8", "replace")
    return list(uncollapsed(text)) if is_collapsed(text) else [text]


def _clock(layout: Layout, values: NDArray[np.float64]) -> NDArray[np.int64] | None:
    if layout.time_at is None:
        return None
    clock: NDArray[np.int64] = values[layout.time_at].astype(np.int64)
    return clock if layout.date_at is None else clock + values[layout.date_at].astype(np.int64) * int(days(1))
