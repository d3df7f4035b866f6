"""Reads what a command is given: a file or `-`, JSON or YAML; writes what it answers."""

import json
import sys
from pathlib import Path
from typing import Any, BinaryIO

import yaml

from app.domain.errors import InvalidInput

STANDARD_INPUT = "-"


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. InvalidInput: it cannot be read."""
    try:
        return standard_input().read() if name == STANDARD_INPUT else Path(name).read_bytes()
    except OSError as error:
        raise InvalidInput(name, "input.unreadable", reason=error.strerror or "") from None


def standard_input() -> BinaryIO:
    """What is piped in. InvalidInput: it was closed before the command started."""
    if sys.stdin is None:
        raise InvalidInput(STANDARD_INPUT, "input.closed")
    return sys.stdin.buffer


def parse_document(text: str | bytes, name: str) -> Any:
    """A JSON or YAML document. InvalidInput: it is neither, with the line where reading stopped."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # also text that is not UTF-8, and whole numbers of more than 4300 digits
        pass
    try:
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InvalidInput(name, "input.not_a_document", line=line) from None
    except (yaml.YAMLError, RecursionError, ValueError):
        raise InvalidInput(name, "input.not_a_document", line=1) from None


def document_text(answer: Any, indent: int | None = 2) -> str:
    """An answer as JSON. Lone surrogates, which `\\ud800` in a document makes, stay escapes: no output can hold them."""
    return json.dumps(answer, indent=indent, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")
