"""Colocation, leases and mixtures: worked by hand, refused by name."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
import pyxirr

from app.domain.cost import OptionResult, evaluate
from app.domain.cost.finance import monthly_rate
from app.domain.errors import InvalidInput
from app.domain.money import Currency, FxRate
from app.wire.tco import parse_scenario
from tests.factories.scenarios import COLOCATION, EVERY_KIND, LEASED, MACHINES, RENTED, a_document

FX = FxRate(base=Currency.USD, quote=Currency.CNY, rate=Decimal(7), on=date(2026, 10, 30), source="test")
RACKS = {**MACHINES, "name": "racks", "kind": "colocate", "colocation": COLOCATION}
LEASE = {"per_month": "4200", "term_months": 36}


def results(*options: dict[str, Any], **changes: Any) -> dict[str, OptionResult]:
    return {option.option.name: option for option in evaluate(parse_scenario(a_document(*options, **changes), FX)).options}


def line(option: OptionResult, key: str) -> Decimal:
    return next((found.total.amount for found in option.lines if found.key == key), Decimal(0))


def test_colocation_reserves_the_peak_and_pays_its_term() -> None:
    racks = results(RACKS)["racks"]
    # (8 · 400 + 1 200) W = 4.4 kW · 190 · 48 months + 1 500 set-up
    assert line(racks, "colocation") == Decimal("4.4") * 190 * 48 + 1500
    assert line(racks, "connect") == 250 * 36
    assert line(racks, "staff") == (480 + 100) * 36
    # the meter counts the mean, not the peak: (8 · (50 + 0.7 · 225) + 1 200) W · 8 760 h · 1.3 · 3 years
    assert racks.kwh == pytest.approx((8 * (50 + 0.7 * 225) + 1200) / 1000 * 8760 * 1.3 * 3)


def test_the_rest_of_a_longer_term_falls_due_when_the_plan_ends() -> None:
    years = results(RACKS)["racks"].by_year
    own = results({**MACHINES, "name": "racks", "kind": "buy"})["racks"].by_year
    more = [first.opex.amount - second.opex.amount for first, second in zip(years, own, strict=True)]
    yearly = Decimal("4.4") * 190 * 12 + 350 * 12
    assert more == [yearly + 1500, yearly, yearly + Decimal("4.4") * 190 * 12]


def test_whole_cabinets_with_power_included_need_no_meter() -> None:
    cabinets = results(EVERY_KIND[2])["cabinets"]
    assert line(cabinets, "colocation") == 2 * 1000 * 36  # 4.4 kW ÷ 3.3 kW, in whole cabinets
    assert line(cabinets, "electricity") == 0
    assert cabinets.kwh == 0


def test_a_lease_that_ends_in_a_purchase_pays_its_term_then_the_price() -> None:
    lease = results(EVERY_KIND[3])["lease"]
    assert line(lease, "lease") == 4200 * 24 + 5000
    assert line(lease, "buyout") == 9000
    assert lease.capex.amount == 9000
    assert [year.depreciation.amount for year in lease.by_year] == [0, 0, 0]


def test_present_value_of_a_lease_agrees_with_pyxirr() -> None:
    bare = {
        "name": "lease",
        "kind": "lease",
        "lease": {"per_month": "4200", "term_months": 24, "upfront": "5000", "purchase_price": "9000"},
    }
    rate = float(monthly_rate(Decimal("0.08")))
    expected = 5000 - (pyxirr.pv(rate, 24, 4200) or 0) + 9000 / (1 + rate) ** 24
    assert float(results(bare)["lease"].npv.amount) == pytest.approx(expected, abs=0.005)


def test_a_mixture_is_the_sum_of_its_parts() -> None:
    found = results(EVERY_KIND[0], {**RENTED, "name": "burst", "n_gpus": 4, "utilisation": 0.15}, EVERY_KIND[7])
    own, burst, both = (found[name] for name in ("own", "burst", "base and burst"))
    assert both.total == own.total + burst.total
    assert abs(both.npv.amount - own.npv.amount - burst.npv.amount) <= Decimal("0.01")
    assert both.kwh == own.kwh
    assert [year.depreciation for year in both.by_year] == [year.depreciation for year in own.by_year]
    assert {item.key for item in both.lines} == {item.key for item in (*own.lines, *burst.lines)}


def test_a_mixture_has_no_break_even_use_but_a_payback() -> None:
    result = evaluate(parse_scenario(a_document(EVERY_KIND[7], {**RENTED, "name": "cloud", "n_gpus": 12}), FX))
    assert result.comparisons[0].break_even_utilisation is None
    assert result.comparisons[0].reasons["break_even_utilisation"].code == "cost.no_use_of_parts"
    assert result.comparisons[0].payback_months is not None


def test_every_kind_adds_up_in_either_currency() -> None:
    dollars, yuan = results(), results(currency="CNY", discount_rate=0.08, options=_in_yuan())
    for name, option in dollars.items():
        assert sum((found.total.amount for found in option.lines), Decimal(0)) == option.total.amount
        years = sum((year.capex.amount + year.opex.amount for year in option.by_year), Decimal(0))
        assert years == option.total.amount
        assert abs(yuan[name].total.amount - option.total.amount * 7) <= Decimal("0.05")


def _in_yuan() -> list[dict[str, Any]]:
    """The same amounts stated in the other currency; purchases keep theirs."""
    money = {
        "residual",
        "electricity_per_kwh",
        "cooling_per_year",
        "per_month",
        "amount",
        "per_kw_month",
        "per_cabinet_month",
        "setup",
        "upfront",
        "purchase_price",
        "price_per_gpu_hour",
        "cross_connect_per_month",
        "remote_hands_per_month",
    }

    def turned(value: Any) -> Any:
        if isinstance(value, list):
            return [turned(entry) for entry in value]
        if isinstance(value, dict):
            return {key: str(Decimal(entry) * 7) if key in money else turned(entry) for key, entry in value.items()}
        return value

    options: list[dict[str, Any]] = turned(EVERY_KIND)
    return options


BAD: tuple[tuple[dict[str, Any], str], ...] = (
    ({**RACKS, "colocation": {}}, "options[0].colocation.per_kw_month"),
    ({**RACKS, "colocation": {**COLOCATION, "per_cabinet_month": 1}}, "options[0].colocation.per_kw_month"),
    ({**RACKS, "colocation": {**COLOCATION, "cabinets": 1}}, "options[0].colocation.cabinets"),
    ({**RACKS, "colocation": {**COLOCATION, "utility": "free"}}, "options[0].colocation.utility"),
    ({**RACKS, "colocation": {**COLOCATION, "floor": 3}}, "options[0].colocation.floor"),
    ({**RACKS, "power": {"average_w": 250}}, "options[0].colocation.reserved_kw"),
    ({**RACKS, "colocation": {"per_cabinet_month": 1}}, "options[0].colocation.cabinets"),
    ({**MACHINES, "kind": "buy", "colocation": COLOCATION}, "options[0].colocation"),
    ({**LEASED, "kind": "lease", "lease": {"per_month": 1}}, "options[0].lease.term_months"),
    ({**LEASED, "kind": "lease", "lease": {**LEASE, "term_months": 24}}, "options[0].lease.term_months"),
    ({**LEASED, "kind": "lease", "lease": {**LEASE, "end": "return", "purchase_price": 1}}, "options[0].lease.purchase_price"),
    ({**LEASED, "kind": "lease", "lease": LEASE, "residual": 5}, "options[0].residual"),
    ({**LEASED, "kind": "lease", "lease": {**LEASE, "purchase_price": 1}, "residual": "9e6"}, "options[0].residual"),
    ({"kind": "hybrid", "parts": [RENTED]}, "options[0].parts"),
    ({"kind": "hybrid", "parts": [RENTED, RENTED]}, "options[0].parts[1].name"),
    ({"kind": "hybrid", "parts": [{"kind": "hybrid", "parts": []}, RENTED]}, "options[0].parts[0].kind"),
    ({"kind": "hybrid", "parts": [{**RENTED, "price_per_gpu_hour": "x"}, RENTED]}, "options[0].parts[0].price_per_gpu_hour"),
    ({"kind": "hybrid", "n_gpus": 3, "parts": [RENTED, RENTED]}, "options[0].n_gpus"),
)


@pytest.mark.parametrize(("option", "field"), BAD)
def test_what_cannot_be_is_refused_by_its_field(option: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_scenario(a_document(option), FX)
    assert refused.value.field == field
