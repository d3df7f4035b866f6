"""Distributions that can be added: values with their counts, exact while they are few, to three digits beyond."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DISTINCT_LIMIT = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """What a metric did: 5th, 50th and 95th percentile (linear between neighbours), mean, maximum, and the number of samples."""

    p05: float
    p50: float
    p95: float
    mean: float
    max: float
    n: int


class Histogram:
    """Counts by value."""

    __slots__ = ("counts", "values")

    def __init__(self) -> None:
        self.values: NDArray[np.float64] = np.empty(0)
        self.counts: NDArray[np.int64] = np.empty(0, dtype=np.int64)

    def add(self, values: NDArray[np.float32]) -> None:
        """Adds samples; NaN is no sample."""
        if np.isnan(values).any():
            values = values[~np.isnan(values)]
        if len(values):
            self.merge(*np.unique(values, return_counts=True))

    def merge(self, values: NDArray[np.floating], counts: NDArray[np.int64]) -> None:
        """Adds another histogram's sorted values and counts."""
        if not len(self.values):
            self.values, self.counts = values.astype(np.float64), counts.astype(np.int64)
        else:
            everything = np.concatenate([self.values, values])
            self.values, place = np.unique(everything, return_inverse=True)
            self.counts = np.bincount(place, np.concatenate([self.counts, counts])).astype(np.int64)
        if len(self.values) > DISTINCT_LIMIT:
            self._coarsen()

    def _coarsen(self) -> None:
        """Rounds to three significant digits: an error of at most 0.5 %. The mean moves by less still."""
        magnitude = 10.0 ** (np.floor(np.log10(np.maximum(np.abs(self.values), 1e-9))) - 2)
        self.values, place = np.unique(np.round(self.values / magnitude) * magnitude, return_inverse=True)
        self.counts = np.bincount(place, self.counts).astype(np.int64)

    def distribution(self) -> Distribution | None:
        """The summary; None when there is no sample."""
        count = int(self.counts.sum())
        if not count:
            return None
        upto = np.cumsum(self.counts)

        def at(share: float) -> float:
            position = share * (count - 1)
            below = int(position)
            left = self.values[np.searchsorted(upto, below, side="right")]
            right = self.values[np.searchsorted(upto, min(below + 1, count - 1), side="right")]
            return float(left + (right - left) * (position - below))

        mean = float((self.values * self.counts).sum() / count)
        return Distribution(p05=at(0.05), p50=at(0.5), p95=at(0.95), mean=mean, max=float(self.values[-1]), n=count)
