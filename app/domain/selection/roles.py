"""Four roles, each with its own weights (R-S8): the short list is a table of roles, not one champion."""

from collections.abc import Mapping, Sequence
from math import log

from app.domain.selection.plan import Merits

LOWER_IS_BETTER = ("cost", "power")


def scores(merits: Sequence[Merits], weights: Mapping[str, float], factors: Mapping[str, float]) -> list[float]:
    """Score 0–100 a candidate: the weighted sum of merits, each placed between the worst (0) and the best (1) of the list on a log scale.

    `factors` is what measured evidence does to the weights; they are scaled back to a sum of one."""
    total = [0.0] * len(merits)
    if not merits:
        return total
    for name, weight in normal(weights, factors).items():
        values = [log(max(merit.of(name), 1e-12)) for merit in merits]
        low, high = min(values), max(values)
        for index, value in enumerate(values):
            place = (value - low) / (high - low) if high > low else 1.0
            total[index] += 100 * weight * (1 - place if name in LOWER_IS_BETTER and high > low else place)
    return total


def normal(weights: Mapping[str, float], factors: Mapping[str, float]) -> dict[str, float]:
    """Weights with their factors, scaled to a sum of one."""
    weighed = {name: weight * factors.get(name, 1.0) for name, weight in weights.items() if weight > 0}
    return {name: weight / sum(weighed.values()) for name, weight in weighed.items()}
