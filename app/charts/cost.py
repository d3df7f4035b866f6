"""Cash out over time."""

from typing import Any

from app.domain.cost import TcoResult
from app.domain.cost.sensitivity import Bin, Swing
from app.domain.errors import message
from app.domain.money import Currency
from app.text.render import render

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


def cumulative(tco: TcoResult, locale: str) -> dict[str, Any]:
    """Cumulative cash of every option by month, with a rule at the month in which the larger start is paid back."""
    names = {option.option.name: option_name(option.option.name, locale) for option in tco.options}
    values = [
        {"m": month, "o": names[option.option.name], "c": round(amount, 2)}
        for option in tco.options
        for month, amount in enumerate(option.cumulative)
    ]
    month, cash = (_said(f"cost.chart.{key}", locale) for key in ("month", "cash"))
    lines: dict[str, Any] = {
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": {
            "x": {
                "field": "m",
                "type": "quantitative",
                "title": month,
                "axis": {"tickMinStep": 6},
                "scale": {"domain": [0, tco.scenario.month_count], "nice": False},
            },
            "y": {"field": "c", "type": "quantitative", "title": f"{cash} ({tco.scenario.currency.value})", "axis": {"format": "~s"}},
            "color": {"field": "o", "type": "nominal", "title": None, "sort": list(names.values()), "legend": {"orient": "top"}},
            "tooltip": [
                {"field": "o", "title": " "},
                {"field": "m", "title": month},
                {"field": "c", "title": cash, "format": ",.0f"},
            ],
        },
    }
    layers = [lines, *_paid_back(tco, locale)]
    return {"$schema": SCHEMA, "width": "container", "height": 260, "data": {"values": values}, "layer": layers}


def tornado(swings: tuple[Swing, ...], currency: Currency, locale: str) -> dict[str, Any]:
    """What the first option saves with one input at its low or high; the line is where the decision turns."""
    ends = {"low": _said("cost.chart.at_low", locale), "high": _said("cost.chart.at_high", locale)}
    names = {swing.driver: _said(f"cost.driver.{swing.driver.value}", locale) for swing in swings}
    values = [
        {"d": names[swing.driver], "e": ends[end], "s": round(amount)}
        for swing in swings
        for end, amount in (("low", swing.at_low), ("high", swing.at_high))
    ]
    saving = f"{_said('cost.chart.saving', locale)} ({currency.value})"
    y = {"field": "d", "type": "nominal", "title": None, "sort": list(names.values()), "axis": {"labelLimit": 130}}
    x = {"field": "s", "type": "quantitative", "title": saving, "axis": {"format": "~s"}, "scale": {"zero": False}}
    span: dict[str, Any] = {
        "mark": {"type": "line", "color": "#737b84", "strokeWidth": 6, "opacity": 0.4},
        "encoding": {"y": y, "x": x, "detail": {"field": "d"}},
    }
    dots: dict[str, Any] = {
        "mark": {"type": "point", "filled": True, "size": 90},
        "encoding": {
            "y": y,
            "x": x,
            "color": {"field": "e", "type": "nominal", "title": None, "legend": {"orient": "top"}},
            "tooltip": [{"field": "d", "title": " "}, {"field": "e", "title": " "}, {"field": "s", "title": saving, "format": ",.0f"}],
        },
    }
    zero = {
        "data": {"values": [{"z": 0}]},
        "mark": {"type": "rule", "strokeDash": [4, 4]},
        "encoding": {"x": {"field": "z", "type": "quantitative"}},
    }
    return {"$schema": SCHEMA, "width": "container", "height": {"step": 26}, "data": {"values": values}, "layer": [span, dots, zero]}


def distribution(bins: tuple[Bin, ...], currency: Currency, locale: str) -> dict[str, Any]:
    """How often each total is drawn."""
    names = {entry.option: option_name(entry.option, locale) for entry in bins}
    values = [{"o": names[entry.option], "a": round((entry.low + entry.high) / 2), "c": entry.count} for entry in bins]
    return {
        "$schema": SCHEMA,
        "width": "container",
        "height": 200,
        "data": {"values": values},
        "mark": {"type": "area", "interpolate": "step", "opacity": 0.45, "line": True},
        "encoding": {
            "x": {
                "field": "a",
                "type": "quantitative",
                "title": f"{_said('cost.total', locale)} ({currency.value})",
                "axis": {"format": "~s"},
                "scale": {"zero": False},
            },
            "y": {"field": "c", "type": "quantitative", "stack": None, "title": _said("cost.chart.draws", locale)},
            "color": {"field": "o", "type": "nominal", "title": None, "sort": list(names.values()), "legend": {"orient": "top"}},
        },
    }


def option_name(name: str, locale: str) -> str:
    """The heading of an option."""
    return _said(f"sheet.column.{name}", locale) if name in ("own", "rent", "racks") else name


def _paid_back(tco: TcoResult, locale: str) -> list[dict[str, Any]]:
    month = tco.comparisons[0].payback_months if tco.comparisons else None
    if month is None:
        return []
    data = {"values": [{"x": round(month, 1), "t": _said("cost.chart.paid_back", locale)}]}
    x = {"field": "x", "type": "quantitative"}
    return [
        {"data": data, "mark": {"type": "rule", "strokeDash": [4, 4], "color": "#737b84"}, "encoding": {"x": x}},
        {
            "data": data,
            "mark": {"type": "text", "align": "left", "dx": 4, "baseline": "top", "color": "#737b84"},
            "encoding": {"x": x, "y": {"value": 4}, "text": {"field": "t"}},
        },
    ]


def _said(code: str, locale: str) -> str:
    return render(message(code), locale)
