"""Adds pages of samples up: distributions by GPU and metric, time buckets, phases. Memory depends on GPUs and metrics, not on the length."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.domain.errors import message
from app.domain.telemetry import metrics
from app.domain.telemetry.buckets import BUCKET_LIMIT, Buckets
from app.domain.telemetry.format import Floats, Integers, Rows
from app.domain.telemetry.histogram import Distribution, Histogram
from app.domain.telemetry.phases import Cycles, PhaseFinder
from app.domain.telemetry.profile import GpuProfile, Series
from app.domain.telemetry.rejection import DroppedValue, Report
from app.domain.telemetry.timeline import Timeline
from app.domain.units import as_mb

GPU_LIMIT: Final = 256
METRIC_LIMIT: Final = 256
ACTIVITY = (metrics.SM, metrics.SM_ACTIVE, metrics.GRAPHICS_ACTIVE)  # the first that the log has says whether a GPU works
ENGINES = (metrics.ENCODER, metrics.DECODER)  # a GPU that encodes video works too
PCIE = (metrics.PCIE_RX, metrics.PCIE_TX)


class Rollup:
    """Fed with pages of rows in the order of the log."""

    def __init__(self, report: Report, link_bytes_per_s: float) -> None:
        self.report = report
        self.link_bytes_per_s = link_bytes_per_s
        self.timeline = Timeline(report)
        self.phases = PhaseFinder()
        self.buckets = Buckets()
        self.samples = 0
        self.slots: dict[int, int] = {}  # GPU index -> row of the arrays
        self.overall: dict[tuple[int, str], Histogram] = {}
        self.steady: dict[tuple[int, str], Histogram] = {}
        self.unreported: dict[str, None] = {}  # metrics of which a page had placeholders only
        self.names: dict[str, None] = {}  # metrics in the order of their first appearance

    def add(self, rows: Rows, *, is_last: bool) -> None:
        """Adds a page."""
        placed = self.timeline.place(rows)
        columns = self._believable(rows, self._known(rows.columns))
        steady = self._steady_rows(columns, placed.cycle, placed.tick, is_last=is_last)
        slot, kept = self._slots(rows.gpu)
        order = np.argsort(slot, kind="stable")
        order = order[len(order) - kept :]  # rows without a slot (-1) sort first
        slot, tick, steady = slot[order], placed.tick[order], steady[order]
        self.samples += kept
        self.buckets.make_room(self.timeline.last_tick)
        group = slot * BUCKET_LIMIT + tick // self.buckets.width_ticks
        group_starts = _group_starts(group)
        gpu_starts = [*_group_starts(slot).tolist(), len(slot)]
        for name, column in columns.items():
            values = column[order]
            if np.isnan(values).all():
                self.unreported.setdefault(name)
                continue
            self.names.setdefault(name)
            self.buckets.add(name, len(self.slots), group[group_starts], group_starts, values)
            for start, end in pairwise(gpu_starts):
                self._count(name, int(slot[start]), values[start:end], steady[start:end])

    def _known(self, columns: Mapping[str, Floats]) -> dict[str, Floats]:
        known = {name: column for name, column in columns.items() if name in self.names or len(self.names) < METRIC_LIMIT}
        if len(known) < len(columns):
            self.report.remark("telemetry.remark.too_many_columns", limit_count=METRIC_LIMIT)
        return known

    def _count(self, name: str, slot: int, values: Floats, steady: NDArray[np.bool_]) -> None:
        part = Histogram()
        part.add(values)
        if not len(part.values):
            return
        self.overall.setdefault((slot, name), Histogram()).merge(part.values, part.counts)
        if not steady.all():
            part = Histogram()
            part.add(values[steady])
        if len(part.values):
            self.steady.setdefault((slot, name), Histogram()).merge(part.values, part.counts)

    def _believable(self, rows: Rows, columns: dict[str, Floats]) -> dict[str, Floats]:
        """Without PCIe rates that the link cannot carry: the driver's counters glitch by a factor of a hundred."""
        limit = as_mb(self.link_bytes_per_s)
        for name in PCIE:
            if name not in columns or not (wrong := np.flatnonzero(columns[name] > limit)).size:
                continue
            reason = message("telemetry.dropped.above_link", link_bytes_per_s=self.link_bytes_per_s)
            for at in wrong.tolist():
                value = DroppedValue(
                    line=int(rows.line[at]), gpu=int(rows.gpu[at]), metric=name, value=float(columns[name][at]), reason=reason
                )
                self.report.drop(value)
            columns[name] = columns[name].copy()
            columns[name][wrong] = np.nan
        return columns

    def _slots(self, gpu: Integers) -> tuple[Integers, int]:
        indices, place = np.unique(gpu, return_inverse=True)
        for index in indices.tolist():
            if index not in self.slots and len(self.slots) < GPU_LIMIT:
                self.slots[index] = len(self.slots)
        slots = np.array([self.slots.get(index, -1) for index in indices.tolist()], dtype=np.int64)[place]
        kept = int(np.count_nonzero(slots >= 0))
        if kept < len(slots):
            self.report.remark("telemetry.remark.too_many_gpus", limit_count=GPU_LIMIT)
        return slots, kept

    def _steady_rows(self, columns: Mapping[str, Floats], cycle: Integers, tick: Integers, *, is_last: bool) -> NDArray[np.bool_]:
        starts = _group_starts(cycle)
        unknown = np.full(len(starts), np.nan)
        activity = next((columns[name] for name in ACTIVITY if name in columns and not np.isnan(columns[name]).all()), None)
        held = columns.get(metrics.FRAME_BUFFER)
        busiest = [] if activity is None else [activity, *(columns[name] for name in ENGINES if name in columns)]
        transfers = [columns[name] for name in PCIE if name in columns]
        cycles = Cycles(
            mean=unknown if activity is None else _means(activity, starts),
            maximum=_maximum(busiest, starts),
            held=unknown if held is None else _means(held, starts),
            transfer=_maximum(transfers, starts),
            tick=tick[starts],
        )
        labels = self.phases.label(cycles, self.timeline.interval_s(), is_last=is_last)
        steady: NDArray[np.bool_] = labels[cycle - cycle[0]]
        return steady

    def gpus(self) -> tuple[GpuProfile, ...]:
        """The distributions of each GPU, in the order of the indices."""
        return tuple(
            GpuProfile(index=index, name=None, metrics=self._summaries(self.overall, slot), steady=self._summaries(self.steady, slot))
            for index, slot in sorted(self.slots.items())
        )

    def _summaries(self, histograms: Mapping[tuple[int, str], Histogram], slot: int) -> dict[str, Distribution]:
        ordered = [name for name in metrics.FRONT if name in self.names] + [name for name in self.names if name not in metrics.FRONT]
        found = {name: histograms[slot, name].distribution() for name in ordered if (slot, name) in histograms}
        return {name: summary for name, summary in found.items() if summary is not None}

    def series(self) -> tuple[Series, ...]:
        """The time series of every GPU and metric."""
        found: list[Series] = []
        for index, slot in sorted(self.slots.items()):
            for name, (minimum, total, maximum, count) in sorted(self.buckets.metrics.items()):
                if slot >= len(count) or not (used := np.flatnonzero(count[slot])).size:
                    continue
                n = count[slot][used]
                found.append(
                    Series(
                        gpu=index,
                        metric=name,
                        bucket=tuple(used.tolist()),
                        minimum=tuple(minimum[slot][used].tolist()),
                        mean=tuple((total[slot][used] / n).tolist()),
                        maximum=tuple(maximum[slot][used].tolist()),
                        n=tuple(n.astype(int).tolist()),
                    )
                )
        return tuple(found)


def _group_starts(sorted_groups: Integers) -> Integers:
    """Where each group of equal neighbours begins."""
    return np.concatenate([[0], np.flatnonzero(np.diff(sorted_groups)) + 1]) if len(sorted_groups) else np.empty(0, dtype=np.int64)


def _maximum(columns: list[Floats], starts: Integers) -> NDArray[np.float64]:
    if not columns:
        return np.full(len(starts), np.nan)
    return np.fmax.reduceat(np.fmax.reduce(columns), starts).astype(np.float64)


def _means(values: Floats, starts: Integers) -> NDArray[np.float64]:
    known = ~np.isnan(values)
    counts = np.add.reduceat(known.astype(np.int64), starts)
    sums = np.add.reduceat(np.where(known, values, 0).astype(np.float64), starts)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
