"""Answers with gaps: typed look-ups, and the list of what was assumed while filling the gaps."""

from collections.abc import Mapping
from typing import TypeVar

from app.domain.errors import Param, message
from app.domain.estimate import Assumption
from app.domain.intake.fields import BY_PATH, Answers
from app.domain.money import Money

T = TypeVar("T", str, int, float, bool)


class Gaps:
    """`known` and `assumed` read an answer; `assumed` also notes, in the contract's unit, what stands in for a missing one and why."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self.assumptions: list[Assumption] = []

    def number(self, path: str) -> float | None:
        """A number in base units, or None: don't know."""
        value = self._answers.get(path)
        return float(value) if isinstance(value, int | float) else None

    def text(self, path: str) -> str | None:
        """A text or choice, or None: don't know."""
        value = self._answers.get(path)
        return value if isinstance(value, str) and value else None

    def lines(self, path: str) -> tuple[str, ...]:
        """A list; unknown is empty."""
        value = self._answers.get(path)
        return value if isinstance(value, tuple) else ()

    def money(self, path: str) -> Money | None:
        """An amount, or None: don't know."""
        value = self._answers.get(path)
        return value if isinstance(value, Money) else None

    def or_assume(self, path: str, default: T, code: str, **params: Param) -> T:
        """The answer, or the default, noted as assumed."""
        value = self._answers.get(path)
        if value is None or value == "":
            self.note(path, default, code, **params)
            return default
        return type(default)(value)  # type: ignore[arg-type]  # fields.py has checked the kind already

    def note(self, path: str, value: str | int | float | bool | None, code: str, **params: Param) -> None:
        """An assumption about `path`; numbers are given in base units and noted in the contract's unit."""
        field = BY_PATH.get(path)
        if field and isinstance(value, float | int) and not isinstance(value, bool):
            value = field.written(float(value))
        self.assumptions.append(Assumption(field=path, value=value, why=message(f"intake.assumed.{code}", **params)))

    def note_unknown(self, codes: Mapping[str, str]) -> None:
        """Notes, for each of these paths that nobody answered, that nothing binds."""
        for path, code in codes.items():
            if self._answers.get(path) in (None, "", ()):
                self.note(path, None, code)

    def any_in(self, section: str) -> bool:
        """Whether anything at all is known in a section."""
        return any(path.startswith(f"{section}.") and value not in (None, "", ()) for path, value in self._answers.items())
