"""Rows side by side: where they differ, and which is better where more or less of a figure is better."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LEAST_COUNT, MOST_COUNT = 2, 5


@dataclass(frozen=True, slots=True)
class Compared:
    """One field of all rows: whether they differ, and the places of the best, if that has a meaning. What is unknown is never best."""

    field: str
    differs: bool
    best: frozenset[int]


def compare(rows: Sequence[Any], field: str, better: str | None) -> Compared:
    """How rows stand in a field; `better` is "more", "less" or nothing."""
    values = [getattr(row, field) for row in rows]
    known = [value for value in values if value is not None and value != ()]
    differs = len(set(map(str, values))) > 1
    best: frozenset[int] = frozenset()
    if better and len(set(known)) > 1:
        wanted = max(known) if better == "more" else min(known)
        best = frozenset(place for place, value in enumerate(values) if value == wanted)
    return Compared(field, differs, best)
