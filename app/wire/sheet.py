"""A configuration sheet as the document that is stored, hashed and handed out: canonical JSON, read back to the same sheet."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from enum import Enum
from functools import cache
from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter

from app.domain.errors import Message
from app.domain.estimate import Estimate, Step
from app.domain.money import Money
from app.domain.sheet import ConfigurationSheet
from app.text.render import fixed


def canonical(sheet: ConfigurationSheet) -> str:
    """The sheet as JSON with sorted keys and no spaces: one sheet, one text."""
    return canonical_text(_plain(sheet))


def with_fixed_words(sheet: ConfigurationSheet) -> ConfigurationSheet:
    """The sheet with every sentence as it is said now, in all languages: what was signed is never worded anew by a later release."""
    worded = _worded(sheet)
    assert isinstance(worded, ConfigurationSheet)
    return worded


def canonical_text(document: Any) -> str:
    """Any JSON value in the canonical form."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def read_sheet(document: str) -> ConfigurationSheet:
    """The sheet that a stored document holds."""
    return _adapter().validate_json(document)


def fingerprint(document: str) -> str:
    """SHA-256 of the canonical document, in hexadecimal."""
    return sha256(document.encode()).hexdigest()


def _worded(value: Any) -> Any:
    if isinstance(value, Message):
        return fixed(value)
    if isinstance(value, tuple):
        return tuple(_worded(entry) for entry in value)
    if is_dataclass(value) and not isinstance(value, type) and not isinstance(value, Money | Estimate | Step):
        return replace(value, **{part.name: _worded(getattr(value, part.name)) for part in fields(value)})
    return value


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Enum):
        return value.value
    return f"{value:f}" if isinstance(value, Decimal) else value


@cache
def _adapter() -> TypeAdapter[ConfigurationSheet]:
    return TypeAdapter(ConfigurationSheet)
