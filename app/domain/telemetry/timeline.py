"""From the order of rows to time: cycles of the sampler, seconds of the clock, and the interval between cycles."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.telemetry.format import Integers, Rows
from app.domain.telemetry.rejection import Report
from app.domain.units import days, hours

DEFAULT_INTERVAL_S = 1.0  # nvidia-smi dmon -d; source: its help text
DAY_S = int(days(1))
HALF_DAY_S = int(hours(12))
_LARGEST_STEP_S = 366 * DAY_S


@dataclass(frozen=True, slots=True)
class Placed:
    """When each row was taken: `cycle` counts rounds over the GPUs, `tick` is seconds of the clock since the start, or the cycle where there is none."""

    cycle: Integers
    tick: Integers


class Timeline:
    """Places rows batch by batch. One round visits each GPU once, in ascending order: an index that does not ascend begins the next round."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._cycle = -1
        self._gpu: int | None = None
        self._tick = 0
        self._clock: int | None = None
        self._steps: dict[int, int] = {}  # seconds between rounds, and how often
        self.started_at_s: int | None = None
        self.first_clock_s: int | None = None
        self.has_clock = False
        self.log_count = 0

    def place(self, rows: Rows) -> Placed:
        """The cycle and the tick of each row."""
        starts_round = np.empty(len(rows.gpu), dtype=np.bool_)
        starts_round[0] = self._gpu is None or rows.gpu[0] <= self._gpu
        starts_round[1:] = rows.gpu[1:] <= rows.gpu[:-1]
        log_starts = [at for at in rows.log_starts if at < len(starts_round)]
        starts_round[log_starts] = True
        self.log_count += len(log_starts) + (self._gpu is None)
        cycle = self._cycle + np.cumsum(starts_round)
        tick = self._ticks(rows, starts_round) if rows.clock_s is not None else self._tick + cycle - max(self._cycle, 0)
        self._cycle, self._gpu, self._tick = int(cycle[-1]), int(rows.gpu[-1]), int(tick[-1])
        return Placed(cycle, tick)

    def _ticks(self, rows: Rows, starts_round: NDArray[np.bool_]) -> Integers:
        assert rows.clock_s is not None
        clock = rows.clock_s[starts_round]
        if self._clock is None and len(clock):
            self.first_clock_s, self.has_clock = int(clock[0]), True
            self.started_at_s = int(clock[0]) if rows.has_date else None
        is_first = self._clock is None
        steps = np.diff(clock, prepend=clock[:1] if self._clock is None else self._clock)
        if not rows.has_date:
            steps = np.where(steps < -HALF_DAY_S, steps + DAY_S, steps)
        backwards = np.flatnonzero(steps < 0)
        if len(backwards):
            line = int(rows.line[np.flatnonzero(starts_round)[backwards[0]]])
            self._report.remark("telemetry.remark.clock_back", line=line, times_count=len(backwards))
            steps = np.maximum(steps, 0)
        steps = np.minimum(steps, _LARGEST_STEP_S)
        values, counts = np.unique(steps[1:] if is_first else steps, return_counts=True)  # none: several rounds within a second
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            if value in self._steps or len(self._steps) < 1000:
                self._steps[value] = self._steps.get(value, 0) + count
        if len(clock):
            self._clock = int(clock[-1])
        rounds = np.cumsum(starts_round)
        return self._tick + np.concatenate([[0], np.cumsum(steps)])[rounds]

    @property
    def cycle_count(self) -> int:
        """Rounds so far."""
        return self._cycle + 1

    @property
    def last_tick(self) -> int:
        """The tick of the last row."""
        return self._tick

    def interval_s(self) -> float:
        """Seconds between rounds: the median step of the clock, refined by the mean where steps alternate (a 1.04 s round shows as 1 and 2)."""
        if not self._steps:
            return self._report.delay_s or DEFAULT_INTERVAL_S
        values = sorted(self._steps)
        half, seen = sum(self._steps.values()) / 2, 0
        for value in values:
            seen += self._steps[value]
            if seen >= half:
                near = {step: self._steps[step] for step in values if abs(step - value) <= 1}
                return round(sum(step * count for step, count in near.items()) / sum(near.values()), 3) or DEFAULT_INTERVAL_S
        raise AssertionError("the loop passes half of a positive count")

    def seconds_per_tick(self) -> float:
        """What a tick lasts."""
        return 1.0 if self.has_clock else self.interval_s()
