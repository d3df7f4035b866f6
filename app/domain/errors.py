"""What can go wrong, and what can be said, without words.

Words are made at the edge in the reader's language: the domain hands out a `Message`, a stable code with its parameters. A parameter's name
carries its unit as everywhere (`needed_bytes`, `power_w`, `share_ratio`), which is how the text layer knows how to print it.

    DomainError
    ├── InvalidInput   the input is wrong: names the field
    ├── NotFound       no such thing
    ├── Conflict       somebody else was first, or it exists already
    └── DataMissing    a fact is unknown; selection eliminates the option with that reason
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say: the code picks the sentence, the parameters fill it."""

    code: str
    params: Mapping[str, "Param"] = field(default_factory=lambda: MappingProxyType({}))

    def __hash__(self) -> int:
        return hash(self.code)  # equal messages have equal codes; a mapping has no hash of its own


Param = str | int | float | Message | None


def message(code: str, **params: Param) -> Message:
    """A `Message` written as one call: `message("fit.memory", needed_bytes=…, available_bytes=…)`."""
    return Message(code, MappingProxyType(params))


class DomainError(Exception):
    """Broken input or a broken premise. `message` says which, `field` where, when there is a where."""

    def __init__(self, code: str, *, field: str | None = None, **params: Param) -> None:
        super().__init__(code if field is None else f"{field}: {code}")
        self.message = message(code, **params)
        self.field = field


class InvalidInput(DomainError):
    """The named field holds something that cannot be used."""

    def __init__(self, field: str, code: str, **params: Param) -> None:
        super().__init__(code, field=field, **params)
        self.field: str = field


class NotFound(DomainError):
    """No such thing."""


class Conflict(DomainError):
    """Another one exists, or the thing changed since it was read."""


class DataMissing(DomainError):
    """A fact that the formula needs is unknown. Nothing is invented in its place."""
