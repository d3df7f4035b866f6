"""Leases and mixtures made of a project's own options."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.domain.cost import Kind, OpexItem, Scenario, evaluate
from app.domain.cost.inputs import Override, check
from app.domain.cost.offers import OWN, RENTED
from app.domain.cost.ways import BUYOUT, LEASED, MIXED, MONTHLY, NODES, UPFRONT, WORK, way_inputs, with_ways
from app.domain.errors import InvalidInput
from app.domain.money import Currency
from tests.factories.cost import a_rented, a_scenario, an_owned, item, money


def scenario(use: str = "0.5") -> Scenario:
    own = an_owned(
        name=OWN,
        gpu_count=32,
        utilisation_ratio=Decimal(use),
        capex=(item("gpu", 10000, 32), item("server", 40000, 4)),
        residual_value=money(20000),
        opex=(OpexItem(item="staff", monthly_cost=money(100)),),
    )
    return a_scenario(own, a_rented(name=RENTED, gpu_count=32, utilisation_ratio=Decimal(use)))


def stated(value: object, currency: Currency | None = Currency.USD) -> Override:
    return Override(value=Decimal(str(value)), currency=currency)


def test_nothing_stated_adds_nothing() -> None:
    assert with_ways(scenario(), 4, {}) == scenario()
    assert with_ways(scenario(), 4, {MONTHLY: stated(0), NODES: stated(0, None)}) == scenario()


def test_a_lease_is_paid_instead_of_the_purchase_and_given_back() -> None:
    leased = evaluate(with_ways(scenario(), 4, {MONTHLY: stated(5000), UPFRONT: stated(1000)})).options[-1]
    assert (leased.option.name, leased.option.kind) == (LEASED, Kind.LEASE)
    months = scenario().month_count
    assert leased.total.amount == 1000 + (5000 + 100) * months
    assert leased.capex.amount == 0


def test_a_lease_that_ends_in_a_purchase_keeps_the_residual_value() -> None:
    bought = evaluate(with_ways(scenario(), 4, {MONTHLY: stated(5000), BUYOUT: stated(30000)})).options[-1]
    assert bought.capex.amount == 30000 - 20000


def test_a_base_is_busy_first_and_the_rest_is_rented() -> None:
    mixed = with_ways(scenario("0.5"), 4, {NODES: stated(1, None)}).options[-1]
    base, burst = mixed.parts
    assert (mixed.name, mixed.kind, mixed.gpu_count) == (MIXED, Kind.HYBRID, 32)
    assert (base.gpu_count, base.utilisation_ratio) == (8, 1)
    assert (burst.gpu_count, burst.utilisation_ratio) == (24, Decimal("0.25") / Decimal("0.75"))
    assert base.gpu_count * base.utilisation_ratio + burst.gpu_count * burst.utilisation_ratio == pytest.approx(16)
    assert [entry.quantity for entry in base.capex] == [8, 1]


def test_all_owned_and_none_owned_are_what_the_mixture_lies_between() -> None:
    result = evaluate(with_ways(scenario("0.6"), 4, {NODES: stated(3, None)}))
    own, rented, mixed = result.options
    rest = mixed.total.amount - own.total.amount * 3 / 4
    assert 0 <= rest <= rented.total.amount


def test_the_share_of_work_stays_what_the_machines_can_do() -> None:
    least, most = next((entry.least, entry.most) for entry in way_inputs(scenario("0.8"), 4, {NODES: stated(1, None)}) if entry.key == WORK)
    assert (least, most) == (Decimal("0.0625"), Decimal("0.3125"))
    mixed = with_ways(scenario("0.8"), 4, {NODES: stated(1, None), WORK: stated("0.2", None)}).options[-1]
    assert mixed.parts[0].utilisation_ratio == Decimal("0.64")


@pytest.mark.parametrize("value", ["1.5", "4", "-1"])
def test_owned_servers_are_whole_and_fewer_than_all(value: str) -> None:
    entry = next(entry for entry in way_inputs(scenario(), 4, {}) if entry.key == NODES)
    with pytest.raises(InvalidInput, match=NODES):
        check(entry, Decimal(value))


def test_one_machine_or_no_rent_leaves_no_mixture() -> None:
    alone = replace(scenario(), options=scenario().options[:1])
    assert (
        {entry.key for entry in way_inputs(scenario(), 1, {})}
        == {entry.key for entry in way_inputs(alone, 4, {})}
        == {MONTHLY, UPFRONT, BUYOUT}
    )
    assert with_ways(alone, 4, {NODES: stated(1, None)}) == alone
