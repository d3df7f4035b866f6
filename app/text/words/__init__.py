"""The English sentence of every code, one module an area of the domain. `_` only marks the sentence for translation; `_n` marks one that reads
otherwise for one thing than for several.

A placeholder is named like the parameter, unit suffix included: `{needed_bytes}` prints as GiB, `{share_ratio}` as per cent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules


@dataclass(frozen=True, slots=True)
class Plural:
    """A sentence for one and for several; `count` names the parameter that decides."""

    one: str
    several: str
    count: str


@cache
def words() -> Mapping[str, str | Plural]:
    """All sentences by code, from every module of this package. ValueError: two areas use the same code."""
    sentences: dict[str, str | Plural] = {}
    for module in iter_modules(__path__):
        area: Mapping[str, str | Plural] = import_module(f"{__name__}.{module.name}").WORDS
        if clash := sentences.keys() & area.keys():
            raise ValueError(f"codes with two sentences: {sorted(clash)}")
        sentences.update(area)
    return sentences


def _(sentence: str) -> str:
    return sentence


def _n(one: str, several: str, count: str) -> Plural:
    return Plural(one, several, count)
