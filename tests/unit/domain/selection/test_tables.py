"""Decision tables: which rows apply to which work, and that every disagreement names a figure or a reason."""

from typing import Any

import pytest

from app.domain.selection.tables import applies
from app.seeds import load_catalogue
from tests.factories.plans import a_plan, an_intake, needs_of

SEVEN = {"model": {"name": "llama-2-7b"}}


@pytest.mark.parametrize(
    ("sections", "keys"),
    [
        ({}, {"003-4.2-large", "003-2.2-large", "001-dense", "004-13b"}),
        ({**SEVEN, "training": {"method": "lora"}}, {"003-4.2-medium", "000-lora", "003-5.4-startup"}),
        ({**SEVEN, "training": {"seq_len": 8192}}, {"003-4.2-medium", "003-4.2-long", "003-2.2-long", "003-5.4-startup", "004-7b-full"}),
        (
            {"training": None, "model": {"name": "llama-2-7b"}, "inference": {"qps": 120, "weight_precision": "int8"}},
            {"003-4.2-serving", "003-2.2-serving", "000-realtime"},
        ),
    ],
)
def test_rows_that_apply(sections: dict[str, Any], keys: set[str]) -> None:
    document = an_intake(**{name: answers for name, answers in sections.items() if answers is not None})
    for name in (name for name, answers in sections.items() if answers is None):
        del document[name]
    needs = needs_of(document)
    assert {row.key for row in load_catalogue().policy_rows if applies(row, needs)} == keys


def test_the_retail_case_agrees_with_its_own_table() -> None:
    """Document 003 bought what its table says, and so do we."""
    answers = {answer.row.key: answer for answer in a_plan().tables}
    assert answers["003-4.2-large"].agrees


def test_a_disagreement_says_by_how_much_the_suggested_card_misses() -> None:
    plan = a_plan(an_intake(model={"name": "llama-2-7b"}, training={"seq_len": 8192, "samples": 2_000_000}))
    answer = {answer.row.key: answer for answer in plan.tables}["003-4.2-medium"]
    assert not answer.agrees
    assert answer.why.code in ("selection.table_short", "selection.table_gives_up", "selection.table_dearer")
    assert answer.why.params["gpu"] == "NVIDIA A100 PCIe 40GB"
