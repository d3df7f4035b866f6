"""The files, opened and read back, held against the engine's figures."""

import json
from decimal import Decimal
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from pypdf import PdfReader
from python_calamine import CalamineWorkbook

from app.export.writers import WRITERS
from app.text.formats import money
from app.wire.sheet import canonical_text, fingerprint
from tests.factories.sheets import an_order, the_issue, the_sheet

LOCALES = ("en", "zh_CN")
TITLES = {"en": "Configuration sheet", "zh_CN": "配置单"}


def written(kind: str, locale: str) -> bytes:
    return WRITERS[kind].write(the_issue(), locale)


def workbook(locale: str) -> dict[str, list[list[Any]]]:
    book = CalamineWorkbook.from_filelike(BytesIO(written("xlsx", locale)))
    return {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}


def pdf_text(locale: str) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(written("pdf", locale))).pages)


@pytest.mark.parametrize("locale", LOCALES)
def test_json_says_what_the_document_says(locale: str) -> None:
    content = json.loads(written("json", locale))
    assert fingerprint(canonical_text(content["document"])) == content["sha256"] == the_issue().sha256
    sections = {section["key"]: section for section in content["sections"]}
    totals = next(row for row in sections["cost"]["rows"] if row[0] in ("Total", "合计"))
    assert totals[1:] == [money(option.total, locale) for option in an_order().tco.options]
    assert content["number"] == 2


@pytest.mark.parametrize("locale", LOCALES)
def test_workbook_holds_the_engines_totals(locale: str) -> None:
    sheets = list(workbook(locale).values())
    assert sheets[0][0][0] == the_sheet().project
    assert the_sheet().bill_total is not None
    assert Decimal(str(sheets[1][-1][4])) == the_sheet().bill_total.amount
    totals = [row for row in sheets[2] if row[0] in ("Total", "合计")]
    for row, option in zip(totals, an_order().tco.options, strict=True):
        assert Decimal(str(row[4])).quantize(Decimal("0.01")) == option.total.amount
        years = [year.capex.amount + year.opex.amount for year in option.by_year]
        assert [Decimal(str(amount)).quantize(Decimal("0.01")) for amount in row[1:4]] == years


def test_workbook_totals_are_formulas_that_give_the_stored_results() -> None:
    archive = ZipFile(BytesIO(written("xlsx", "en")))
    cost = archive.read("xl/worksheets/sheet3.xml").decode()
    assert cost.count("<f>SUM(") >= len(the_sheet().cost.rows)
    rows = workbook("en")["Cost"]
    line = next(row for row in rows if row[0] == "Maintenance contract")
    assert sum(Decimal(str(amount)) for amount in line[1:4]) == Decimal(str(line[4]))
    bill = archive.read("xl/worksheets/sheet2.xml").decode()
    assert "<f>C2*D2</f>" in bill
    assert "<f>SUM(E2:E" in bill


def test_workbook_keeps_numbers_as_numbers_with_their_units() -> None:
    front = workbook("en")["Configuration sheet"]
    peak = next(row for row in front if row[0] == "Memory peak of one GPU")
    memory = an_order().candidate.estimate.memory
    assert memory is not None
    assert peak[2] == pytest.approx(memory.device_bytes.typical / 2**30)
    assert peak[1] < peak[2] < peak[3]
    assert peak[4] == "GiB"


@pytest.mark.parametrize("locale", LOCALES)
def test_pdf_says_decision_totals_and_hash(locale: str) -> None:
    text = pdf_text(locale)
    flat = "".join(text.split())
    assert TITLES[locale] in text
    assert the_issue().sha256 in flat
    for option in an_order().tco.options:
        assert "".join(money(option.total, locale).split()) in flat
    assert the_sheet().revisions.method in text


@pytest.mark.parametrize("locale", LOCALES)
def test_pdf_is_a4_and_numbers_its_pages(locale: str) -> None:
    reader = PdfReader(BytesIO(written("pdf", locale)))
    for number, page in enumerate(reader.pages, 1):
        assert (round(float(page.mediabox.width)), round(float(page.mediabox.height))) == (595, 842)
        assert str(number) in page.extract_text().splitlines()[-1]


@pytest.mark.parametrize("locale", LOCALES)
def test_pdf_embeds_its_fonts(locale: str) -> None:
    fonts = set()
    for page in PdfReader(BytesIO(written("pdf", locale))).pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            descendant = font.get_object()["/DescendantFonts"][0].get_object()
            descriptor = descendant["/FontDescriptor"]
            assert {"/FontFile2", "/FontFile3"} & set(descriptor)
            fonts.add(str(descriptor["/FontName"]))
    assert any("NotoSansSC" in name for name in fonts)


def test_the_same_issue_makes_the_same_pdf() -> None:
    assert written("pdf", "en") == written("pdf", "en")
