"""The stored document: one sheet one text, read back to the same sheet."""

import json
from dataclasses import replace

from app.wire.sheet import canonical, canonical_text, fingerprint, read_sheet
from tests.factories.sheets import the_issue, the_sheet


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
