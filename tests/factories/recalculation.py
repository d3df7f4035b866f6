"""A workbook without its stored results, calculated anew: by LibreOffice, and by a library that everybody has."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from io import BytesIO
from numbers import Number
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from formulas import ExcelModel
from openpyxl.utils.cell import column_index_from_string, coordinate_from_string
from python_calamine import CalamineWorkbook

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
_FORMULA = re.compile(r'(<c r="[A-Z]+\d+"[^>]*?)( t="str")?(>)(<f>.*?</f>)<v>.*?</v>(</c>)')
_NAMED = re.compile(r'<definedName name="([^"]+)">(?:\'[^\']*\'|[^!]+)!\$([A-Z]+)\$(\d+)</definedName>')


def named_cells(book: bytes) -> dict[str, str]:
    """The cells that have a name, by it."""
    return {name: f"{column}{row}" for name, column, row in _NAMED.findall(ZipFile(BytesIO(book)).read("xl/workbook.xml").decode())}


def without_results(book: bytes, model_sheet: int, changes: Mapping[str, float]) -> bytes:
    """The workbook with no stored result of any formula, and named inputs of the worksheet that calculates set anew."""
    source, target, names = ZipFile(BytesIO(book)), BytesIO(), named_cells(book)
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename.startswith("xl/worksheets/sheet"):
                text, _ = _FORMULA.subn(r"\1\3\4\5", content.decode())
                assert "<f>" not in text or "</f><v>" not in text
                if entry.filename.endswith(f"sheet{model_sheet}.xml"):
                    for name, value in changes.items():
                        text, count = re.subn(rf'(<c r="{names[name]}"[^>]*>)<v>[^<]*</v>', rf"\g<1><v>{value!r}</v>", text)
                        assert count == 1, name
                content = text.encode()
            archive.writestr(entry, content)
    return target.getvalue()


def recalculated(book: bytes, folder: Path) -> dict[str, list[list[Any]]]:
    """Every worksheet as LibreOffice calculates it."""
    assert OFFICE is not None
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "book.xlsx").write_bytes(book)
    command = (
        OFFICE,
        f"-env:UserInstallation=file://{folder}/profile",
        "--headless",
        "--convert-to",
        "xlsx",
        "--outdir",
        str(folder / "out"),
    )
    subprocess.run((*command, str(folder / "in" / "book.xlsx")), check=True, capture_output=True, timeout=120)
    read = CalamineWorkbook.from_path(str(folder / "out" / "book.xlsx"))
    return {name: read.get_sheet_by_name(name).to_python() for name in read.sheet_names}


_CELL = re.compile(r"^'\[book\.xlsx\](.+)'!([A-Z]+\d+)$")


def recalculated_here(book: bytes, folder: Path, worksheet: str) -> list[list[Any]]:
    """One worksheet as the library calculates it, with "" where nothing stands."""
    (folder / "book.xlsx").write_bytes(book)
    cells: dict[tuple[int, int], Any] = {}
    for key, cell in ExcelModel().loads(str(folder / "book.xlsx")).finish().calculate().items():
        found = _CELL.match(str(key))
        if found is not None and found[1] == worksheet.upper():
            column, row = coordinate_from_string(found[2])
            value = cell.value[0, 0]
            cells[row, column_index_from_string(column)] = float(value) if isinstance(value, Number) else value
    rows, columns = (range(1, max(place) + 1) for place in zip(*cells, strict=True))
    return [[cells.get((row, column), "") for column in columns] for row in rows]
