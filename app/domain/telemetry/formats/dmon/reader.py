"""Blocks of text to columns: aligned rows by the thousand, everything else line by line, in the order of the log."""

from collections.abc import Iterable, Iterator

import numpy as np

from app.domain.telemetry.format import Block, Rows
from app.domain.telemetry.formats.dmon.window import State, Window
from app.domain.telemetry.rejection import Rejected, Report

LAYOUT_LIMIT = 10_000  # changes of columns in one file; more is no log but an attack on the time it takes
SMALL_WINDOW, LARGE_WINDOW = 256, 1 << 15  # lines under one layout; small after a change, so that changing it often stays linear
ALIGNMENT_LIMIT = 8
WORTH_ALIGNING = 16  # lines of one width that pay for a new alignment
_FEED = 10


def parse(
    blocks: Iterable[Block], report: Report, *, worth_aligning: int = WORTH_ALIGNING, alignment_limit: int = ALIGNMENT_LIMIT
) -> Iterator[Rows]:
    """The samples of a log. What is no sample is reported by line and reason. The last two only choose the way, never the result."""
    reader = _Reader(report, worth_aligning, alignment_limit)
    for block in blocks:
        yield from reader.read(block)


class _Reader:
    """Carries the layout from block to block."""

    def __init__(self, report: Report, worth_aligning: int, alignment_limit: int) -> None:
        self.state = State(report, worth_aligning, alignment_limit)
        self.window = LARGE_WINDOW
        self.changes = 0
        self.has_rows = False

    def read(self, block: Block) -> Iterator[Rows]:
        text = np.frombuffer(block.text, dtype=np.uint8)
        feeds = np.flatnonzero(text == _FEED)
        starts = np.concatenate([[0], feeds + 1])
        ends = np.concatenate([feeds, [len(text)]])
        if starts[-1] == len(text):
            starts, ends = starts[:-1], ends[:-1]
        at = 0
        while at < len(starts):
            until = min(at + self.window, len(starts))
            window = Window(self.state, block.text, text, starts[at:until], ends[at:until], block.first_line + at)
            used = window.run()
            self.window = min(self.window * 2, LARGE_WINDOW) if used == until - at else SMALL_WINDOW
            if rows := window.rows():
                yield rows
                self.has_rows, self.state.starts_log = True, False
            self._take_over(window)
            at += used

    def _take_over(self, window: Window) -> None:
        state = self.state
        state.starts_log |= window.other_table and self.has_rows
        state.layout = window.next_layout
        if window.layout_changed:
            state.alignments = {}
            self.changes += 1
            if self.changes > LAYOUT_LIMIT:
                raise Rejected("telemetry.too_many_tables", limit_count=LAYOUT_LIMIT)
