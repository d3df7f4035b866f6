"""Inputs that people replace."""

from decimal import Decimal

import pytest

from app.domain.cost import Driver, OpexItem, Power, Scenario, Spread, evaluate
from app.domain.cost.inputs import Override, inputs, with_overrides
from app.domain.errors import InvalidInput
from app.domain.money import Currency
from tests.factories.cost import a_rented, a_scenario, an_owned, item, money


def the_scenario() -> Scenario:
    own = an_owned(
        capex=(item("gpu", 10000, 8), item("server", 40000)),
        residual_value=money(20000),
        power=Power(idle_w=Decimal(50), typical_w=Decimal(300), host_w=Decimal(1000)),
        electricity_price=money("0.1"),
        pue_ratio=Decimal("1.5"),
        maintenance_ratio=Decimal("0.1"),
        opex=(OpexItem(item="staff", monthly_cost=money(100)), OpexItem(item="hosting", monthly_cost=money(200))),
        utilisation_ratio=Decimal("0.4"),
        sources={Driver.PUE: "a survey"},
        spreads={Driver.PUE: Spread(low_ratio=0.9, high_ratio=1.2, source="a survey")},
    )
    return a_scenario(own, a_rented())


def test_every_input_is_listed_with_its_source() -> None:
    found = {entry.key: entry for entry in inputs(the_scenario())}
    assert set(found) == {
        "discount_rate",
        "utilisation",
        "own.gpu_price",
        "own.server_price",
        "own.residual",
        "own.idle_w",
        "own.typical_w",
        "own.host_w",
        "own.electricity_per_kwh",
        "own.pue",
        "own.maintenance_ratio_per_year",
        "own.staff",
        "own.hosting",
        *(f"own.{name}" for name in ("storage", "software", "data", "failures", "delay")),
        *(f"cloud.{name}" for name in ("price_per_gpu_hour", "software", "data")),
    }
    assert (found["own.pue"].value, found["own.pue"].source) == (Decimal("1.5"), "a survey")


@pytest.mark.parametrize("key", [entry.key for entry in inputs(the_scenario())])
def test_every_input_changes_the_cost_and_goes_back(key: str) -> None:
    scenario = the_scenario()
    before = next(entry for entry in inputs(scenario) if entry.key == key)
    value = before.value * 2 if before.value and before.value * 2 <= before.most else (before.value or Decimal(1)) / 2
    changed = with_overrides(scenario, {key: Override(value=value)})
    after = next(entry for entry in inputs(changed) if entry.key == key)
    assert after.value == value
    figures = [
        [(option.total, option.npv, option.per_effective_gpu_hour) for option in evaluate(each).options] for each in (scenario, changed)
    ]
    assert figures[0] != figures[1]
    assert with_overrides(scenario, {}) == scenario


def test_a_replaced_input_is_marked_and_no_longer_uncertain() -> None:
    changed = with_overrides(the_scenario(), {"own.pue": Override(value=Decimal("1.2"))})
    entry = next(entry for entry in inputs(changed) if entry.key == "own.pue")
    assert entry.source == "stated on this project"
    assert Driver.PUE not in changed.options[0].spreads


def test_money_keeps_its_currency() -> None:
    changed = with_overrides(the_scenario(), {"own.gpu_price": Override(value=Decimal(70000), currency=Currency.CNY)})
    assert next(entry.value for entry in inputs(changed) if entry.key == "own.gpu_price") == 10000


def test_an_input_of_an_option_that_is_gone_is_left_out() -> None:
    assert with_overrides(the_scenario(), {"own.network_price": Override(value=Decimal(5))}) == the_scenario()


@pytest.mark.parametrize(
    ("key", "value"), [("own.pue", "0.5"), ("utilisation", "1.1"), ("discount_rate", "-0.1"), ("own.gpu_price", "1e20")]
)
def test_values_out_of_bounds_name_the_input(key: str, value: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        with_overrides(the_scenario(), {key: Override(value=Decimal(value))})
    assert refused.value.field == key


def test_use_is_that_of_all_options() -> None:
    changed = with_overrides(the_scenario(), {"utilisation": Override(value=Decimal("0.9"))})
    assert {option.utilisation_ratio for option in changed.options} == {Decimal("0.9")}


def test_residual_follows_the_price_of_the_gpus_unless_stated() -> None:
    half = {"own.gpu_price": Override(value=Decimal(35000), currency=Currency.CNY)}
    assert with_overrides(the_scenario(), half).options[0].residual_value == money(10000)
    stated = half | {"own.residual": Override(value=Decimal(1), currency=Currency.USD)}
    assert with_overrides(the_scenario(), stated).options[0].residual_value == money(1)
