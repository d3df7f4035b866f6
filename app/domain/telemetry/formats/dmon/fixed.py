"""Thousands of aligned rows at once: right-aligned numbers in columns whose right edges one good row shows.

A row is accepted only when every cell, between the edge before it and its own, is blanks followed by digits or by one dash. Then splitting at
blanks would have given the same cells; any other row is left to the reader of single lines."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.telemetry.formats.dmon.layout import Layout
from app.domain.telemetry.formats.dmon.lines import GPU_LIMIT, civil_days
from app.domain.units import hours

Bytes = NDArray[np.uint8]
_BLANK, _DASH, _ZERO, _COLON = 32, 45, 48, 58
_DIGIT_LIMIT = 9  # what 32 bits hold
DASH = -1  # stands for a placeholder in the integers of this module


@dataclass(frozen=True, slots=True)
class Alignment:
    """The width of a row (without line feed) and the right edge of each cell."""

    width: int
    edges: tuple[int, ...]


def alignment(row: bytes, layout: Layout) -> Alignment | None:
    """The alignment of a clean row, or None when the row has another number of cells than the table."""
    edges: list[int] = []
    for position, byte in enumerate(row):
        if byte != _BLANK and (position + 1 == len(row) or row[position + 1] == _BLANK):
            edges.append(position + 1)
    return Alignment(len(row), tuple(edges)) if len(edges) == len(layout.names) else None


def read_rows(
    text: Bytes, starts: NDArray[np.int64], aligned: Alignment, layout: Layout
) -> tuple[NDArray[np.bool_], list[NDArray[np.float64]]]:
    """Which of the lines of this width that begin at `starts` are rows, and the cells of all of them (of no meaning where not a row)."""
    rows = np.lib.stride_tricks.sliding_window_view(text, aligned.width)[starts]
    characters = np.ascontiguousarray(rows.T)
    good = np.ones(len(starts), dtype=np.bool_)
    columns: list[NDArray[np.float64]] = []
    left = 0
    for position, edge in enumerate(aligned.edges):
        cell = characters[left:edge]
        if position == layout.time_at:
            columns.append(_times(cell, good))
        else:
            numbers = _numbers(cell, good, first=position == 0)
            columns.append(_days(numbers, good) if position == layout.date_at else _floats(numbers))
        left = edge
    for rest in characters[left:]:
        good &= rest == _BLANK
    gpus = columns[layout.gpu_at]
    good &= gpus < GPU_LIMIT  # also false where the index is a placeholder
    return good, columns


def _numbers(cell: Bytes, good: NDArray[np.bool_], *, first: bool) -> NDArray[np.int32]:
    last = cell[-1]
    digit = last - _ZERO  # wraps round for anything below "0"
    in_number = digit < 10
    dash = last == _DASH
    good &= in_number | dash
    value: NDArray[np.int32] = digit.astype(np.int32)
    scale = 1
    for distance, characters in enumerate(cell[-2::-1], start=1):
        blank = characters == _BLANK
        if blank.all():
            in_number = np.zeros_like(in_number)
            continue
        if distance >= _DIGIT_LIMIT or (distance == len(cell) - 1 and not first):
            good &= blank
            continue
        scale *= 10
        digit = characters - _ZERO
        in_number &= digit < 10
        good &= blank | in_number
        value += np.where(in_number, digit, 0).astype(np.int32) * scale
    value[dash] = DASH
    return value


def _floats(numbers: NDArray[np.int32]) -> NDArray[np.float64]:
    values = numbers.astype(np.float64)
    values[numbers == DASH] = np.nan
    return values


def _days(numbers: NDArray[np.int32], good: NDArray[np.bool_]) -> NDArray[np.float64]:
    year, month, day = numbers // 10000, numbers // 100 % 100, numbers % 100
    good &= (year >= 1970) & (year <= 9999) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    found: NDArray[np.float64] = civil_days(year, month, day).astype(np.float64)  # type: ignore[arg-type, attr-defined]  # arithmetic only
    return found


def _times(cell: Bytes, good: NDArray[np.bool_]) -> NDArray[np.float64]:
    width = 8  # HH:MM:SS
    if len(cell) < width:
        good &= False
        return np.zeros(cell.shape[1])
    for rest in cell[:-width]:
        good &= rest == _BLANK
    digits = cell[-width:].astype(np.int32) - _ZERO
    good &= (digits[2] == _COLON - _ZERO) & (digits[5] == _COLON - _ZERO)
    for position in (0, 1, 3, 4, 6, 7):
        good &= (digits[position] >= 0) & (digits[position] < 10)
    hour, minute, second = (digits[at] * 10 + digits[at + 1] for at in (0, 3, 6))
    good &= (hour < 24) & (minute < 60) & (second <= 60)
    seconds: NDArray[np.float64] = (int(hours(1)) * hour + minute * 60 + second).astype(np.float64)
    return seconds
