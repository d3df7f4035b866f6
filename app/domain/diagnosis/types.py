"""Verdicts, and what a rule says."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from app.domain.errors import Message


class Verdict(StrEnum):
    """What holds the GPUs back, or that nothing does, or that the log cannot tell."""

    COMPUTE_BOUND = "compute-bound"
    MEMORY_BANDWIDTH_BOUND = "memory-bandwidth-bound"
    MEMORY_CAPACITY = "memory-capacity"
    PCIE_BOUND = "pcie-bound"
    INPUT_STARVED = "input-starved"
    COMMUNICATION_BOUND = "communication-bound"
    THROTTLED = "throttled"
    IMBALANCED = "imbalanced"
    BUSY_WAITING = "busy-waiting"
    LOW_MFU = "low-mfu"
    IDLE = "idle"
    HEALTHY = "healthy"
    INCONCLUSIVE = "inconclusive"


class Confidence(IntEnum):
    """How sure a verdict is."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3

    @property
    def word(self) -> str:
        """As the profile prints it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """A verdict on some GPUs: the evidence it rests on, what to do before buying, and the command that would settle a doubt."""

    rule: str  # a rule of the handbook, or the verdict itself where no rule was met
    verdict: Verdict
    confidence: Confidence
    gpus: tuple[int, ...]
    headline: Message
    evidence: tuple[Message, ...]
    advice: Message
    command: str | None = None
