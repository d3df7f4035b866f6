"""Cash out over time."""

from typing import Any

from app.domain.cost import TcoResult
from app.domain.errors import message
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
            "color": {"field": "o", "type": "nominal", "title": None, "legend": {"orient": "top"}},
            "tooltip": [
                {"field": "o", "title": " "},
                {"field": "m", "title": month},
                {"field": "c", "title": cash, "format": ",.0f"},
            ],
        },
    }
    layers = [lines, *_paid_back(tco, locale)]
    return {"$schema": SCHEMA, "width": "container", "height": 260, "data": {"values": values}, "layer": layers}


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
