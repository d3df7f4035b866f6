"""A number with its range, where it comes from, and how it was reached."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from math import sqrt

from app.domain.errors import Message


class Basis(IntEnum):
    """How well a number is founded, strongest first: a result takes the weakest of its inputs."""

    MEASURED = 1
    TRIAL = 2
    PUBLISHED = 3
    VENDOR = 4
    MODELLED = 5
    ASSUMED = 6


@dataclass(frozen=True, slots=True)
class Estimate:
    """10th, 50th and 90th percentile of a quantity, in the base unit that its holder's name says."""

    low: float
    typical: float
    high: float
    basis: Basis = Basis.MODELLED

    def __post_init__(self) -> None:
        if not self.low <= self.typical <= self.high:
            raise ValueError(f"unordered estimate {self.low} {self.typical} {self.high}")

    def scaled(self, factor: float) -> "Estimate":
        """The same estimate in another unit or for `factor` times as much; a negative factor would swap the bounds."""
        assert factor >= 0
        return Estimate(self.low * factor, self.typical * factor, self.high * factor, self.basis)


def exact(value: float, basis: Basis = Basis.MODELLED) -> Estimate:
    """A value without a range."""
    return Estimate(value, value, value, basis)


def spread(fn: Callable[..., float], **inputs: Estimate) -> Estimate:
    """`fn` at the typical inputs; the range combines, in quadrature, what each input alone moves it at its low and at its high.

    Independent terms: corners together would cover too much. Source: first-order propagation of uncertainty (JCGM 100:2008, 5.1.2)."""
    centre = {name: value.typical for name, value in inputs.items()}
    typical = fn(**centre)
    below = above = 0.0
    for name, value in inputs.items():
        moved = [fn(**{**centre, name: end}) - typical for end in (value.low, value.high) if end != value.typical]
        below += min([0.0, *moved]) ** 2
        above += max([0.0, *moved]) ** 2
    basis = max((value.basis for value in inputs.values()), default=Basis.MODELLED)
    return Estimate(typical - sqrt(below), typical, typical + sqrt(above), basis)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One ingredient of a step: its symbol in the formula, its value in `unit`, and the source or the key of the step that made it."""

    symbol: str
    value: float | str
    unit: str = ""
    source: str = ""
    step: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line of a derivation that a buyer can check by hand.

    `key` names the figure ("memory.weights"), `formula` is written in the symbols of the inputs, `result` stands in `unit`, a printable unit
    ("GiB", "s", "W", "USD", "1"). `rule` is the handbook's id where there is one, `source` says where the formula comes from."""

    key: str
    formula: str
    inputs: tuple[Input, ...]
    result: float | str
    unit: str
    source: str
    rule: str | None = None
    basis: Basis = Basis.MODELLED


Derivation = tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """What was assumed because nobody said: the contract's field name, the value as it would be written there, and why."""

    field: str
    value: str | int | float | bool | None
    why: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something the reader must know about an option: a handbook rule (or own code), how grave, and the evidence."""

    rule: str
    severity: str  # blocker | warning | note
    text: Message
    evidence: Message | None = None


def by_key(steps: Derivation) -> Mapping[str, Step]:
    """The steps of a derivation by the figure they make."""
    return {step.key: step for step in steps}
