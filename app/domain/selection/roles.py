"""Four roles, each with its own weights (R-S8): the short list is a table of roles, not one champion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from app.domain.selection.plan import Role

WEIGHTS: Mapping[Role, Mapping[str, float]] = {
    # development wants cheap and roomy; one node training wants speed for money over a fast link; inference wants work per watt;
    # a cluster wants the link above all (handbook §6, documents 002 and 004; the numbers are our reading of them, visible on the page)
    Role.DEVELOPMENT: {"cost": 0.5, "memory": 0.3, "speed": 0.1, "power": 0.1},
    Role.SINGLE_NODE_TRAINING: {"cost": 0.3, "speed": 0.3, "memory": 0.2, "link": 0.2},
    Role.LOW_POWER_INFERENCE: {"cost": 0.3, "speed_per_watt": 0.4, "power": 0.3},
    Role.CLUSTER_TRAINING: {"link": 0.35, "speed": 0.35, "memory": 0.15, "cost": 0.15},
}
LOWER_IS_BETTER = ("cost", "power")


@dataclass(frozen=True, slots=True, kw_only=True)
class Merits:
    """The facts that roles weigh, of one candidate."""

    cost: float  # total cost of ownership, in the plan's currency
    speed: float  # useful work a second of the whole configuration
    memory: float  # bytes of device memory a GPU
    link: float  # bytes a second between two GPUs
    power: float  # watts of the whole configuration

    def of(self, name: str) -> float:
        """A merit by its name in the weights."""
        return self.speed / self.power if name == "speed_per_watt" else float(getattr(self, name))


def scores(merits: Sequence[Merits], role: Role, factors: Mapping[str, float]) -> list[float]:
    """Score 0–100 a candidate: the weighted sum of merits, each placed between the worst (0) and the best (1) of the list on a log scale.

    `factors` is what measured evidence does to the weights; they are scaled back to a sum of one."""
    total = [0.0] * len(merits)
    if not merits:
        return total
    weights = {name: weight * factors.get(name, 1.0) for name, weight in WEIGHTS[role].items()}
    for name, weight in ((name, weight / sum(weights.values())) for name, weight in weights.items()):
        values = [log(max(merit.of(name), 1e-12)) for merit in merits]
        low, high = min(values), max(values)
        for index, value in enumerate(values):
            place = (value - low) / (high - low) if high > low else 1.0
            total[index] += 100 * weight * (1 - place if name in LOWER_IS_BETTER and high > low else place)
    return total
