"""The contract's scenario document: what it says, what is assumed, and how bad values are named."""

from copy import deepcopy
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from app.domain.cost import evaluate
from app.domain.errors import InvalidInput
from app.domain.money import Currency
from app.seeds import default_fx
from app.text.render import render
from app.wire.tco import parse_scenario, tco_json

FX = default_fx(date(2026, 11, 30))
CONTRACT: dict[str, Any] = {
    "currency": "USD",
    "years": 3,
    "discount_rate": 0.0,
    "fx": {"USD/CNY": "7.00", "on": "2026-10-30"},
    "options": [
        {
            "name": "own",
            "kind": "buy",
            "n_gpus": 1,
            "capex": [{"item": "gpu", "unit_price": "12000", "qty": 1, "currency": "USD"}, {"item": "rail", "unit_price": 0}],
            "residual": "0",
            "depreciation": "straight-line",
            "power": {"average_w": 250},
            "hours_per_year": 8760,
            "electricity_per_kwh": "0.12",
            "pue": 1.0,
            "cooling_per_year": "0",
            "maintenance_ratio_per_year": 0.0,
            "opex": [{"item": "staff", "per_month": "480"}],
            "one_off": [{"item": "delay", "amount": "0", "month": 0}],
            "utilisation": 1.0,
        },
        {
            "name": "cloud",
            "kind": "rent",
            "n_gpus": 1,
            "price_per_gpu_hour": "2.0",
            "commitment": "on-demand",
            "hours_per_year": 8760,
            "utilisation": 0.6,
            "opex": [],
        },
    ],
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The contract's example with one value replaced; the path is written as errors write it."""
    document = deepcopy(CONTRACT)
    place: Any = document
    *parents, last = path.replace("[", ".[").split(".")
    for part in parents:
        place = place[int(part[1:-1])] if part.startswith("[") else place[part]
    place[int(last[1:-1]) if last.startswith("[") else last] = value
    return document


def answer(document: dict[str, Any]) -> dict[str, Any]:
    return tco_json(evaluate(parse_scenario(document, FX)))


def test_the_contract_example() -> None:
    result = answer(CONTRACT)
    own, cloud = result["options"]
    assert own["total"] == {"amount": "30068.40", "currency": "USD"}
    assert {line["line"]: line["total"]["amount"] for line in own["lines"]} == {
        "gpu": "12000.00",
        "electricity": "788.40",
        "staff": "17280.00",
        "other_capex": "0.00",
    }
    assert (own["kwh"], cloud["total"]["amount"]) == (6570.0, "31536.00")
    assert [year["capex"]["amount"] for year in own["by_year"]] == ["12000.00", "0.00", "0.00"]
    assert result["comparison"][0]["break_even_utilisation"] == pytest.approx(30068.40 / 52560)
    assert result["assumptions"] == []
    assert all(line["derivation"] for option in result["options"] for line in option["lines"])


def test_what_is_omitted_is_listed() -> None:
    document = {"options": [{"kind": "buy", "power": {"average_w": 250}, "capex": [{"item": "gpu", "unit_price": 1}]}]}
    fields = {entry["field"] for entry in answer(document)["assumptions"]}
    assert fields == {
        "currency",
        "years",
        "discount_rate",
        "fx.USD/CNY",
        "options[0].n_gpus",
        "options[0].hours_per_year",
        "options[0].utilisation",
        "options[0].electricity_per_kwh",
        "options[0].pue",
        "options[0].residual",
        "options[0].cooling_per_year",
        "options[0].maintenance_ratio_per_year",
    }


def test_defaults_follow_the_currency() -> None:
    document = {"currency": "CNY", "options": [{"kind": "buy", "power": {"average_w": 250}}]}
    scenario = parse_scenario(document, FX)
    assert scenario.options[0].electricity_price is not None
    assert scenario.options[0].electricity_price.amount == Decimal("0.63")
    assert scenario.discount_ratio == Decimal("0.031")


def test_an_absent_rate_is_the_bundled_one_with_its_date() -> None:
    document = deepcopy(CONTRACT)
    del document["fx"]
    assert answer(document)["fx"]["on"] == "2026-10-30"


def test_a_rate_may_be_written_the_other_way_round() -> None:
    document = changed("fx", {"CNY/USD": "0.125", "on": "2026-10-30"})
    document["options"][0]["capex"][0] |= {"unit_price": "96000", "currency": "CNY"}
    assert answer(document)["options"][0]["capex"]["amount"] == "12000.00"


def test_the_answer_in_the_other_currency_shows_its_rate() -> None:
    result = answer(changed("currency", "CNY") | {"fx": {"USD/CNY": "6.5", "on": "2026-01-08"}})
    assert result["options"][0]["total"]["currency"] == Currency.CNY
    assert result["fx"] == {"USD/CNY": "6.5", "on": "2026-01-08", "source": "stated in the scenario"}


def test_a_stated_range_becomes_the_spread() -> None:
    result = answer(changed("options[0].electricity_per_kwh", {"low": "0.06", "typical": "0.12", "high": "0.24"}))
    spread = next(entry for entry in result["uncertainty"]["inputs"] if entry["input"] == "electricity_per_kwh")
    assert (spread["low_ratio"], spread["high_ratio"]) == (0.5, 2.0)
    low, typical, high = (float(result["uncertainty"][key]["amount"]) for key in ("p10", "p50", "p90"))
    assert low < typical < high


def test_texts_follow_the_locale() -> None:
    document = changed("options[1].price_per_gpu_hour", "0.01")
    reasons = [tco_json(evaluate(parse_scenario(document, FX)), locale)["comparison"][0]["reason"] for locale in ("en", "zh_CN")]
    assert reasons[0] == "At every utilisation up to 100 %, cloud is cheaper."
    assert "cloud" in reasons[1]
    assert "cheaper" not in reasons[1]


HUGE = 10**400
BAD = [
    ("options", [], "options"),
    ("options", "none", "options"),
    ("options", [[]], "options[0]"),
    ("options[0].kind", "borrow", "options[0].kind"),
    ("options[0].kind", "steal", "options[0].kind"),
    ("options[1].name", "own", "options[1].name"),
    ("options[0].name", "a\nb", "options[0].name"),
    ("options[0].name", "x" * 500, "options[0].name"),
    ("options[0].capex[1].unit_price", "a lot", "options[0].capex[1].unit_price"),
    ("options[0].capex[1].unit_price", -1, "options[0].capex[1].unit_price"),
    ("options[0].capex[1].unit_price", HUGE, "options[0].capex[1].unit_price"),
    ("options[0].capex[1].unit_price", "9" * 300, "options[0].capex[1].unit_price"),
    ("options[0].capex[1].unit_price", float("nan"), "options[0].capex[1].unit_price"),
    ("options[0].capex[1].unit_price", float("inf"), "options[0].capex[1].unit_price"),
    ("options[0].capex[1].unit_price", "NaN", "options[0].capex[1].unit_price"),
    ("options[0].capex[1].unit_price", True, "options[0].capex[1].unit_price"),
    ("options[0].capex[1].unit_price", {"amount": 1}, "options[0].capex[1].unit_price"),
    ("options[0].capex[0].currency", "TWD", "options[0].capex[0].currency"),
    ("options[0].capex[0].qty", 0, "options[0].capex[0].qty"),
    ("options[0].capex[0].colour", "red", "options[0].capex[0].colour"),
    ("options[0].capex", {"gpu": 1}, "options[0].capex"),
    ("options[0].n_gpus", 0, "options[0].n_gpus"),
    ("options[0].n_gpus", 1.5, "options[0].n_gpus"),
    ("options[0].power.average_w", "250 W", "options[0].power.average_w"),
    ("options[0].power", {"average_w": 1, "idle_w": 1}, "options[0].power.idle_w"),
    ("options[0].power", {"idle_w": 10}, "options[0].power.average_w"),
    ("options[0].power", {"idle_w": 10, "typical_w": 5}, "options[0].power.typical_w"),
    ("options[0].pue", 0.9, "options[0].pue"),
    ("options[0].electricity_per_kwh", {"low": 2, "typical": 1, "high": 3}, "options[0].electricity_per_kwh.low"),
    ("options[0].utilisation", 60, "options[0].utilisation"),
    ("options[0].one_off[0].month", 37, "options[0].one_off[0].month"),
    ("options[0].depreciation", "guess", "options[0].depreciation"),
    ("options[1].price_per_gpu_hour", None, "options[1].price_per_gpu_hour"),
    ("options[1].commitment", "forever", "options[1].commitment"),
    ("options[1].pue", 1.2, "options[1].pue"),
    ("options[1].colour", "red", "options[1].colour"),
    ("years", 0, "years"),
    ("years", -3, "years"),
    ("years", 1e9, "years"),
    ("years", 0.123, "years"),
    ("discount_rate", 12, "discount_rate"),
    ("currency", "EUR", "currency"),
    ("currency", 5, "currency"),
    ("fx", {"USD/CNY": 0, "on": "2026-10-30"}, "fx.USD/CNY"),
    ("fx", {"USD/CNY": 7, "on": "yesterday"}, "fx.on"),
    ("fx", {"on": "2026-10-30"}, "fx.USD/CNY"),
    ("fx", {"USD/CNY": 7, "CNY/USD": 0.1}, "fx.CNY/USD"),
    ("fx", {"USD/EUR": 1}, "fx.USD/EUR"),
    ("budget", 5, "budget"),
]


@pytest.mark.parametrize(("path", "value", "field"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input_names_its_field(path: str, value: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_scenario(changed(path, value), FX)
    assert refused.value.field == field
    assert render(refused.value.message, "en")


@pytest.mark.parametrize("document", [None, [], "text", 5])
def test_a_document_that_is_no_object(document: Any) -> None:
    with pytest.raises(InvalidInput, match="document"):
        parse_scenario(document, FX)


@pytest.mark.parametrize(("residual", "is_fine"), [("12000", True), ("12000.01", False)])
def test_no_more_is_left_than_was_paid(residual: str, is_fine: bool) -> None:
    document = changed("options[0].residual", residual)
    if is_fine:
        assert answer(document)["options"][0]["capex"]["amount"] == "0.00"
    else:
        with pytest.raises(InvalidInput) as refused:
            answer(document)
        assert refused.value.field == "options[0].residual"
