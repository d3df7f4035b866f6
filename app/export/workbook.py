"""A worksheet that is written from top to bottom, and the few cell styles of our workbooks."""

from collections.abc import Sequence
from typing import Any

from app.domain.money import Currency, Money

CURRENCY_FORMATS = {Currency.USD: '"US$"#,##0.00;[Red]-"US$"#,##0.00', Currency.CNY: '"¥"#,##0.00;[Red]-"¥"#,##0.00'}
HOURLY_FORMATS = {Currency.USD: '"US$"#,##0.0000', Currency.CNY: '"¥"#,##0.0000'}


class Styles:
    """The formats of one workbook; each is made once."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._money: dict[tuple[str, bool], Any] = {}
        self.title = book.add_format({"bold": True, "font_size": 16})
        self.heading = book.add_format({"bold": True, "font_size": 12, "font_color": "#1d5fbf"})
        self.strong = book.add_format({"bold": True})
        self.soft = book.add_format({"font_color": "#56606c"})
        self.head = book.add_format({"bold": True, "bottom": 1, "font_color": "#56606c", "text_wrap": True, "valign": "top"})
        self.typed = book.add_format({"font_color": "#1d5fbf", "bg_color": "#eef3fb"})
        self.wrapped = book.add_format({"text_wrap": True, "valign": "top"})

    def money(self, number_format: str, *, strong: bool = False) -> Any:
        """An amount in a currency's format."""
        key = (number_format, strong)
        if key not in self._money:
            self._money[key] = self._book.add_format({"num_format": number_format, "bold": strong, "valign": "top"})
        return self._money[key]


class Sheet:
    """A worksheet and the row that comes next."""

    def __init__(self, book: Any, name: str, styles: Styles, widths: Sequence[float]) -> None:
        self.at = 0
        self.styles = styles
        self._book = book
        self._sheet = book.add_worksheet(_allowed(name))
        self._names: set[str] = set()
        for column, width in enumerate(widths):
            self._sheet.set_column(column, column, width)
        self._sheet.set_paper(9)  # A4
        self._sheet.set_landscape()
        self._sheet.fit_to_pages(1, 0)

    def line(self, text: str, style: Any = None) -> None:
        """One text in the first column."""
        self._sheet.write_string(self.at, 0, text, style)
        self.at += 1

    def row(self, cells: Sequence[str | float | None], style: Any = None, *, advance: bool = True) -> None:
        """Texts and numbers side by side; nothing is written for None."""
        for column, cell in enumerate(cells):
            if isinstance(cell, str):
                self._sheet.write_string(self.at, column, cell, style)
            elif cell is not None:
                self._sheet.write_number(self.at, column, cell, style)
        self.at += advance

    def skip(self) -> None:
        """An empty row."""
        self.at += 1

    def text(self, row: int, column: int, text: str, style: Any = None) -> None:
        """A text in a place."""
        self._sheet.write_string(row, column, text, style)

    def number(self, row: int, column: int, value: float, style: Any = None) -> None:
        """A number in a place."""
        self._sheet.write_number(row, column, value, style)

    def formula(self, row: int, column: int, formula: str, result: Money | float | None, style: Any = None) -> None:
        """A live formula, with the engine's result stored for readers that do not calculate; None: it has no such figure."""
        stored = "" if result is None else float(result.amount) if isinstance(result, Money) else result
        self._sheet.write_formula(row, column, formula, style, stored)

    def name(self, row: int, column: int, name: str) -> None:
        """Names a cell for the whole workbook."""
        self._names.add(name.casefold())
        self._book.define_name(name, f"={self.address(f'${letter(column)}${row + 1}')}")

    def free_name(self, wanted: str) -> str:
        """`wanted`, or with a number behind it where that is taken."""
        name, number = wanted, 1
        while name.casefold() in self._names:
            number += 1
            name = f"{wanted}_{number}"
        return name

    def address(self, cell: str) -> str:
        """The address of a cell as other worksheets write it."""
        title = self._sheet.get_name().replace("'", "''")
        return f"'{title}'!{cell}"

    def freeze(self, rows: int = 1) -> None:
        """Keeps the head in sight."""
        self._sheet.freeze_panes(rows, 1)


def amount_format(styles: Styles, amount: Money | None, *, strong: bool = False, hourly: bool = False) -> Any:
    """The format of an amount; None: plain."""
    if amount is None:
        return None
    return styles.money((HOURLY_FORMATS if hourly else CURRENCY_FORMATS)[amount.currency], strong=strong)


def letter(column: int) -> str:
    """The letters of a column counted from zero: A … Z, AA …"""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _allowed(name: str) -> str:
    return "".join("-" if character in "[]:*?/\\" else character for character in name)[:31]
