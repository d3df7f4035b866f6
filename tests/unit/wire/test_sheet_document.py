"""The stored document: one sheet one text, read back to the same sheet."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.export.issue import Issue
from app.export.json import write_json
from app.text.render import render
from app.wire.sheet import canonical, canonical_text, fingerprint, read_sheet, with_fixed_words
from tests.factories.sheets import the_issue, the_sheet

SAMPLES = Path(__file__).parents[2] / "samples" / "sheets"


def test_document_is_read_back_to_the_same_sheet() -> None:
    assert read_sheet(canonical(the_sheet())) == the_sheet()


def test_document_is_canonical() -> None:
    document = canonical(the_sheet())
    assert document == canonical_text(json.loads(document))
    assert canonical(the_sheet()) == document


def test_hash_tells_every_change() -> None:
    changed = replace(the_sheet(), issued_by="Somebody else")
    assert fingerprint(canonical(changed)) != the_issue().sha256
    assert len(the_issue().sha256) == 64


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_sheets_of_earlier_releases_can_still_be_read_and_said(path: Path) -> None:
    """A field that is new has a default; sentences are in the document."""
    document = path.read_text(encoding="utf-8")
    issue = Issue(sheet=read_sheet(document), document=document, sha256=fingerprint(document))
    for locale in ("en", "zh_CN"):
        assert json.loads(write_json(issue, locale))["sections"]


def test_an_issue_keeps_its_sentences_whatever_the_words_become() -> None:
    sheet = read_sheet(canonical(with_fixed_words(the_sheet())))
    for locale in ("en", "zh_CN"):
        assert render(sheet.decision, locale) == render(the_sheet().decision, locale)
        assert [render(row.why, locale) for row in sheet.assumptions] == [render(row.why, locale) for row in the_sheet().assumptions]
    assert sheet.decision.params["code"] == the_sheet().decision.code
