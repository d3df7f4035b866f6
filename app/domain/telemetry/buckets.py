"""A time series of bounded length: when it is full, neighbours are joined and each bucket covers twice the time."""

import numpy as np
from numpy.typing import NDArray

BUCKET_LIMIT = 720  # more than a chart has room for


class Buckets:
    """Minimum, sum, maximum and number of samples by GPU (row) and bucket (column), for each metric."""

    def __init__(self) -> None:
        self.width_ticks = 1
        self.metrics: dict[str, list[NDArray[np.float64]]] = {}  # minimum, sum, maximum, count

    def make_room(self, last_tick: int) -> None:
        """Joins neighbours until `last_tick` has a bucket."""
        while last_tick // self.width_ticks >= BUCKET_LIMIT:
            self.width_ticks *= 2
            for arrays in self.metrics.values():
                minimum, total, maximum, count = (array.reshape(len(array), BUCKET_LIMIT // 2, 2) for array in arrays)
                joined = [np.fmin(*_halves(minimum)), total.sum(axis=2), np.fmax(*_halves(maximum)), count.sum(axis=2)]
                empty = _empty(len(minimum), BUCKET_LIMIT // 2)
                arrays[:] = [np.concatenate(pair, axis=1) for pair in zip(joined, empty, strict=True)]

    def add(self, metric: str, gpu_rows: int, group: NDArray[np.int64], starts: NDArray[np.int64], values: NDArray[np.float32]) -> None:
        """Adds values sorted by group; group g = GPU row · BUCKET_LIMIT + bucket begins at `starts`."""
        arrays = self.metrics.setdefault(metric, _empty(gpu_rows, BUCKET_LIMIT))
        if len(arrays[0]) < gpu_rows:
            more = _empty(gpu_rows - len(arrays[0]), BUCKET_LIMIT)
            arrays[:] = [np.concatenate(pair) for pair in zip(arrays, more, strict=True)]
        minimum, total, maximum, count = (array.reshape(-1) for array in arrays)
        known = ~np.isnan(values)
        minimum[group] = np.fmin(minimum[group], np.fmin.reduceat(values, starts))
        maximum[group] = np.fmax(maximum[group], np.fmax.reduceat(values, starts))
        total[group] += np.add.reduceat(np.where(known, values, 0).astype(np.float64), starts)
        count[group] += np.add.reduceat(known.astype(np.int64), starts)


def _halves(array: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return array[:, :, 0], array[:, :, 1]


def _empty(rows: int, columns: int) -> list[NDArray[np.float64]]:
    nothing = np.full((rows, columns), np.nan)
    return [nothing, np.zeros((rows, columns)), nothing.copy(), np.zeros((rows, columns))]
