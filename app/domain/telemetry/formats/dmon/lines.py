"""One line in any state: a header, a unit line, a row, or noise with a reason."""

import re
from dataclasses import dataclass

from app.domain.telemetry.cleaning import FENCES, cells, cleaned
from app.domain.telemetry.formats.dmon.layout import Layout, is_foreign_header, read_header, read_units
from app.domain.units import hours

MISSING = float("nan")
GPU_LIMIT = 4096  # a higher index is a misread number
_PLACEHOLDERS = frozenset({"-", "n/a", "[n/a]", "na", "--", "err!", "[notsupported]", "[unknownerror]"})
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,9})?")
_WITH_UNIT = re.compile(r"([+-]?\d{1,15}(?:\.\d{1,9})?)\s*(?:%|[A-Za-z]{1,4}(?:/s)?|GPM:%)")
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)")
_DATE = re.compile(r"(\d{4})[-/]?(\d\d)[-/]?(\d\d)")
_DELAY = re.compile(r"\bdmon\b.*?\s(?:-d\s*|--delay[= ]\s*)(\d{1,5})\b")
_PROMPT = re.compile(r"^\s*(?:\[[^\]]{1,80}\]\s*[$#>]|[\w.-]{1,40}@[\w./~:-]{1,80}[$#>%]|[A-Z]:\\[^>]{0,120}>|[$%>#]\s*\S)")


@dataclass(frozen=True, slots=True)
class Header:
    """Column names."""

    layout: Layout


@dataclass(frozen=True, slots=True)
class Units:
    """The line under them."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A sample: one number a column, NaN where the log has a placeholder; the date as days since 1970, the time as seconds since midnight."""

    values: list[float]


@dataclass(frozen=True, slots=True)
class Noise:
    """Anything else, with the code of the reason."""

    code: str
    have_count: int = 0
    want_count: int = 0
    ends_table: bool = False
    delay_s: float | None = None


def read_line(text: str, layout: Layout | None) -> Header | Units | Row | Noise:
    """What a line is, given the table it stands in."""
    line = cleaned(text)
    if not line:
        return Noise("telemetry.skipped.empty")
    found = cells(line)
    if found[0][:1].isdigit():
        return _row(found, layout)
    if header := read_header(found):
        return Header(header)
    if units := read_units(found):
        return Units(units)
    if "," in line and (header := read_header(line.replace(",", " ").split())):
        return Header(header)
    return _noise(text, line, found)


def _row(found: list[str], layout: Layout | None) -> Row | Noise:
    if layout is None:
        return Noise(
            "telemetry.skipped.no_header" if len(found) > 2 and all(_cell(cell) is not None for cell in found) else "telemetry.skipped.text"
        )
    want = len(layout.names)
    special = {layout.date_at: date_days, layout.time_at: time_s, layout.gpu_at: _gpu}
    if len(found) < want:
        numeric = all(position in special or _cell(cell) is not None for position, cell in enumerate(found))
        return Noise("telemetry.skipped.cut" if numeric else "telemetry.skipped.text", len(found), want)
    if len(found) > want and _cell(found[want]) is not None:
        return Noise("telemetry.skipped.too_many", len(found), want)
    values: list[float] = []
    for position, cell in enumerate(found[:want]):
        value = special[position](cell) if position in special else _cell(cell)
        if value is None:
            return Noise("telemetry.skipped.not_a_number", position + 1, want)
        values.append(value)
    return Row(values)


def _cell(cell: str) -> float | None:
    if _NUMBER.fullmatch(cell):
        return float(cell)
    if cell.lower().replace(" ", "") in _PLACEHOLDERS:
        return MISSING
    with_unit = _WITH_UNIT.fullmatch(cell)
    return float(with_unit[1]) if with_unit else None


def _gpu(cell: str) -> float | None:
    return float(cell) if cell.isascii() and cell.isdigit() and len(cell) <= 4 and int(cell) < GPU_LIMIT else None


def time_s(cell: str) -> float | None:
    """Seconds since midnight of HH:MM:SS."""
    found = _TIME.fullmatch(cell)
    return hours(int(found[1])) + int(found[2]) * 60 + int(found[3]) if found else None


def date_days(cell: str) -> float | None:
    """Days since 1970-01-01 of YYYYMMDD (with or without separators)."""
    found = _DATE.fullmatch(cell)
    if not found:
        return None
    year, month, day = int(found[1]), int(found[2]), int(found[3])
    return float(civil_days(year, month, day)) if 1 <= month <= 12 and 1 <= day <= 31 and year >= 1970 else None


def civil_days(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 in the Gregorian calendar; also on arrays. Source: Hinnant, days_from_civil."""
    year = year - (month <= 2)
    era = year // 400
    year_of_era = year - era * 400
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719468


def _noise(text: str, line: str, found: list[str]) -> Noise:
    stripped = text.strip()
    if stripped.startswith(FENCES) or stripped.lstrip("> ").startswith(FENCES):
        return Noise("telemetry.skipped.fence")
    if is_foreign_header(found):
        return Noise("telemetry.skipped.other_table", ends_table=True)
    if "dmon" in line:
        delay = _DELAY.search(line)
        return Noise("telemetry.skipped.command", delay_s=float(delay[1]) if delay and int(delay[1]) else None)
    if set(line) <= {".", " ", "…"}:
        return Noise("telemetry.skipped.elision")
    if _PROMPT.match(text):
        return Noise("telemetry.skipped.command")
    return Noise("telemetry.skipped.text")
