"""Every field of the catalogue is shown somewhere and has a name; every word of a closed column has a translation."""

import re
from dataclasses import fields

import pytest

from app.domain.catalogue.invariants.fault import every_row
from app.seeds import load_catalogue
from app.text.words import words
from app.web.nouns import NOUNS

CATALOGUE = load_catalogue()
ELSEWHERE = {
    *("name", "slug", "notes", "source", "unconfirmed_fields"),  # head, notes, source and marks of the page
    *("gpu_slugs", "factor", "unit"),  # related rows, title, unit of the figures
    *("memory_usable_measured", "power_evidence", "msrp_source", "idle_factor"),  # shown as evidence
}
CLOUD = re.compile(r"(?!global)[a-z0-9-]+")  # a cloud's name of its region stays as it is
CLOSED = sorted({code.split(".")[1] for code in words() if code.startswith("value.")} - {"evidence"})


@pytest.mark.parametrize("noun", NOUNS)
def test_every_field_is_shown_and_named(noun: str) -> None:
    shown = [name for names in NOUNS[noun].groups.values() for name in names]
    row = NOUNS[noun].rows(CATALOGUE)[0]
    assert {item.name for item in fields(row)} - set(shown) - ELSEWHERE == set()
    assert len(shown) == len(set(shown))
    assert [name for name in (*shown, *NOUNS[noun].columns) if f"field.{name}" not in words()] == []


@pytest.mark.parametrize("field", CLOSED)
def test_every_word_of_a_closed_column_is_translated(field: str) -> None:
    held = {getattr(row, field, None) for table, _, row in every_row(CATALOGUE) if not (field == "unit" and table == "cost_factors")}
    texts = {value for value in held if isinstance(value, str) and value}
    assert {
        value for value in texts if f"value.{field}.{value}" not in words() and not (field == "region" and CLOUD.fullmatch(value))
    } == set()
