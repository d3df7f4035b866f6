"""The English sentence of every code, one module an area of the domain. `_` only marks the sentence for translation.

A placeholder is named like the parameter, unit suffix included: `{needed_bytes}` prints as GiB, `{share_ratio}` as per cent.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules


@cache
def words() -> Mapping[str, str]:
    """All sentences by code, from every module of this package. ValueError: two areas use the same code."""
    sentences: dict[str, str] = {}
    for module in iter_modules(__path__):
        area: Mapping[str, str] = import_module(f"{__name__}.{module.name}").WORDS
        if clash := sentences.keys() & area.keys():
            raise ValueError(f"codes with two sentences: {sorted(clash)}")
        sentences.update(area)
    return sentences


def _(sentence: str) -> str:
    return sentence
