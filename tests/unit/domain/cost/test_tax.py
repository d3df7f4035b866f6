"""Taxes stand apart: worked by hand, and no total moves."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from app.domain.cost import OptionResult, evaluate
from app.domain.errors import InvalidInput
from app.domain.money import Currency, FxRate
from app.wire.tco import parse_scenario, tco_json
from tests.factories.scenarios import a_document

FX = FxRate(base=Currency.USD, quote=Currency.CNY, rate=Decimal(7), on=date(2026, 10, 30), source="test")
OWN: dict[str, Any] = {
    "name": "own",
    "kind": "buy",
    "capex": [{"item": "gpu", "unit_price": "10000", "qty": 2}],
    "power": {"average_w": 1000},
    "electricity_per_kwh": "0.1",
    "pue": 1,
    "residual": "4000",
    "opex": [{"item": "hosting", "per_month": "100"}, {"item": "staff", "per_month": "500"}],
}
CHINA = {"goods_ratio": 0.13, "services_ratio": 0.06, "duty_ratio": 0.1}


def result(tax: dict[str, Any] | None) -> OptionResult:
    return evaluate(parse_scenario(a_document(OWN, years=1, tax=tax), FX)).options[0]


def test_duty_is_taxed_and_wages_and_resale_are_not() -> None:
    tax = result(CHINA).tax
    assert tax is not None
    assert tax.duty.amount == 2000
    assert tax.on_goods.amount == Decimal("0.13") * (20000 + 2000 + 876)
    assert tax.on_services.amount == Decimal("0.06") * 1200
    assert tax.total.amount == tax.duty.amount + tax.on_goods.amount + tax.on_services.amount
    assert tax.kept == tax.duty


def test_what_cannot_be_recovered_stays_with_the_buyer_but_in_no_total() -> None:
    plain, taxed = result(None), result({**CHINA, "recoverable": False})
    assert plain.tax is None
    assert taxed.tax is not None
    assert taxed.tax.kept == taxed.tax.total
    assert (taxed.total, taxed.npv, taxed.lines) == (plain.total, plain.npv, plain.lines)


def test_the_answer_holds_it() -> None:
    answer = tco_json(evaluate(parse_scenario(a_document(OWN, years=1, tax=CHINA), FX)))
    assert answer["options"][0]["tax"]["duty"] == {"amount": "2000.00", "currency": "USD"}


@pytest.mark.parametrize(("key", "value"), [("goods_ratio", 13), ("recoverable", "yes"), ("vat", 0.1)])
def test_bad_rates_are_named(key: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        result({**CHINA, key: value})
    assert refused.value.field == f"tax.{key}"
