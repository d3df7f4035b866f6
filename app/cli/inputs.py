"""Reads what a command is given: a file or `-`, JSON or YAML."""

import json
import sys
from pathlib import Path
from typing import Any

import yaml

from app.domain.errors import InvalidInput

STANDARD_INPUT = "-"


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. InvalidInput: it cannot be read."""
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InvalidInput(name, "input.unreadable", reason=error.strerror or "") from None


def parse_document(text: str | bytes, name: str) -> Any:
    """A JSON or YAML document. InvalidInput: it is neither, with the line where reading stopped."""
    try:
        return json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InvalidInput(name, "input.not_a_document", line=line) from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError):
        raise InvalidInput(name, "input.not_a_document", line=1) from None
