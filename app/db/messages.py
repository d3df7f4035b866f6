"""Messages as JSON, nested ones included."""

from collections.abc import Mapping
from typing import Any

from app.domain.errors import Message, Param, message


def dump(said: Message) -> dict[str, Any]:
    """A message as plain JSON."""
    return {
        "code": said.code,
        "params": {name: dump(value) if isinstance(value, Message) else value for name, value in said.params.items()},
    }


def load(stored: Mapping[str, Any]) -> Message:
    """The message that was stored."""
    params: dict[str, Param] = {name: load(value) if isinstance(value, dict) else value for name, value in stored["params"].items()}
    return message(stored["code"], **params)
