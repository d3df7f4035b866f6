"""Candidates by time and cost, energy as size."""

from collections.abc import Sequence
from typing import Any

from app.charts.cost import SCHEMA
from app.domain.errors import message
from app.domain.selection import Candidate
from app.domain.units import as_hours
from app.text.render import render


def pareto(candidates: Sequence[Candidate], locale: str) -> dict[str, Any]:
    """Every candidate as a point: hours of a run (for a service: requests a second) against the cost of owning; the front apart from the rest."""
    best = front(candidates)
    words = {key: _said(f"options.chart.{key}", locale) for key in ("front", "rest", "hours", "requests", "cost", "power")}
    timed = all(candidate.duration_s is not None for candidate in candidates)
    values = [
        {
            "n": f"{candidate.gpu_count} × {candidate.gpu.name}",
            "x": round(_work(candidate), 3),
            "y": float(candidate.tco.options[0].total.amount),
            "p": round(candidate.merits.power / 1000, 2),
            "k": words["front"] if index in best else words["rest"],
        }
        for index, candidate in enumerate(candidates)
    ]
    currency = candidates[0].tco.scenario.currency.value
    return {
        "$schema": SCHEMA,
        "width": "container",
        "height": 280,
        "data": {"values": values},
        "mark": {"type": "point", "filled": True, "opacity": 0.85},
        "encoding": {
            "x": _axis("x", words["hours"] if timed else words["requests"]),
            "y": {**_axis("y", f"{words['cost']} ({currency})"), "axis": {"format": "~s"}},
            "size": {"field": "p", "type": "quantitative", "title": words["power"], "legend": {"orient": "bottom"}},
            "color": {"field": "k", "type": "nominal", "title": None, "legend": {"orient": "top"}},
            "tooltip": [
                {"field": "n", "title": " "},
                {"field": "x"},
                {"field": "y", "format": ",.0f"},
                {"field": "p", "title": words["power"]},
            ],
        },
    }


def front(candidates: Sequence[Candidate]) -> frozenset[int]:
    """Positions of candidates that no other beats in both time and cost."""
    merits = [(_slowness(candidate), float(candidate.tco.options[0].total.amount)) for candidate in candidates]
    return frozenset(
        index for index, (slow, cost) in enumerate(merits) if not any(a <= slow and b <= cost and (a, b) != (slow, cost) for a, b in merits)
    )


def _work(candidate: Candidate) -> float:
    return as_hours(candidate.duration_s.typical) if candidate.duration_s else candidate.merits.speed


def _slowness(candidate: Candidate) -> float:
    return candidate.duration_s.typical if candidate.duration_s else -candidate.merits.speed


def _axis(field: str, title: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "title": title, "scale": {"zero": False, "type": "log"}}


def _said(code: str, locale: str) -> str:
    return render(message(code), locale)
