"""What a diagnosis rule is."""

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.diagnosis.case import Case
from app.domain.diagnosis.types import Diagnosis


@dataclass(frozen=True, slots=True)
class Rule:
    """`judge` returns its verdict, or None when the rule is not met or the log lacks what it reads."""

    id: str
    judge: Callable[[Case], Diagnosis | None]
