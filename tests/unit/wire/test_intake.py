"""The contract's intake document."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import InvalidInput
from app.domain.intake.fields import FIELDS
from app.domain.money import Currency
from app.wire.intake import parse_intake
from tests.factories.intake import a_catalogue_of, a_language_model, an_image_model

CATALOGUE = a_catalogue_of(a_language_model(), an_image_model())
CASE = {
    "name": "Retail copywriter", "currency": "CNY", "years": 3,
    "data": {"total_tb": 12, "sample_mb": 0.6, "storage_gbps": None, "stall": "decode", "workers_tried": 16},
    "model": {"name": "Llama-2-7B"},
    "training": {"kind": "finetune", "method": "full", "precision": "bf16-mixed", "seq_len": 512, "samples": 20000000, "epochs": 1, "deadline_days": 7, "runs_per_year": 12},
    "inference": {"qps": None, "in_len": None, "out_len": None, "ttft_ms": None, "tpot_ms": None, "weight_precision": None, "concurrency": None},
    "software": {"framework": "pytorch", "framework_version": "2.0.1", "cuda": "12.1", "libraries": ["deepspeed==0.8.3"], "fips_140": False, "hypervisor": None},
    "operations": {"servers": [], "environment": "production", "rack_kw": 12, "cooling": "air", "always_on": True, "growth_ratio_6m": 1.0, "budget": {"amount": "2000000", "currency": "CNY"}},
}  # fmt: skip


def test_contract_document_is_read_into_base_units() -> None:
    needs = parse_intake(CASE, CATALOGUE)
    assert (needs.data.total_bytes, needs.data.sample_bytes) == (12e12, 600_000)
    assert needs.training is not None
    assert needs.inference is None
    assert (needs.training.sample_count, needs.training.deadline_s) == (2e7, 7 * 86400)
    assert needs.operations.rack_w == 12_000
    assert needs.operations.budget is not None
    assert (str(needs.operations.budget.amount), needs.operations.budget.currency) == ("2000000", Currency.CNY)
    assert {a.field for a in needs.assumptions} == {
        "data.storage_gbps",
        "software.hypervisor",
        "operations.servers",
        "operations.allow_desktop",
    }


def test_empty_document_is_planned_on_assumptions() -> None:
    assert parse_intake({}, CATALOGUE).model == a_language_model()


def test_empty_inference_object_asks_for_serving() -> None:
    needs = parse_intake({"inference": {}}, CATALOGUE)
    assert needs.training is None
    assert needs.inference is not None


@pytest.mark.parametrize(
    ("document", "field", "code"),
    [
        ([], "intake", "intake.not_an_object"),
        ({"colour": 1}, "colour", "intake.unknown_key"),
        ({"training": {"lr": 1}}, "training.lr", "intake.unknown_key"),
        ({"training": 7}, "training", "intake.not_an_object"),
        ({"training": False}, "training", "intake.not_an_object"),
        ({"training": {"precision": "int8"}}, "training.precision", "intake.weight_format_for_training"),
        ({"training": {"seq_len": True}}, "training.seq_len", "intake.not_a_number"),
        ({"training": {"seq_len": "512"}}, "training.seq_len", "intake.not_a_number"),
        ({"training": {"seq_len": 0.5}}, "training.seq_len", "intake.too_small"),
        ({"training": {"seq_len": 512.5}}, "training.seq_len", "intake.not_whole"),
        ({"training": {"deadline_days": 0}}, "training.deadline_days", "intake.not_positive"),
        ({"training": {"samples": -1}}, "training.samples", "intake.not_positive"),
        ({"training": {"samples": 10**400}}, "training.samples", "intake.too_large"),
        ({"training": {"epochs": float("nan")}}, "training.epochs", "intake.not_a_number"),
        ({"training": {"epochs": float("inf")}}, "training.epochs", "intake.not_a_number"),
        ({"training": {"method": "magic"}}, "training.method", "intake.not_a_choice"),
        ({"software": {"fips_140": "maybe"}}, "software.fips_140", "intake.not_yes_or_no"),
        ({"software": {"libraries": "deepspeed"}}, "software.libraries", "intake.not_a_list"),
        ({"operations": {"budget": 5}}, "operations.budget", "intake.not_money"),
        ({"operations": {"budget": {"amount": "NaN", "currency": "USD"}}}, "operations.budget", "intake.not_money"),
        ({"operations": {"budget": {"amount": "1e999999", "currency": "USD"}}}, "operations.budget", "intake.too_large"),
        ({"operations": {"budget": {"amount": "5", "currency": "XXX"}}}, "currency", "intake.not_a_choice"),
        ({"name": "a\x00b"}, "name", "intake.unprintable"),
        ({"model": {"name": "no-such-model"}}, "model.name", "workload.unknown_model"),
        ({"years": 99}, "years", "intake.too_large"),
    ],
)  # fmt: skip
def test_bad_document_names_the_field(document: Any, field: str, code: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_intake(document, CATALOGUE)
    assert (caught.value.field, caught.value.message.code) == (field, code)


def test_every_field_of_the_contract_is_known() -> None:
    paths = {f"{section}.{key}" for section, entries in CASE.items() if isinstance(entries, dict) and section != "model" for key in entries}
    added = {"operations.allow_desktop"}  # not in the contract yet: towers and consumer cards in production
    assert paths | added | {"operations.rack_amps", "operations.rack_volts", "name", "currency", "years"} == {
        field.path for field in FIELDS
    }


_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9), lambda v: st.lists(v, max_size=2) | st.dictionaries(st.text(max_size=5), v, max_size=2)
)  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from([*CASE]), st.dictionaries(st.sampled_from([f.key for f in FIELDS]), _values, max_size=3) | _values, max_size=3
    )
)
def test_any_document_is_read_or_refused(document: dict[str, Any]) -> None:
    with suppress(InvalidInput):
        needs = parse_intake(json.loads(json.dumps(document)), CATALOGUE)
        assert needs.training or needs.inference
