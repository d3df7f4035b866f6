"""What measured evidence changes in a plan: how roles weigh, what counts as meeting the need, and what to do before buying."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.diagnosis import Diagnosis
from app.domain.errors import Message, message

SILENT = ("healthy", "inconclusive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """`speed_is_bandwidth`: speed is weighed by memory bandwidth. `weights`: factors on the roles' weights. `room_ratio`: share of the card to use."""

    speed_is_bandwidth: bool = False
    weights: Mapping[str, float]
    room_ratio: float | None = None
    advice: tuple[Message, ...] = ()


NO_EFFECT = Effect(weights={})
_EFFECTS: Mapping[str, Effect] = {
    "memory-bandwidth-bound": Effect(speed_is_bandwidth=True, weights={}),  # R-D2
    "memory-capacity": Effect(weights={"memory": 2.0}, room_ratio=0.7),  # R-D3: a tenth more than R-M5 asks
    "communication-bound": Effect(weights={"link": 2.0}),  # R-D6
}


def effect_of(diagnosis: Diagnosis | None) -> Effect:
    """The effect of a verdict on the plan; none where there is no evidence or it says nothing."""
    if diagnosis is None or diagnosis.verdict in SILENT:
        return NO_EFFECT
    known = _EFFECTS.get(diagnosis.verdict, NO_EFFECT)
    advice = (message(f"selection.advice.{diagnosis.verdict}"), diagnosis.advice)
    return Effect(speed_is_bandwidth=known.speed_is_bandwidth, weights=known.weights, room_ratio=known.room_ratio, advice=advice)
