"""A workbook without its stored results, calculated anew by LibreOffice."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

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
