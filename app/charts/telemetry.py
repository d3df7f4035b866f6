"""Telemetry over time: a heat map GPU × time, and linked series with thresholds and phases."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Any

import numpy as np

from app.charts.labels import metric_name
from app.domain.errors import message
from app.domain.telemetry import Phase, Profile, Series, metrics
from app.domain.units import hours
from app.text.render import render

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
Spec = dict[str, Any]
HEAT_BUCKETS = 180
LINE_BUCKETS = 160
MOST_LINES = 16  # GPUs that can be told apart; beyond, their mean and range are drawn
PANELS = (metrics.SM, metrics.MEMORY_BUSY, metrics.POWER, metrics.PCIE_RX, metrics.GPU_TEMPERATURE, metrics.FRAME_BUFFER, metrics.SM_CLOCK)
PERCENT = frozenset({metrics.SM, metrics.MEMORY_BUSY})
PHASE_COLOURS = {"warm-up": "#56b4e9", "steady": "#009e73", "checkpoint-stall": "#e69f00", "idle": "#737b84"}  # Okabe and Ito


@dataclass(frozen=True, slots=True)
class Line:
    """A threshold drawn into a panel, in the metric's unit, with the rule that uses it."""

    metric: str
    value: float
    rule: str


@dataclass(frozen=True, slots=True)
class Point:
    """A bucket as it is drawn: from `begin` to `end` seconds."""

    begin_s: float
    end_s: float
    low: float
    mean: float
    high: float


