"""Two options against each other, and the ranges around them."""

from decimal import Decimal

import pytest

from app.domain.cost import Driver, OpexItem, Spread, evaluate
from tests.factories.cost import a_rented, a_scenario, an_owned, money


def test_break_even_by_hand() -> None:
    comparison = evaluate(a_scenario(an_owned(), a_rented())).comparisons[0]
    assert comparison.break_even_utilisation == pytest.approx(12000 / (2 * 26280))
    assert comparison.break_even_hours == pytest.approx(6000)


def test_never_breaking_even_names_the_cheaper() -> None:
    comparison = evaluate(a_scenario(an_owned(), a_rented(gpu_hour_price=money("0.1")))).comparisons[0]
    assert comparison.break_even_utilisation is None
    assert comparison.reasons["break_even_utilisation"].params == {"name": "cloud"}


def test_payback_and_return_belong_to_the_dearer_start_in_either_order() -> None:
    own, rented = an_owned(), a_rented()
    there, back = (evaluate(a_scenario(*pair)).comparisons[0] for pair in ((own, rented), (rented, own)))
    assert there.investment == back.investment == "own"
    assert there.payback_months == back.payback_months == pytest.approx(12000 / (2 * 730 * 0.6))
    assert there.irr == back.irr
    assert there.saving == -back.saving


def test_nothing_to_pay_back_says_so() -> None:
    comparison = evaluate(a_scenario(a_rented(name="a"), a_rented(name="b", gpu_hour_price=money(3)))).comparisons[0]
    assert (comparison.investment, comparison.payback_months, comparison.irr) == (None, None, None)
    assert comparison.reasons["payback_months"].code == "cost.no_investment"


def test_not_paid_back_within_the_plan_says_so() -> None:
    dear = an_owned(opex=(OpexItem(item="staff", monthly_cost=money(5000)),))
    assert evaluate(a_scenario(dear, a_rented())).comparisons[0].reasons["payback_months"].code == "cost.not_paid_back"


def test_three_options_are_compared_pairwise() -> None:
    result = evaluate(a_scenario(an_owned(), a_rented(), a_rented(name="other", gpu_hour_price=money(3))))
    assert [(pair.first, pair.second) for pair in result.comparisons] == [("own", "cloud"), ("own", "other"), ("cloud", "other")]


def test_range_of_a_single_driver_is_its_spread() -> None:
    own = an_owned(spreads={Driver.PURCHASE: Spread(low_ratio=0.9, high_ratio=1.25, source="test")})
    spread = evaluate(a_scenario(own)).options[0].range
    assert (spread.p10, spread.p50, spread.p90) == pytest.approx((10800, 12000, 15000), rel=0.01)


def test_options_share_the_luck_of_a_driver() -> None:
    spread = {Driver.PURCHASE: Spread(low_ratio=0.5, high_ratio=2, source="test")}
    result = evaluate(
        a_scenario(
            an_owned(spreads=spread),
            an_owned(name="dearer", spreads=spread, one_off=(), opex=(OpexItem(item="staff", monthly_cost=money(1)),)),
        )
    )
    assert result.uncertainty.probability_first_cheaper == 1


def test_equal_options_are_a_coin_toss() -> None:
    assert evaluate(a_scenario(an_owned(), an_owned(name="same"))).uncertainty.probability_first_cheaper == Decimal("0.5")


def test_one_option_has_no_rival() -> None:
    draws = evaluate(a_scenario(an_owned())).uncertainty
    assert (draws.saving, draws.probability_first_cheaper) == (None, None)
