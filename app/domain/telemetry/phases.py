"""Phases found in the data: idle, warm-up, steady, checkpoint stalls.

A cycle is quiet when no GPU does anything. Quiet before and after the work is idle; quiet within it is a checkpoint stall when it is seldom and
memory stays held, and idle when it is long or memory was released. Short or frequent quiet belongs to the steady phase: that is how a run looks
that waits for its data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.telemetry.profile import Phase, PhaseName

Values = NDArray[np.float64]

QUIET_PCT = 5.0  # a desktop or a monitor shows up to here
STALL_CYCLES = 3  # shorter quiet is jitter
LONGEST_STALL_S = 600.0  # a checkpoint of hundreds of GB to slow storage; longer is a pause
STARTING_CYCLES = 10  # a pause after less work than this belongs to the start
TRANSFER_MBPS = 500.0  # a GPU that only moves data is not idle
STALL_SHARE = 0.2  # of the time; more is starvation
RELEASED_SHARE = 0.5  # of the memory held while busy
WARM_SHARE = 0.8  # of the level of the run
LONGEST_WARM_UP_S = 600.0
DIP_SHARE = 0.5  # of the level (90th percentile) of the run
LISTED_PHASES = 2000
_WARM_UP, _STEADY, _STALL, _IDLE = range(4)
_NAMES = (PhaseName.WARM_UP, PhaseName.STEADY, PhaseName.CHECKPOINT_STALL, PhaseName.IDLE)


@dataclass(frozen=True, slots=True)
class Cycles:
    """One number a cycle: mean and maximum activity over the GPUs (per cent), memory held, fastest transfer, and the tick; NaN where unknown."""

    mean: Values
    maximum: Values
    held: Values
    transfer: Values
    tick: NDArray[np.int64]


class PhaseFinder:
    """Labels cycles page by page and keeps the phases."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int, int]] = []  # label, first tick, last tick
        self._busy = False  # a page before held work
        self._last = _IDLE
        self.dip_count = 0
        self.steady_cycles = 0
        self.is_known = False

    def label(self, cycles: Cycles, interval_s: float, *, is_last: bool) -> NDArray[np.bool_]:
        """Whether each cycle belongs to the steady phase. Without any measure of activity all do."""
        known = ~np.isnan(cycles.maximum)
        if not known.any():
            self.steady_cycles += len(known)
            return np.ones(len(known), dtype=np.bool_)
        self.is_known = True
        quiet = ~(cycles.maximum > QUIET_PCT)
        labels = np.full(len(quiet), _STEADY, dtype=np.int8)
        self._label_quiet(labels, quiet, cycles, interval_s, is_last=is_last)
        self._label_warm_up(labels, quiet, cycles, interval_s)
        steady: NDArray[np.bool_] = labels == _STEADY
        self._count_dips(cycles.mean[steady])
        self._keep(labels, cycles.tick)
        self.steady_cycles += int(np.count_nonzero(steady))
        self._busy |= not quiet.all()
        self._last = int(labels[-1])
        return steady

    def _label_quiet(self, labels: NDArray[np.int8], quiet: NDArray[np.bool_], cycles: Cycles, interval_s: float, *, is_last: bool) -> None:
        held_busy = np.nanmedian(cycles.held[~quiet]) if (~np.isnan(cycles.held[~quiet])).any() else np.nan
        stalls: list[tuple[int, int]] = []
        for start, end in _runs(quiet):
            duration_s = (end - start) * interval_s
            at_edge = (start == 0 and (not self._busy or self._last == _IDLE)) or (end == len(quiet) and is_last)
            held = cycles.held[start:end]
            transfer = cycles.transfer[start:end]
            if at_edge and (~np.isnan(transfer)).any() and np.nanmedian(transfer) >= TRANSFER_MBPS:
                continue
            released = bool((~np.isnan(held)).any() and np.nanmedian(held) < RELEASED_SHARE * held_busy)
            if at_edge or (end - start >= STALL_CYCLES and (released or duration_s > LONGEST_STALL_S)):
                labels[start:end] = _IDLE
            elif end - start >= STALL_CYCLES:
                stalls.append((start, end))
        stalled = sum(end - start for start, end in stalls)
        if stalled <= STALL_SHARE * np.count_nonzero(labels != _IDLE):
            for start, end in stalls:
                labels[start:end] = _STALL

    def _label_warm_up(self, labels: NDArray[np.int8], quiet: NDArray[np.bool_], cycles: Cycles, interval_s: float) -> None:
        if quiet.all():
            return
        level = float(np.nanmedian(cycles.mean[~quiet]))
        for start, end in _runs(labels != _IDLE):
            stalls = _runs(labels[start:end] == _STALL)
            if start == 0 and self._busy and self._last != _IDLE:
                continue  # the work began on an earlier page
            if stalls and stalls[0][0] < STARTING_CYCLES:
                labels[start : start + stalls[0][1]] = _WARM_UP
                continue
            longest = max(1, int(LONGEST_WARM_UP_S / interval_s))
            warm = np.flatnonzero(cycles.mean[start : min(end, start + longest)] >= WARM_SHARE * level)
            if len(warm):
                labels[start : start + int(warm[0])] = _WARM_UP

    def _count_dips(self, mean: Values) -> None:
        mean = mean[~np.isnan(mean)]
        if len(mean):
            low = mean < DIP_SHARE * np.percentile(mean, 90)
            self.dip_count += sum(1 for _ in _runs(low))

    def _keep(self, labels: NDArray[np.int8], tick: NDArray[np.int64]) -> None:
        starts = np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1])
        ends = np.concatenate([starts[1:], [len(labels)]])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            label, last = int(labels[start]), int(tick[end - 1])
            if self._spans and self._spans[-1][0] == label:
                self._spans[-1] = (label, self._spans[-1][1], last)
            elif len(self._spans) < LISTED_PHASES:
                self._spans.append((label, int(tick[start]), last))

    def phases(self, seconds_per_tick: float, end_s: float) -> tuple[Phase, ...]:
        """The phases in order; each lasts until the next begins."""
        begins = [first * seconds_per_tick for _, first, _ in self._spans]
        ends = [*begins[1:], end_s]
        return tuple(
            Phase(name=_NAMES[label], from_s=begin, to_s=max(begin, end))
            for (label, _, _), begin, end in zip(self._spans, begins, ends, strict=True)
        )


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and end of each stretch of True."""
    padded = np.concatenate([[False], flags, [False]])
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