def points(series: Series, bucket_s: float, most: int) -> tuple[Point, ...]:
    """At most so many buckets: neighbours joined, extremes and the weighted mean kept."""
    width = -(-(series.bucket[-1] + 1) // most)
    place = np.array(series.bucket) // width
    starts = np.concatenate([[0], np.flatnonzero(np.diff(place)) + 1])
    n = np.array(series.n)
    columns = (
        place[starts] * width * bucket_s,
        (place[starts] + 1) * width * bucket_s,
        np.minimum.reduceat(np.array(series.minimum), starts),
        np.add.reduceat(np.array(series.mean) * n, starts) / np.add.reduceat(n, starts),
        np.maximum.reduceat(np.array(series.maximum), starts),
    )
    return tuple(starmap(Point, zip(*(column.tolist() for column in columns), strict=True)))


def heat_map(profile: Profile, locale: str, metric: str = metrics.SM) -> Spec | None:
    """GPU × time, coloured by the mean of a percentage; None when the log does not have it."""
    unit_s, axis = _time_axis(profile.summary.duration_s, locale)
    rows = [
        {"g": series.gpu, "a": _short(point.begin_s / unit_s), "b": _short(point.end_s / unit_s), "v": _short(point.mean)}
        for series in _of(profile, metric)
        for point in points(series, profile.bucket_s, HEAT_BUCKETS)
    ]
    if not rows:
        return None
    return {
        "$schema": SCHEMA,
        "width": "container",
        "height": {"step": max(22, 66 // len({row["g"] for row in rows}))},
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": rows},
        "mark": {"type": "rect", "tooltip": True},
        "encoding": {
            "x": {
                "field": "a",
                "type": "quantitative",
                "title": axis,
                "scale": {"nice": False},
                "axis": {"grid": False, "labelOverlap": True, "tickCount": 10},
            },
            "x2": {"field": "b"},
            "y": {"field": "g", "type": "ordinal", "title": "GPU"},
            "color": {
                "field": "v",
                "type": "quantitative",
                "title": metric_name(metric, locale),
                "scale": {"scheme": "viridis", "domain": [0, 100]},
            },
        },
    }


def time_series(profile: Profile, thresholds: Sequence[Line], locale: str) -> Spec | None:
    """One panel a metric, the time axis shared: drag to move, Shift and wheel to zoom, double click to reset."""
    unit_s, axis = _time_axis(profile.summary.duration_s, locale)
    shown = [metric for metric in PANELS if _of(profile, metric)]
    panels = [
        _panel(
            profile, metric, [line for line in thresholds if line.metric == metric], unit_s, locale, axis if metric == shown[-1] else None
        )
        for metric in shown
    ]
    if not panels:
        return None
    bands = [
        {"a": _short(phase.from_s / unit_s), "b": _short(phase.to_s / unit_s), "p": render(message(f"phase.{phase.name.value}"), locale)}
        for phase in profile.phases
    ]
    return {
        "$schema": SCHEMA,
        "datasets": {"phases": bands},
        "vconcat": panels,
        "spacing": 12,
        "resolve": {"scale": {"x": "shared", "color": "independent", "fill": "independent"}},
        "config": {"axisY": {"minExtent": 56, "maxExtent": 56}},
    }


def _panel(profile: Profile, metric: str, lines: Sequence[Line], unit_s: float, locale: str, axis: str | None) -> Spec:
    found = _of(profile, metric)
    rows: dict[float, dict[str, float]] = {}
    for series in found:
        for point in points(series, profile.bucket_s, LINE_BUCKETS):
            at = _short((point.begin_s + point.end_s) / 2 / unit_s)
            row = rows.setdefault(at, {"t": at, "lo": _short(point.low), "hi": _short(point.high)})
            row["lo"], row["hi"] = min(row["lo"], _short(point.low)), max(row["hi"], _short(point.high))
            row[f"GPU {series.gpu}"] = _short(point.mean)
    names = [f"GPU {series.gpu}" for series in found]
    if len(found) > MOST_LINES:
        names = [render(message("chart.all_gpus"), locale)]
        for row in rows.values():
            means = [value for key, value in row.items() if key.startswith("GPU ")]
            row[names[0]] = _short(sum(means) / len(means))
        rows = {at: {key: value for key, value in row.items() if not key.startswith("GPU ")} for at, row in rows.items()}
    y = {
        "type": "quantitative",
        "title": metric_name(metric, locale),
        "scale": {"domain": [0, 100]} if metric in PERCENT else {"zero": False},
        "axis": {"format": ",.0f", "tickMinStep": 1, "tickCount": 4},
    }
    x = {
        "field": "t",
        "type": "quantitative",
        "title": axis,
        "scale": {"nice": False},
        "axis": {"grid": False, "labels": axis is not None, "labelOverlap": True, "tickCount": 10},
    }
    return {
        "width": "container",
        "height": 92,
        "data": {"values": [rows[at] for at in sorted(rows)]},
        "layer": [
            *_bands(profile.phases, locale),
            {
                "mark": {"type": "area", "opacity": 0.18, "color": "#0072b2"},
                "encoding": {"x": x, "y": {**y, "field": "lo"}, "y2": {"field": "hi"}},
            },
            {
                "transform": [{"fold": names, "as": ["gpu", "value"]}],
                "params": [
                    {
                        "name": f"zoom_{metric}",
                        "select": {"type": "interval", "encodings": ["x"], "zoom": "wheel![event.shiftKey]"},
                        "bind": "scales",
                    }
                ],
                "mark": {"type": "line", "strokeWidth": 1.2, "tooltip": True},
                "encoding": {
                    "x": x,
                    "y": {**y, "field": "value"},
                    "color": {
                        "field": "gpu",
                        "type": "nominal",
                        "sort": names,
                        "title": None,
                        "legend": {"orient": "top", "columns": 4, "symbolType": "stroke"}
                        if axis is None and metric == metrics.SM
                        else None,
                    },
                },
            },
            *[_threshold(line) for line in lines],
        ],
    }


def _bands(phases: Sequence[Phase], locale: str) -> list[Spec]:
    if not phases:
        return []
    names = [render(message(f"phase.{name}"), locale) for name in PHASE_COLOURS]
    return [
        {
            "data": {"name": "phases"},
            "mark": {"type": "rect", "opacity": 0.13, "tooltip": True},
            "encoding": {
                "x": {"field": "a", "type": "quantitative"},
                "x2": {"field": "b"},
                "fill": {
                    "field": "p",
                    "type": "nominal",
                    "scale": {"domain": names, "range": list(PHASE_COLOURS.values())},
                    "legend": None,
                },
            },
        }
    ]


def _threshold(line: Line) -> Spec:
    values = [{"y": line.value, "r": f"{line.rule}: {line.value:g}"}]
    return {
        "data": {"values": values},
        "layer": [
            {"mark": {"type": "rule", "strokeDash": [5, 4], "color": "#d55e00"}, "encoding": {"y": {"field": "y", "type": "quantitative"}}},
            {
                "mark": {"type": "text", "align": "left", "baseline": "top", "dx": 4, "dy": 3, "color": "#d55e00", "fontSize": 10},
                "encoding": {"y": {"field": "y", "type": "quantitative"}, "x": {"value": 0}, "text": {"field": "r"}},
            },
        ],
    }


def _of(profile: Profile, metric: str) -> list[Series]:
    return [series for series in profile.series if series.metric == metric and series.bucket]


def _time_axis(duration_s: float, locale: str) -> tuple[float, str]:
    """Seconds of the axis's unit, and its title."""
    if duration_s <= 600:
        return 1.0, render(message("chart.seconds"), locale)
    if duration_s <= hours(5):
        return 60.0, render(message("chart.minutes"), locale)
    return float(hours(1)), render(message("chart.hours"), locale)


def _short(value: float) -> float:
    return float(f"{value:.5g}")
