"""What the telemetry charts draw."""

import json

import pytest

from app.charts.telemetry import Line, heat_map, points, time_series
from app.domain.telemetry import Profile, Series, metrics, read
from tests.factories.dmon import a_log, steady


def _profile(gpu_count: int = 2, cycles: int = 1000) -> Profile:
    return read([a_log([[{"sm": (cycle * 7 + gpu) % 100} for gpu in range(gpu_count)] for cycle in range(cycles)])])


def test_joined_points_keep_extremes_and_the_weighted_mean() -> None:
    series = Series(
        gpu=0, metric="sm_pct", bucket=(0, 1, 3), minimum=(5.0, 1.0, 9.0), mean=(10.0, 20.0, 30.0), maximum=(15.0, 99.0, 40.0), n=(1, 3, 2)
    )

    first, second = points(series, 2.0, 2)

    assert (first.begin_s, first.end_s, first.low, first.mean, first.high) == (0, 4, 1, 17.5, 99)
    assert (second.begin_s, second.end_s, second.mean) == (4, 8, 30)


def test_heat_map_has_a_row_a_gpu_and_no_more_columns_than_a_screen_shows() -> None:
    specification = heat_map(_profile(), "en")

    assert specification is not None
    values = specification["data"]["values"]
    assert {row["g"] for row in values} == {0, 1}
    assert len(values) <= 2 * 180
    assert specification["encoding"]["x"]["title"] == "minutes since the start"


def test_log_without_utilisation_has_no_heat_map() -> None:
    assert heat_map(read([a_log(steady(5), columns=("pwr",))]), "en") is None


@pytest.mark.parametrize(("gpu_count", "lines"), [(2, ["GPU 0", "GPU 1"]), (20, ["全部 GPU 均值"])])
def test_series_are_one_line_a_gpu_while_they_can_be_told_apart(gpu_count: int, lines: list[str]) -> None:
    specification = time_series(_profile(gpu_count, cycles=60), (Line(metrics.SM, 90.0, "R-D1"),), "zh_CN")

    assert specification is not None
    panel = specification["vconcat"][0]
    folded = [layer["transform"][0]["fold"] for layer in panel["layer"] if "transform" in layer]
    assert folded == [lines]
    assert "R-D1: 90" in json.dumps(panel)
