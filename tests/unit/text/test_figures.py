"""Numbers taken apart for the page."""

from decimal import Decimal

import pytest

from app.domain.estimate import Basis, Estimate, Input, Step
from app.domain.money import Currency, Money
from app.domain.units import gb_per_s, gib, hours, mib, tflops
from app.text.figures import figure, formula_with_values


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (Estimate(gib(58), gib(62.14), gib(70)), "bytes", ("62.1", "GiB", "58", "70")),
        (Estimate(mib(10), mib(20), mib(30)), "bytes", ("20", "MiB", "10", "30")),
        (0.0, "bytes", ("0", "GiB", "", "")),
        (gb_per_s(3350), "bytes_per_s", ("3,350", "GB/s", "", "")),
        (tflops(989.4), "flops", ("989", "TFLOPS", "", "")),
        (700, "w", ("700", "W", "", "")),
        (Estimate(900, 1200, 1500), "w", ("1.2", "kW", "0.9", "1.5")),
        (Estimate(hours(40), hours(72), hours(100)), "s", ("3", "d", "1.67", "4.17")),
        (0.0123, "s", ("12.3", "ms", "", "")),
        (0.5, "ratio", ("50", "%", "", "")),
        (6570.0, "kwh", ("6,570", "kWh", "", "")),
        (1234.5, "tokens/s", ("1,234", "tokens/s", "", "")),
        ("FlashAttention", "", ("FlashAttention", "", "", "")),
    ],
)
def test_parts_of_a_number(value: Estimate | float | str, unit: str, shown: tuple[str, ...]) -> None:
    parts = figure(value, unit, "en")
    assert (parts.typical, parts.unit, parts.low, parts.high) == shown


def test_full_value_keeps_what_the_short_one_drops() -> None:
    assert figure(Estimate(gib(58), gib(62.14159), gib(70)), "bytes", "en").full == "62.14159 GiB"


def test_money_is_whole_when_large_and_exact_in_full() -> None:
    parts = figure(Money(Decimal("3100000.4"), Currency.CNY), "", "zh_CN")
    assert (parts.typical, parts.full) == ("¥3,100,000", "¥3,100,000.40")
    assert figure(Money(Decimal("788.4"), Currency.USD), "", "en").typical == "$788.40"


@pytest.mark.parametrize(("basis", "mark"), [(Basis.MEASURED, "●"), (Basis.VENDOR, "◐"), (Basis.MODELLED, "◯"), (Basis.ASSUMED, "◌")])
def test_basis_has_its_mark(basis: Basis, mark: str) -> None:
    assert figure(Estimate(1, 2, 3, basis), "w", "en").mark == mark
    assert figure(1.0, "w", "en").mark == ""
    assert figure(1.0, "w", "en", basis).mark == mark


def test_formula_with_values_replaces_whole_symbols_only() -> None:
    step = Step(
        key="kv",
        formula="2·L·h·L_max + max(L, 1)",
        inputs=(Input(symbol="L", value=32.0), Input(symbol="h", value=128.0), Input(symbol="L_max", value=4096.0)),
        result=1.0,
        unit="1",
        source="test",
    )
    assert formula_with_values(step, "en") == "2·32·128·4,096 + max(32, 1)"
