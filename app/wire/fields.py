"""Reads a document key by key: every value typed, bounded and named by its path, every key known. Numbers become exact decimals."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, TypeVar

from app.domain.errors import InvalidInput

Choice = TypeVar("Choice", bound=StrEnum)
LONGEST_NUMBER = 40  # characters; longer ones are typing accidents
LONGEST_TEXT = 120
ANY = Decimal("1e12")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Least and greatest value; `above_least` excludes the least itself."""

    least: Decimal = Decimal(0)
    most: Decimal = ANY
    above_least: bool = False


AMOUNT = Bounds()
POSITIVE = Bounds(above_least=True)
SHARE = Bounds(most=Decimal(1))


@dataclass(frozen=True, slots=True)
class Fields:
    """An object of a document and its path."""

    data: Mapping[str, Any]
    path: str = ""

    def at(self, key: str) -> str:
        """The path of one of its keys."""
        return f"{self.path}.{key}" if self.path else key

    def has(self, key: str) -> bool:
        """The key is there and not null."""
        return self.data.get(key) is not None

    def only(self, *known: str) -> None:
        """InvalidInput: there is another key."""
        for key in self.data:
            if key not in known:
                raise InvalidInput(self.at(str(key))[:LONGEST_TEXT], "document.unknown_key")

    def number(self, key: str, bounds: Bounds = AMOUNT, default: Decimal | None = None) -> Decimal:
        """A number, written as one or as its decimal text. Without a default it must be there."""
        value = self.data.get(key)
        if value is None:
            if default is None:
                raise InvalidInput(self.at(key), "document.missing")
            return default
        return read_number(value, self.at(key), bounds)

    def whole(self, key: str, bounds: Bounds, default: int) -> int:
        """A whole number."""
        number = self.number(key, bounds, Decimal(default))
        if number != number.to_integral_value():
            raise InvalidInput(self.at(key), "document.not_whole")
        return int(number)

    def text(self, key: str, default: str | None = None) -> str:
        """A text of printable characters."""
        value = self.data.get(key)
        if value is None and default is not None:
            return default
        if value is None:
            raise InvalidInput(self.at(key), "document.missing")
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise InvalidInput(self.at(key), "document.not_text")
        if len(value) > LONGEST_TEXT:
            raise InvalidInput(self.at(key), "document.too_long", limit=LONGEST_TEXT)
        return value.strip()

    def choice(self, key: str, choices: type[Choice], default: Choice | None = None) -> Choice:
        """One value of an enumeration."""
        typed = self.text(key, None if default is None else default.value)
        try:
            return choices(typed)
        except ValueError:
            known = ", ".join(choice.value for choice in choices)
            raise InvalidInput(self.at(key), "document.not_a_choice", typed=typed, choices=known) from None

    def object(self, key: str) -> "Fields":
        """An object below; an absent one is empty."""
        value = self.data.get(key)
        return read_object({} if value is None else value, self.at(key))

    def list(self, key: str, most: int) -> tuple["Fields", ...]:
        """Objects in a list; an absent list is empty."""
        value = self.data.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise InvalidInput(self.at(key), "document.not_a_list")
        if len(value) > most:
            raise InvalidInput(self.at(key), "document.too_many", limit=most)
        return tuple(read_object(entry, f"{self.at(key)}[{index}]") for index, entry in enumerate(value))


def read_object(value: Any, path: str) -> Fields:
    """An object with named keys."""
    if not isinstance(value, Mapping):
        raise InvalidInput(path or "document", "document.not_an_object")
    return Fields(value, path)


def read_number(value: Any, path: str, bounds: Bounds) -> Decimal:
    """A finite number within bounds; true and false are none."""
    number = _decimal(value, path)
    if not number.is_finite():
        raise InvalidInput(path, "document.not_finite")
    if number < bounds.least or number > bounds.most or (bounds.above_least and number == bounds.least):
        code = "document.not_above" if bounds.above_least else "document.out_of_range"
        raise InvalidInput(path, code, least=_plain(bounds.least), most=_plain(bounds.most))
    return number


def _decimal(value: Any, path: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InvalidInput(path, "document.not_a_number")
    if isinstance(value, int) and value.bit_length() > 4 * LONGEST_NUMBER:
        return Decimal("1e99") if value > 0 else Decimal("-1e99")  # out of any bounds, without a conversion that Python limits
    text = repr(value) if isinstance(value, float) else str(value).strip()
    try:
        if len(text) > LONGEST_NUMBER:
            raise InvalidOperation
        return Decimal(text)
    except InvalidOperation:
        raise InvalidInput(path, "document.not_a_number") from None


def _plain(number: Decimal) -> str:
    return f"{number:,f}"
