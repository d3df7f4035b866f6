"""Requirements and plans over the product's own catalogue."""

from copy import deepcopy
from datetime import date
from decimal import Decimal
from typing import Any

from app.domain.diagnosis import Diagnosis
from app.domain.intake import Requirements
from app.domain.money import Currency, FxRate
from app.domain.selection import Plan, make_plan
from app.seeds import load_catalogue
from app.wire.intake import parse_intake

FX = FxRate(base=Currency.USD, quote=Currency.CNY, rate=Decimal("7.00"), on=date(2026, 10, 30), source="made up for tests")
RETAIL: dict[str, Any] = {
    # the published case: 13B decoder, 20 million samples of 512 tokens, 7 days
    "name": "Retail copywriter 13B",
    "currency": "CNY",
    "years": 3,
    "data": {"total_tb": 12, "sample_mb": 0.6, "storage_gbps": 20},
    "model": {"name": "llama-2-13b"},
    "training": {
        "kind": "finetune",
        "method": "full",
        "precision": "bf16-mixed",
        "seq_len": 512,
        "samples": 20_000_000,
        "epochs": 1,
        "deadline_days": 7,
        "runs_per_year": 12,
    },
    "software": {"framework": "pytorch", "framework_version": "2.0.1", "cuda": "12.1", "libraries": ["deepspeed==0.8.3"]},
    "operations": {"environment": "production", "cooling": "air", "always_on": True},
}


def an_intake(**sections: dict[str, Any]) -> dict[str, Any]:
    """The retail case with some answers changed: `an_intake(operations={"rack_kw": 5})`."""
    document = deepcopy(RETAIL)
    for section, answers in sections.items():
        document[section] = {**document.get(section, {}), **answers}
    return document


def needs_of(document: dict[str, Any]) -> Requirements:
    """The requirements of an intake document."""
    return parse_intake(document, load_catalogue())


def a_plan(document: dict[str, Any] | None = None, diagnosis: Diagnosis | None = None) -> Plan:
    """The plan of an intake document, at a fixed exchange rate."""
    return make_plan(needs_of(document or RETAIL), load_catalogue(), diagnosis, FX)
