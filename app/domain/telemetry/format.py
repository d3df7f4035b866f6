"""What a telemetry format is: a name, a test of the first bytes, and a parser from text to columns."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.telemetry.rejection import Report

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


class Block(NamedTuple):
    """Whole lines of UTF-8 text, each ending in a line feed except perhaps the last of the file, and the number of the first."""

    text: bytes
    first_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Samples as columns, in the order of the log. A cell that the log does not give is NaN, never 0."""

    line: Integers
    gpu: Integers
    clock_s: Integers | None  # seconds since 1970 by the host's local clock, or since midnight when the log has no date
    has_date: bool
    columns: Mapping[str, Floats]
    log_starts: tuple[int, ...] = ()  # rows at which another log begins in the same paste


@dataclass(frozen=True, slots=True)
class Format:
    """`sniff` gives the number of lines that show the format, 0 for none; `parse` never raises for what it cannot read, it reports it."""

    key: str
    sniff: Callable[[bytes], int]
    parse: Callable[[Iterable[Block], Report], Iterator[Rows]]
