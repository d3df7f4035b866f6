"""A log whose line feeds were lost (a table cell of a web page): cut back into lines by the number of its columns."""

import re
from collections.abc import Iterator

from app.domain.telemetry.cleaning import cleaned
from app.domain.telemetry.formats.dmon.layout import read_header, read_units

_HEADER = re.compile(r"#\s*(?:gpu|Date|Time)\b[^#]{2,4000}#\s*(?:Idx|YYYYMMDD|HH:MM:SS)\b")
_NUMBER_LIKE = re.compile(r"-|[\d.:/-]+")


def is_collapsed(text: str) -> bool:
    """Whether a header, its unit line and more stand in one line."""
    return "#" in text and _HEADER.search(text) is not None


def uncollapsed(text: str) -> Iterator[str]:
    """The lines as they were printed; what stands before the first header comes first, as one line."""
    starts = [found.start() for found in _HEADER.finditer(text)]
    if before := text[: starts[0]].strip(" |`"):
        yield before
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield from _one_log(text[start:end])


def _one_log(text: str) -> Iterator[str]:
    names, _, rest = text[1:].partition("#")
    header = cleaned(names).split()
    yield "#" + names
    if read_header(header) is None:
        return
    units, cells = _unit_cells(rest.split(), len(header))
    yield "#" + " ".join(units)
    row: list[str] = []
    for cell in cells:
        plain = cleaned(cell) or cell
        if not _NUMBER_LIKE.fullmatch(plain):
            break
        row.append(plain)
        if len(row) == len(header):
            yield " ".join(row)
            row = []
    if row:
        yield " ".join(row)


def _unit_cells(words: list[str], count: int) -> tuple[list[str], list[str]]:
    return (words[:count], words[count:]) if read_units(words[:count]) else ([], words)
