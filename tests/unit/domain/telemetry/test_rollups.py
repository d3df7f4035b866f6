"""Distributions, buckets and phases against plain NumPy over the same numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.telemetry import Phase, PhaseName, reading
from app.domain.telemetry.buckets import BUCKET_LIMIT
from app.domain.telemetry.histogram import Histogram
from tests.factories.dmon import a_log, steady


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.integers(0, 100_000), max_size=30), min_size=1, max_size=5))
def test_merged_histograms_have_the_percentiles_of_all_samples(parts: list[list[int]]) -> None:
    merged = Histogram()
    for part in parts:
        merged.add(np.array([*part, float("nan")], dtype=np.float32))
    everything = np.array([value for part in parts for value in part], dtype=np.float64)

    found = merged.distribution()

    if not len(everything):
        assert found is None
        return
    assert found is not None
    assert [found.p05, found.p50, found.p95, found.mean, found.max] == pytest.approx(
        [*np.percentile(everything, [5, 50, 95]), everything.mean(), everything.max()]
    )
    assert found.n == len(everything)


def test_many_different_values_are_kept_to_three_digits() -> None:
    values = np.arange(1, 60_001, dtype=np.float32)
    histogram = Histogram()
    for start in range(0, len(values), 5000):
        histogram.add(values[start : start + 5000])

    found = histogram.distribution()

    assert found is not None
    assert found.n == 60_000
    assert [found.p05, found.p50, found.p95] == pytest.approx(np.percentile(values, [5, 50, 95]).tolist(), rel=0.01)


def test_a_long_series_is_joined_into_few_buckets_that_keep_extremes_and_mean() -> None:
    levels = np.random.default_rng(5).integers(10, 90, 5000)
    profile = reading.read([a_log([[{"sm": int(level)}] for level in levels])])
    series = next(one for one in profile.series if one.metric == "sm_pct")
    width = int(profile.bucket_s)

    assert len(series.bucket) <= BUCKET_LIMIT
    assert width == 8
    assert series.minimum[3] == levels[3 * width : 4 * width].min()
    assert series.maximum[3] == levels[3 * width : 4 * width].max()
    assert series.mean[3] == pytest.approx(levels[3 * width : 4 * width].mean())
    assert sum(series.n) == 5000


def test_pages_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    text = a_log([[{"sm": 20 + (cycle * 7 + gpu * 3) % 70} for gpu in range(3)] for cycle in range(700)])
    whole = reading.read([text])
    monkeypatch.setattr(reading, "PAGE_ROWS", 100)
    paged = reading.read([text[start : start + 3000] for start in range(0, len(text), 3000)])

    assert [gpu.metrics for gpu in paged.summary.gpus] == [gpu.metrics for gpu in whole.summary.gpus]
    assert paged.series == whole.series


def _phases(levels: list[int], fb: list[int] | None = None) -> list[tuple[str, float, float]]:
    cells = [[{"sm": level, "fb": fb[at] if fb else 60000}] for at, level in enumerate(levels)]
    found: tuple[Phase, ...] = reading.read([a_log(cells, columns=("sm", "mem", "fb"), width=7)]).phases
    return [(phase.name.value, phase.from_s, phase.to_s) for phase in found]


def test_idle_warm_up_steady_and_a_checkpoint_are_found() -> None:
    levels = [0] * 20 + [10, 30, 50] + [95] * 100 + [0] * 8 + [95] * 100 + [0] * 15

    assert _phases(levels) == [
        ("idle", 0, 20),
        ("warm-up", 20, 23),
        ("steady", 23, 123),
        ("checkpoint-stall", 123, 131),
        ("steady", 131, 231),
        ("idle", 231, 246),
    ]


def test_frequent_pauses_are_how_a_starved_run_looks_not_checkpoints() -> None:
    assert _phases(([80] * 6 + [0] * 3) * 40)[:1] == [("steady", 0, 357)]


def test_a_pause_that_releases_memory_is_idle() -> None:
    levels = [95] * 60 + [0] * 10 + [95] * 60
    fb = [60000] * 60 + [400] * 10 + [60000] * 60

    assert [name for name, _, _ in _phases(levels, fb)] == ["steady", "idle", "steady"]


def test_the_steady_distribution_leaves_idle_and_warm_up_out() -> None:
    gpu = reading.read([a_log(steady(50, sm=0) + steady(50, sm=95))]).summary.gpus[0]

    assert gpu.metrics["sm_pct"].p50 == 47.5
    assert (gpu.steady["sm_pct"].p05, gpu.steady["sm_pct"].n) == (95, 50)


def test_a_log_without_utilisation_has_no_phases() -> None:
    assert reading.read([a_log(steady(30), columns=("pwr", "fb"))]).phases == ()
    assert PhaseName.STEADY.value == "steady"
