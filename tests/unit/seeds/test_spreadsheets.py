"""What people upload: encodings, separators, workbooks, and files that are none."""

from io import BytesIO

import pytest
from xlsxwriter import Workbook

from app.domain.errors import InvalidInput
from app.seeds import load_folder
from app.seeds.exporting import as_csv, as_xlsx
from app.seeds.matching import matched
from app.seeds.reading import BadCell, Line, described_columns
from app.seeds.spreadsheets import read_sheets
from app.seeds.tables import BY_FIELD
from app.seeds.tidying import tidied
from tests.factories.spreadsheets import a_price, csv_of, csv_text, rows_of, with_entry, xlsx_of

ROWS = rows_of([a_price(notes="价格，含税")])


@pytest.mark.parametrize("table", BY_FIELD)
@pytest.mark.parametrize("write", [as_csv, as_xlsx])
def test_export_reads_in_again_unchanged(table: str, write: object) -> None:
    lines = load_folder().lines[table]
    (sheet,) = read_sheets(f"{table}.csv", write(table, lines))
    found = matched(sheet, BY_FIELD)
    assert (found.table, found.problems) == (table, [])
    assert [{header: cell for header, cell in item.line.cells.items() if cell} for item in found.lines] == [
        dict(line.cells) for line in lines
    ]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@sum", '=HYPERLINK("http://x")'])
def test_no_text_becomes_a_formula(text: str) -> None:
    line = [Line(1, a_price(notes=text))]
    exported = as_csv("rental_prices", line)
    assert f"'{text[:2]}".encode() in exported
    (sheet,) = read_sheets("x.xlsx", as_xlsx("rental_prices", line))
    assert text in sheet.lines[0].cells
    (back,) = matched(read_sheets("x.csv", exported)[0], BY_FIELD).lines
    assert back.line.cells["notes"] == text


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(csv_text(ROWS).encode("utf-8-sig"), id="byte order mark"),
        pytest.param(csv_text(ROWS, line_end="\r\n").encode(), id="CRLF"),
        pytest.param(csv_text(ROWS, separator=";").encode("utf-16"), id="UTF-16, semicolons"),
        pytest.param(csv_text(ROWS, separator="\t").encode("utf-16-le"), id="UTF-16 without mark, tabs"),
        pytest.param(csv_text(ROWS).encode("gb18030"), id="GB18030"),
        pytest.param(("\n\n" + csv_text(ROWS) + ",,\n\n").encode(), id="empty lines"),
        pytest.param(xlsx_of({"prices": ROWS, "empty": []}), id="workbook with an empty sheet"),
    ],
)
def test_same_table_in_any_dress(content: bytes) -> None:
    (sheet,) = read_sheets("prices", content)
    (line,) = matched(sheet, BY_FIELD).lines
    assert line.line.cells["notes"] == "价格，含税"
    assert line.key == "somecloud · one-l4 · L4 · on-demand · USD · EU · 2026-10"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(b"", "import.empty", id="nothing"),
        pytest.param(b"\n\n  \n", "import.empty", id="empty lines"),
        pytest.param(xlsx_of({"empty": []}), "import.empty", id="empty workbook"),
        pytest.param(b"PK\x03\x04 and no more", "import.not_a_workbook", id="torn archive"),
        pytest.param(with_entry(b"", "readme.txt", b"hello"), "import.not_a_workbook", id="another archive"),
        pytest.param(xlsx_of({"prices": ROWS})[:-40], "import.not_a_workbook", id="cut workbook"),
        pytest.param(with_entry(xlsx_of({"prices": ROWS}), "xl/vbaProject.bin", b"x"), "import.macros", id="macros"),
        pytest.param(with_entry(xlsx_of({"prices": ROWS}), "xl/x.xml", b" " * 310_000_000), "import.unpacks_too_large", id="zip bomb"),
        pytest.param(
            with_entry(xlsx_of({"prices": ROWS}), "xl/worksheets/sheet9.xml", b"<c r='XFD1048576'/>"), "import.far_cell", id="far cell"
        ),
        pytest.param(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "import.old_or_encrypted", id="encrypted"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "import.not_text", id="picture"),
        pytest.param(b'a,b\n"open,1\n', "import.not_csv", id="open quote"),
        pytest.param(b"x" * 20_000_001, "import.too_large", id="too large"),
        pytest.param(b"a\n" + b"1\n" * 100_001, "import.too_many_rows", id="too many rows"),
    ],
)
def test_what_is_no_table_says_so(content: bytes, code: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_sheets("x", content)
    assert (raised.value.field, raised.value.message.code) == ("file", code)


def test_merged_cells_and_formulas() -> None:
    stream = BytesIO()
    with Workbook(stream, {"in_memory": True}) as book:
        sheet = book.add_worksheet("prices")
        for number, row in enumerate(rows_of([a_price(), a_price(sku="two"), a_price(sku="three")])):
            sheet.write_row(number, 0, row)
        sheet.merge_range(2, 0, 3, 0, "somecloud")
        sheet.write_formula(1, 8, "=0.5+0.35", None, 0.85)
    (read,) = read_sheets("x.xlsx", stream.getvalue())
    found = matched(read, BY_FIELD)
    assert [(problem.line, problem.reason.code) for problem in found.problems] == [(3, "import.merged")]
    assert found.lines[0].line.cells["hourly_price"] == "0.85"


@pytest.mark.parametrize(
    ("header", "missing", "unknown"),
    [
        ("provider,price", "commitment", "price"),
        ("slug,name,colour", "–", "colour"),
        ("Slug", "slug", "Slug"),
        ("nothing,like it", "slug", "like it"),
    ],
)
def test_wrong_header_says_what_is_missing_and_known(header: str, missing: str, unknown: str) -> None:
    (sheet,) = read_sheets("x.csv", f"{header}\n1,2\n".encode())
    found = matched(sheet, BY_FIELD)
    (problem,) = found.problems
    assert (found.table, problem.line, problem.reason.code) == ("", 1, "import.header")
    assert missing in str(problem.reason.params["missing"])
    assert unknown in str(problem.reason.params["unknown"])
    assert "slug" in str(problem.reason.params["known"]) or "provider" in str(problem.reason.params["known"])


def test_line_with_too_many_cells_is_named() -> None:
    content = csv_of(a_price()).replace(b"vendor\n", b"vendor,one too many\n")
    (problem,) = matched(read_sheets("x.csv", content)[0], BY_FIELD).problems
    assert (problem.line, problem.reason.code) == (2, "seed.cell_count")


@pytest.mark.parametrize(
    ("header", "typed", "kept"),
    [
        ("hourly_price", "0,85", "0.85"),
        ("hourly_price", "1,234.5", "1234.5"),
        ("hourly_price", "1,234,567", "1234567"),
        ("hourly_price", " 12 ", "12"),
        ("hourly_price", "0,125", "0.125"),
        ("hourly_price", "much", "much"),
        ("sku", "a,b", "a,b"),
        ("sku", " a\u00a0 b\n", "a b"),
    ],
)
def test_cells_are_tidied(header: str, typed: str, kept: str) -> None:
    assert tidied(typed, described_columns(BY_FIELD["rental_prices"])[header]) == kept


@pytest.mark.parametrize("typed", ["yes", "TRUE", "是", "y", "1"])
def test_flags_are_y_or_n(typed: str) -> None:
    assert tidied(typed, described_columns(BY_FIELD["gpus"])["has_ecc"]) == "y"


def test_number_that_reads_in_two_ways_is_refused() -> None:
    with pytest.raises(BadCell):
        tidied("1,500", described_columns(BY_FIELD["rental_prices"])["hourly_price"])
