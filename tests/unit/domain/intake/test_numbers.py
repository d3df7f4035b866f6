"""What people type, read."""

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import InvalidInput
from app.domain.intake.numbers import (
    AMPERES,
    BYTES,
    BYTES_PER_S,
    COUNT,
    SECONDS,
    TOKENS,
    WATTS,
    Units,
    read_growth,
    read_money,
    read_number,
)
from app.domain.money import Currency, Money


@pytest.mark.parametrize(
    ("typed", "units", "unit", "value"),
    [
        ("12", BYTES, "tb", 12e12),
        ("2,5", BYTES, "tb", 2.5e12),
        ("0,600", BYTES, "mb", 600_000),
        ("80GB", BYTES, "mb", 80e9),
        ("80 GiB", BYTES, "mb", 80 * 2**30),
        ("1.2 g", BYTES, "mb", 1.2e9),
        ("20M", COUNT, "", 20e6),
        ("20 M samples", COUNT, "", 20e6),
        ("2,048", COUNT, "", 2048),
        ("20.000.000", COUNT, "", 20e6),
        ("1.234.567,5", COUNT, "", 1234567.5),
        ("1,234.5", COUNT, "", 1234.5),
        ("1 234 567", COUNT, "", 1234567),
        ("20'000", COUNT, "", 20000),
        ("2e7", COUNT, "", 2e7),
        ("7B", COUNT, "", 7e9),
        ("7", COUNT, "b", 7e9),
        ("1.5T", COUNT, "", 1.5e12),
        ("2千万", COUNT, "", 2e7),
        ("2000万条", COUNT, "", 2e7),
        ("1.2亿", COUNT, "", 1.2e8),
        ("1亿2000万", COUNT, "", 1.2e8),
        ("约２０００万", COUNT, "", 2e7),
        ("~20 million", COUNT, "", 2e7),
        ("8k", TOKENS, "", 8192),
        ("8k", COUNT, "", 8000),
        ("7", SECONDS, "d", 7 * 86400),
        ("2 weeks", SECONDS, "d", 14 * 86400),
        ("2 d 12 h", SECONDS, "d", 60 * 3600),
        ("1天12小时", SECONDS, "d", 36 * 3600),
        ("200 ms", SECONDS, "s", 0.2),
        ("20 GB/s", BYTES_PER_S, "gb/s", 20e9),
        ("200 Gbps", BYTES_PER_S, "gb/s", 25e9),
        ("200 GBps", BYTES_PER_S, "gb/s", 200e9),
        ("25 Gb/s", BYTES_PER_S, "gb/s", 3.125e9),
        ("12kW", WATTS, "kw", 12000),
        ("10 A", AMPERES, "a", 10),
        ("-5", COUNT, "", -5),
    ],
)
def test_typed_number_is_read(typed: str, units: Units, unit: str, value: float) -> None:
    assert float(read_number("f", typed, units, unit)) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    "typed", ["", "abc", "8-10", "1,2,3", "1..2", "1.", "12,5,", "1,000,00", "1 2", "nan", "inf", "1e999", "3 days 4", "1 h 2 d", "9" * 61]
)
def test_unreadable_number_keeps_what_was_typed(typed: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_number("training.samples", typed, SECONDS, "s")
    assert caught.value.field == "training.samples"
    assert caught.value.message.code == "intake.unreadable"
    assert caught.value.message.params["typed"] == typed[:60]


def test_foreign_unit_is_named() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_number("data.total_tb", "12 kW", BYTES, "tb")
    assert caught.value.message.code == "intake.unknown_unit"
    assert caught.value.message.params == {"typed": "12 kW", "unit": "kW"}


@pytest.mark.parametrize(
    ("typed", "amount", "currency"),
    [
        ("2,000,000", "2000000", Currency.USD),
        ("¥200万", "2000000", Currency.CNY),
        ("200万元", "2000000", Currency.CNY),
        ("人民币 2M", "2000000", Currency.CNY),
        ("250k USD", "250000", Currency.USD),
        ("$1.5m", "1500000", Currency.USD),
        ("0,10", "0.10", Currency.USD),
    ],
)
def test_money_is_read(typed: str, amount: str, currency: Currency) -> None:
    assert read_money("f", typed, Currency.USD) == Money(Decimal(amount), currency)


def test_two_currencies_are_refused() -> None:
    with pytest.raises(InvalidInput):
        read_money("f", "¥2 or $3", Currency.USD)


@pytest.mark.parametrize(("typed", "factor"), [("1.5", 1.5), ("150%", 1.5), ("+50 %", 1.5), ("-20%", 0.8), ("2x", 2), ("2倍", 2)])
def test_growth_is_a_factor(typed: str, factor: float) -> None:
    assert float(read_growth("f", typed)) == pytest.approx(factor)


@given(st.text(max_size=70))
def test_any_text_is_read_or_refused(typed: str) -> None:
    for units, unit in ((COUNT, ""), (BYTES, "tb"), (SECONDS, "d"), (BYTES_PER_S, "gb/s")):
        with suppress(InvalidInput):
            assert read_number("f", typed, units, unit).is_finite()


@given(st.integers(min_value=0, max_value=10**15), st.sampled_from([",", " ", "'", "_"]))
def test_grouped_digits_are_the_number(number: int, separator: str) -> None:
    grouped = f"{number:,}".replace(",", separator)
    assert read_number("f", grouped, COUNT, "") == number


@given(st.decimals(min_value=0, max_value=10**9, places=2), st.sampled_from([".", ","]))
def test_either_decimal_sign_is_the_number(number: Decimal, sign: str) -> None:
    assert read_number("f", str(number).replace(".", sign), COUNT, "") == number
