"""The books beside the cash."""

from decimal import Decimal

import pytest

from app.domain.cost import Depreciation, evaluate
from app.domain.cost.books import books_of
from tests.factories.cost import a_rented, a_scenario, an_owned, item, money

OWN = an_owned(capex=(item("gpu", 10000, 8), item("server", 40000), item("network", 7000)), residual_value=money(20000))


def test_cards_lose_what_is_not_left_and_the_rest_all_of_it() -> None:
    scenario = a_scenario(OWN, a_rented())
    books = books_of(OWN, scenario)
    assert books is not None
    assert {key: amount.amount for key, amount in books.lines} == {"gpu": 60000, "server": 40000, "network": 7000}
    assert books.depreciation.amount == 107000
    assert books.years[-1].value.amount == 20000


@pytest.mark.parametrize("method", list(Depreciation))
@pytest.mark.parametrize("months", [36, 54, 7])
def test_everything_adds_up(method: Depreciation, months: int) -> None:
    own = an_owned(capex=(item("gpu", "9999.99", 7), item("server", "12345.67")), residual_value=money("1234.56"), depreciation=method)
    scenario = a_scenario(own, a_rented(), month_count=months)
    books = books_of(own, scenario)
    assert books is not None
    assert sum(amount.amount for _, amount in books.lines) == books.depreciation.amount
    assert sum(year.depreciation.amount for year in books.years) == books.depreciation.amount
    assert sum(year.interest.amount for year in books.years) == books.interest.amount
    assert [year.depreciation for year in books.years] == [year.depreciation for year in evaluate(scenario).options[0].by_year]


def test_interest_is_paid_on_the_mean_of_each_year() -> None:
    own = an_owned(capex=(item("gpu", 3000, 1),), residual_value=None)
    books = books_of(own, a_scenario(own, a_rented(), month_count=36, discount_ratio=Decimal("0.1")))
    assert books is not None
    assert [year.interest.amount for year in books.years] == [Decimal("250.00"), Decimal("150.00"), Decimal("50.00")]


def test_a_residual_above_the_cards_is_taken_off_the_rest() -> None:
    own = an_owned(capex=(item("gpu", 100, 1), item("server", 300)), residual_value=money(200))
    books = books_of(own, a_scenario(own, a_rented()))
    assert books is not None
    assert {key: amount.amount for key, amount in books.lines} == {"gpu": 0, "server": 200}


def test_what_is_rented_has_no_books() -> None:
    assert books_of(a_rented(), a_scenario(OWN, a_rented())) is None
