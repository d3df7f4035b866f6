"""Tornado and distribution: what one input alone moves, and the draws behind the range."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.domain.cost import Driver, Spread, evaluate
from app.domain.cost.sensitivity import histogram, tornado
from app.domain.cost.uncertainty import DRAW_COUNT
from tests.factories.cost import a_rented, a_scenario, an_owned, money

WIDE = Spread(low_ratio=0.5, high_ratio=2.0, source="test")
NARROW = Spread(low_ratio=0.9, high_ratio=1.1, source="test")
OWN = an_owned(spreads={Driver.PURCHASE: NARROW})
RENT = a_rented(spreads={Driver.RENT: WIDE})


def test_a_swing_is_what_the_engine_says_at_both_ends() -> None:
    scenario = a_scenario(OWN, RENT, discount_ratio=Decimal("0.1"))
    rent = next(swing for swing in tornado(scenario) if swing.driver is Driver.RENT)
    assert RENT.gpu_hour_price is not None
    for ratio, end in ((Decimal("0.5"), rent.at_low), (Decimal(2), rent.at_high)):
        moved = replace(RENT, gpu_hour_price=RENT.gpu_hour_price.times(ratio))
        assert end == pytest.approx(float(evaluate(a_scenario(OWN, moved, discount_ratio=Decimal("0.1"))).comparisons[0].saving))


def test_the_strongest_input_comes_first_and_says_whether_it_turns_the_decision() -> None:
    swings = tornado(a_scenario(OWN, RENT))
    assert [swing.driver for swing in swings] == [Driver.RENT, Driver.PURCHASE]
    dear = tornado(a_scenario(OWN, replace(RENT, gpu_hour_price=money(1000))))
    assert not any(swing.flips for swing in dear)


def test_without_a_second_option_nothing_hangs_on_anything() -> None:
    assert tornado(a_scenario(OWN)) == ()


def test_nine_draws_of_ten_are_shown_and_the_median_is_where_the_range_says() -> None:
    scenario = a_scenario(OWN, RENT)
    result = evaluate(scenario)
    bins = histogram(scenario)
    for option in result.options:
        mine = [entry for entry in bins if entry.option == option.option.name]
        assert 0.89 * DRAW_COUNT <= sum(entry.count for entry in mine) <= DRAW_COUNT
        below = sum(entry.count for entry in mine if entry.high <= option.range.p50)
        above = sum(entry.count for entry in mine if entry.low > option.range.p50)
        assert below <= DRAW_COUNT / 2
        assert above <= DRAW_COUNT / 2
