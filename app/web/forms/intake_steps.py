"""The line of links above every page of the Workload step."""

from dataclasses import dataclass

from app.domain.errors import Message, message
from app.domain.intake.draft import KEYS


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionStep:
    """One of the five questions."""

    key: str
    name: Message
    is_answered: bool


def question_steps(answered: tuple[str, ...]) -> tuple[QuestionStep, ...]:
    """The five questions in order."""
    return tuple(QuestionStep(key=key, name=message(f"intake.question.{key}"), is_answered=key in answered) for key in KEYS)
