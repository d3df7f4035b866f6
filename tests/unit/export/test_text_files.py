"""CSV and Markdown: read back, held against the engine, and safe to open."""

import csv
from dataclasses import replace
from decimal import Decimal
from io import BytesIO, StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from python_calamine import CalamineWorkbook

from app.export.csv import FORMULA_SIGNS, neutral
from app.export.issue import Issue
from app.export.markdown import escaped
from app.export.writers import WRITERS
from app.text.formats import money
from app.wire.sheet import canonical, fingerprint
from tests.factories.sheets import an_order, the_issue

LOCALES = ("en", "zh_CN")
NASTY = '=HYPERLINK("http://x","y") | <b>*x*</b>'


def rows(locale: str, issue: Issue | None = None) -> list[list[str]]:
    text = WRITERS["csv"].write(issue or the_issue(), locale).decode("utf-8-sig")
    return list(csv.reader(StringIO(text)))


def markdown(locale: str, issue: Issue | None = None) -> str:
    return WRITERS["md"].write(issue or the_issue(), locale).decode()


def named(project: str) -> Issue:
    sheet = replace(the_issue().sheet, project=project)
    document = canonical(sheet)
    return Issue(sheet=sheet, document=document, sha256=fingerprint(document))


@pytest.mark.parametrize("locale", LOCALES)
def test_csv_amounts_add_up_to_the_engines_totals(locale: str) -> None:
    read = rows(locale)
    start = max(index for index, row in enumerate(read) if len(row) == 5 and row[4] in ("Currency", "币种"))
    amounts = read[start + 1 :]
    totals = {row[1]: Decimal(row[3]) for row in amounts if not row[2]}
    for option, total in zip(an_order().tco.options, totals.items(), strict=True):
        by_year = sum((Decimal(row[3]) for row in amounts if row[1] == total[0] and row[2]), Decimal(0))
        assert by_year == total[1] == option.total.amount
        assert {row[4] for row in amounts} == {option.total.currency.value}


@pytest.mark.parametrize("kind", ["csv", "md", "pdf", "xlsx", "json"])
def test_hosting_checklist_and_racks_stand_in_every_file(kind: str) -> None:
    content = WRITERS[kind].write(the_issue(), "en")
    if kind == "pdf":
        text = " ".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
    elif kind == "xlsx":
        book = CalamineWorkbook.from_filelike(BytesIO(content))
        cells = (str(cell) for name in book.sheet_names for row in book.get_sheet_by_name(name).to_python() for cell in row)
        text = " ".join((*book.sheet_names, *cells))
    else:
        text = content.decode()
    said = " ".join(text.split())
    assert "Hosting checklist" in said
    assert "Switchover time" in said
    assert "Racks and power distribution" in said


@pytest.mark.parametrize("locale", LOCALES)
def test_both_files_name_hash_and_both_currencies(locale: str) -> None:
    cells = {cell for row in rows(locale) for cell in row}
    text = markdown(locale)
    assert the_issue().sha256 in cells
    assert f"`{the_issue().sha256}`" in text
    for column in the_issue().sheet.cost.columns:
        assert column.total_elsewhere is not None
        assert column.total_elsewhere.currency is not column.total.currency
        for total in (column.total, column.total_elsewhere):
            shown = money(total, locale)
            assert {shown, f"'{shown}"} & cells
            assert escaped(shown) in text


def test_no_cell_of_the_csv_is_a_formula() -> None:
    read = rows("en", named(NASTY))
    assert read[0] == [f"'{NASTY}"]
    for row in read:
        for cell in row:
            assert not cell.startswith(FORMULA_SIGNS) or Decimal(cell) is not None


@given(st.text())
def test_neutral_text_opens_no_formula_and_loses_nothing(text: str) -> None:
    safe = neutral(text)
    assert safe.removeprefix("'") == text.removeprefix("'")
    assert not safe.startswith(FORMULA_SIGNS) or safe.lstrip("-").replace(".", "", 1).isdecimal()


def test_typed_markup_is_shown_and_not_read() -> None:
    first = markdown("en", named(NASTY)).splitlines()[0]
    assert first == '# =HYPERLINK("http://x","y") \\| \\<b\\>\\*x\\*\\</b\\>'


def test_signs_without_a_picture_are_written_out_on_paper() -> None:
    pdf = WRITERS["pdf"].write(named("Chat 🚀 对话 ★ 👩‍💻"), "en")
    text = PdfReader(BytesIO(pdf)).pages[0].extract_text()
    assert "Chat [rocket] 对话 ★ [woman][personal computer]" in " ".join(text.split())


@pytest.mark.parametrize("locale", LOCALES)
def test_every_table_of_the_markdown_is_as_wide_as_its_head(locale: str) -> None:
    width = 0
    tables = 0
    for line in markdown(locale).splitlines():
        columns = line.replace("\\|", "").count("|") - 1 if line.startswith("|") else 0
        assert not width or not columns or columns == width
        tables += columns > 0 and not width
        width = columns
    assert tables >= 8
