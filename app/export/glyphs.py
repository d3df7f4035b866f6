"""Signs that the embedded fonts have no picture for, written out: `🚀` becomes `[rocket]`, so nothing that people typed is lost on paper."""

from typing import Any
from unicodedata import name

JOINERS = dict.fromkeys((0x200D, 0xFE0E, 0xFE0F))  # they only shape the sign before them
PICTURES = ((0x2600, 0x27BF), (0x1F000, 0x1FBFF))  # symbols, dingbats and emoji
DRAWN = "★☆♀♂♠♡♢♣♤♥♦♧♨♩♪♬♭♮♯✓"  # of those, what Noto Sans SC or DejaVu draws


def printable(value: Any) -> Any:
    """A text, or every text in nested lists, tuples and mappings."""
    if isinstance(value, str):
        return "".join(_written(sign) for sign in value.translate(JOINERS))
    if isinstance(value, dict):
        return {key: printable(entry) for key, entry in value.items()}
    return [printable(entry) for entry in value] if isinstance(value, list | tuple) else value


def _written(sign: str) -> str:
    point = ord(sign)
    if sign in DRAWN or not any(first <= point <= last for first, last in PICTURES):
        return sign
    return f"[{name(sign, f'U+{point:X}').lower()}]"
