"""Age and oddity of prices."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from app.domain.catalogue.prices import PurchasePrice, RentalPrice
from app.domain.catalogue.quotes import PricesWanted, age_months, find_rentals, judge_purchases, judge_rentals
from app.seeds import load_catalogue
from tests.factories.catalogue import a_purchase_price, a_rental_price

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("on", "months"), [("2026-11", 0), ("2026-11-02", 0), ("2026-10-31", 1), ("2025-11", 12), ("2025", 17), ("2027-01", 0)]
)
def test_age_counts_whole_months(on: str, months: int) -> None:
    assert age_months(on, TODAY) == months


@pytest.mark.parametrize(("on", "is_stale"), [("2025-11", False), ("2025-10", True)])
def test_rent_is_stale_after_a_year(on: str, is_stale: bool) -> None:
    (judged,) = judge_rentals([a_rental_price(on=on)], TODAY)
    assert judged.is_stale is is_stale


@pytest.mark.parametrize(("on", "is_stale"), [("2025-05", False), ("2025-04", True)])
def test_purchase_is_stale_after_a_year_and_a_half(on: str, is_stale: bool) -> None:
    (judged,) = judge_purchases([a_purchase_price(on=on)], TODAY)
    assert judged.is_stale is is_stale


def hourly(*prices: str, **fields: str) -> list[RentalPrice]:
    return [a_rental_price(hourly_price=Decimal(price), hourly_price_per_gpu=Decimal(price), **fields) for price in prices]


def test_price_far_from_its_like_stands_out() -> None:
    """Median 2.1; 0.5 is 0.24 of it, more than a factor of two and far outside the spread of the others."""
    judged = judge_rentals(hourly("2.0", "2.1", "2.2", "2.1", "0.5"), TODAY)
    assert [item.outlier_ratio for item in judged] == [None, None, None, None, pytest.approx(0.5 / 2.1)]


def test_wide_spread_hides_no_price_and_marks_none() -> None:
    assert all(item.outlier_ratio is None for item in judge_rentals(hourly("1", "2", "4", "8", "16"), TODAY))


def test_few_prices_mark_none() -> None:
    assert all(item.outlier_ratio is None for item in judge_rentals(hourly("2", "2", "0.1"), TODAY))


def test_other_terms_and_currencies_are_not_like() -> None:
    prices = [*hourly("2.0", "2.1", "2.2", "2.1"), *hourly("0.5", commitment="spot"), *hourly("14", currency="CNY")]
    assert all(item.outlier_ratio is None for item in judge_rentals(prices, TODAY))


def test_whole_machines_are_not_like_cards() -> None:
    cards: list[PurchasePrice] = [
        a_purchase_price(unit_price=Decimal(price), price_per_gpu=Decimal(price)) for price in (8000, 8100, 8200, 7900)
    ]
    machine = replace(cards[0], unit="server", gpus_per_unit_count=8, unit_price=Decimal(160_000), price_per_gpu=Decimal(20_000))
    assert all(item.outlier_ratio is None for item in judge_purchases([*cards, machine], TODAY))


def test_wanted_prices_come_newest_first() -> None:
    prices = [a_rental_price(on="2026-01"), a_rental_price(on="2026-09"), a_rental_price(on="2024-01"), a_rental_price(currency="CNY")]
    found = find_rentals(replace(load_catalogue(), rental_prices=tuple(prices)), PricesWanted(currency="USD", is_fresh_only=True), TODAY)
    assert [item.price.on for item in found] == ["2026-09", "2026-01"]
