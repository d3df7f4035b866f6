"""Samples read line by line, gathered into rounds over the GPUs and handed out as columns: for formats whose tables are small or irregular."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from app.domain.telemetry.format import Floats, Rows

LARGEST = 1e15  # no reading is larger; what is was damaged


class Sample(NamedTuple):
    """What one line, or one scrape, says of a GPU."""

    line: int
    gpu: int
    clock_s: int | None
    cells: Mapping[str, float]


class Rounds:
    """A GPU that comes again begins the next round; within a round GPUs are put in ascending order, as the timeline expects them."""

    def __init__(self, *, has_date: bool = True) -> None:
        self._has_date = has_date
        self._round: dict[int, Sample] = {}
        self._done: list[Sample] = []

    def add(self, sample: Sample) -> None:
        """Takes a sample."""
        if sample.gpu in self._round:
            self.close()
        self._round[sample.gpu] = sample

    def close(self) -> None:
        """Ends the round."""
        self._done += (self._round[gpu] for gpu in sorted(self._round))
        self._round.clear()

    def rows(self) -> Rows | None:
        """The rounds that ended since the last call; None: there was none."""
        if not self._done:
            return None
        samples, self._done = self._done, []
        names = list(dict.fromkeys(name for sample in samples for name in sample.cells))
        clocks = [sample.clock_s for sample in samples]
        known = [clock for clock in clocks if clock is not None]
        return Rows(
            line=np.array([sample.line for sample in samples], dtype=np.int64),
            gpu=np.array([sample.gpu for sample in samples], dtype=np.int64),
            clock_s=np.array(known, dtype=np.int64) if len(known) == len(samples) else None,
            has_date=self._has_date,
            columns={name: _column([sample.cells.get(name, np.nan) for sample in samples]) for name in names},
        )


def _column(values: list[float]) -> Floats:
    column = np.array(values)
    column[np.abs(column) > LARGEST] = np.nan
    return column.astype(np.float32)
