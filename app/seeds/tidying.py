"""Cells as people and spreadsheets write them, brought to the form in which they are kept: no surrounding space, a decimal point, `y` and `n`."""

import re
from decimal import Decimal

from app.domain.errors import message
from app.seeds.reading import BadCell, ReadColumn

YES = frozenset({"y", "yes", "true", "1", "是", "✓"})
NO = frozenset({"n", "no", "false", "0", "否"})
GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")
NUMBERS = (int, float, Decimal)


def tidied(text: str, column: ReadColumn) -> str:
    """A cell as it is kept. BadCell: “1,500” may be one and a half or fifteen hundred."""
    cell = re.sub(r"[\s\u3000\ufeff]+", " ", text).strip()
    if column.kind is bool:
        return "y" if cell.casefold() in YES else "n" if cell.casefold() in NO else cell
    if column.kind in NUMBERS:
        return _number(cell.replace("，", ",").replace(" ", "").replace("\u202f", ""))
    return cell


def _number(cell: str) -> str:
    if DECIMAL_COMMA.fullmatch(cell):
        if GROUPED.fullmatch(cell) and not cell.lstrip("+-").startswith("0"):
            raise BadCell(message("seed.ambiguous_number", cell=cell))
        return cell.replace(",", ".")
    return cell.replace(",", "") if GROUPED.fullmatch(cell) else cell
