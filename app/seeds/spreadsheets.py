"""Files of facts as people have them: CSV in the encodings and separators of spreadsheets, and XLSX. Everything comes out as lines of text."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from io import BytesIO, StringIO
from typing import Any
from zipfile import BadZipFile, ZipFile

from python_calamine import CalamineError, CalamineWorkbook

from app.domain.errors import InvalidInput, Message, message

FILE_LIMIT_BYTES = 20_000_000
UNPACKED_LIMIT_BYTES = 300_000_000
CELL_LIMIT = 4_000_000  # a sheet is laid out in memory from its first cell to its last
ROW_LIMIT = 100_000
OLE = b"\xd0\xcf\x11\xe0"  # old or encrypted Office files
ZIP = b"PK"
CELL_ADDRESS = re.compile(rb"\br=[\"']([A-Z]{1,3})([0-9]{1,7})[\"']")
GUARDED = re.compile(r"'[=+\-@\t\r]")
SEPARATORS = ",;\t"


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a sheet with the number that people see beside it."""

    number: int
    cells: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One table of a file: its header, its lines, and lines that cannot be what they seem."""

    name: str
    header: TextLine
    lines: Sequence[TextLine]
    faults: Sequence[tuple[int, Message]] = ()


def read_sheets(name: str, content: bytes, row_limit: int = ROW_LIMIT) -> list[Sheet]:
    """The sheets of a file that hold anything. InvalidInput: it is no table, or one that we do not open; the code says why."""
    if len(content) > FILE_LIMIT_BYTES:
        raise InvalidInput("file", "import.too_large", limit_mb=FILE_LIMIT_BYTES // 1_000_000)
    if content.startswith(OLE):
        raise InvalidInput("file", "import.old_or_encrypted")
    sheets = _workbook(content) if content.startswith(ZIP) else [_text(name, content)]
    found = [sheet for sheet in sheets if sheet is not None]
    if not found:
        raise InvalidInput("file", "import.empty")
    if sum(len(sheet.lines) for sheet in found) > row_limit:
        raise InvalidInput("file", "import.too_many_rows", limit=row_limit)
    return found


def unguarded(cell: str) -> str:
    """A text without the apostrophe that keeps spreadsheets from running it."""
    return cell[1:] if GUARDED.match(cell) else cell


def _workbook(content: bytes) -> list[Sheet | None]:
    try:
        with ZipFile(BytesIO(content)) as archive:
            _check(archive)
        workbook = CalamineWorkbook.from_filelike(BytesIO(content))
        return [_sheet(workbook, name) for name in workbook.sheet_names]
    except (BadZipFile, CalamineError, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise InvalidInput("file", "import.not_a_workbook", reason=type(error).__name__) from None


def _check(archive: ZipFile) -> None:
    """Refuses macros, archives that unpack to far more than they are, and sheets whose last cell is far away."""
    entries = archive.infolist()
    names = {entry.filename for entry in entries}
    if any(name.endswith("vbaProject.bin") for name in names):
        raise InvalidInput("file", "import.macros")
    if "xl/workbook.xml" not in names:
        raise InvalidInput("file", "import.not_a_workbook", reason="zip")
    if sum(entry.file_size for entry in entries) > UNPACKED_LIMIT_BYTES:
        raise InvalidInput("file", "import.unpacks_too_large")
    for entry in entries:
        if entry.filename.endswith(".xml"):
            last_column, last_row = _extent(archive, entry.filename)
            if last_column * last_row > CELL_LIMIT:
                raise InvalidInput("file", "import.far_cell", row=last_row)


def _extent(archive: ZipFile, name: str) -> tuple[int, int]:
    """The greatest column and row that a sheet names; what it really unpacks to is limited, whatever its header says."""
    columns, last_row, read, rest = {b"A"}, 1, 0, b""
    with archive.open(name) as stream:
        while piece := stream.read(1 << 20):
            read += len(piece)
            if read > UNPACKED_LIMIT_BYTES:
                raise InvalidInput("file", "import.unpacks_too_large")
            for column, row in CELL_ADDRESS.findall(rest + piece):
                columns.add(column)
                last_row = max(last_row, int(row))
            rest = piece[-20:]
    return max(map(_column_number, columns)), last_row


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def _sheet(workbook: CalamineWorkbook, name: str) -> Sheet | None:
    sheet = workbook.get_sheet_by_name(name)
    first = sheet.start[0] + 1 if sheet.start else 1
    rows = sheet.to_python(skip_empty_area=True)
    merged = [
        (start[0] + 1, message("import.merged", last=end[0] + 1)) for start, end in sheet.merged_cell_ranges or () if start[0] + 1 != first
    ]
    return _made(name, (TextLine(first + place, [_as_text(cell) for cell in row]) for place, row in enumerate(rows)), merged)


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "y" if value else "n"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)


def _text(name: str, content: bytes) -> Sheet | None:
    text = _decoded(content)
    head = text.lstrip().partition("\n")[0]
    separator = max(SEPARATORS, key=head.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        return _made(name, [TextLine(reader.line_num, cells) for cells in reader])
    except csv.Error as error:
        raise InvalidInput("file", "import.not_csv", line=reader.line_num, reason=str(error)) from None


def _decoded(content: bytes) -> str:
    """UTF-8, UTF-16 or GB18030, as spreadsheets of the two languages save them."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        codings = ["utf-16"]
    elif content[1:2] == b"\x00" or content[:1] == b"\x00":
        codings = ["utf-16-le" if content[1:2] == b"\x00" else "utf-16-be"]
    else:
        codings = ["utf-8-sig", "gb18030"]
    for coding in codings:
        try:
            text = content.decode(coding)
        except UnicodeDecodeError:
            continue
        if "\x00" not in text:
            return text
    raise InvalidInput("file", "import.not_text")


def _made(name: str, lines: Iterable[TextLine], faults: Sequence[tuple[int, Message]] = ()) -> Sheet | None:
    filled = _filled(lines)
    header = next(filled, None)
    if header is None:
        return None
    titles = [cell.strip() for cell in header.cells]
    while titles and not titles[-1]:
        titles.pop()
    return Sheet(name=name, header=TextLine(header.number, titles), lines=list(filled), faults=faults)


def _filled(lines: Iterable[TextLine]) -> Iterator[TextLine]:
    return (line for line in lines if any(cell.strip() for cell in line.cells))
