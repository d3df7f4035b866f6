"""Hand-worked totals, years and hours."""

from decimal import Decimal

import pytest

from app.domain.cost import Commitment, Depreciation, OneOff, OpexItem, Power, evaluate
from app.domain.errors import InvalidInput
from app.domain.money import Currency
from tests.factories.cost import a_rented, a_scenario, an_owned, item, money


def test_250_watts_for_three_years_are_6570_kwh_and_788_40() -> None:
    own = an_owned(capex=(), power=Power(average_w=Decimal(250)), electricity_price=money("0.12"))
    result = evaluate(a_scenario(own)).options[0]
    assert result.kwh == 6570
    assert result.total.amount == Decimal("788.40")
    assert [year.opex.amount for year in result.by_year] == [Decimal("262.80")] * 3


def test_energy_step_reconciles_with_the_line() -> None:
    power = Power(idle_w=Decimal(50), typical_w=Decimal(275), busy_ratio=Decimal("0.6"), host_w=Decimal(1200))
    own = an_owned(gpu_count=8, power=power, electricity_price=money("0.10"), pue_ratio=Decimal("1.5"))
    line = next(line for line in evaluate(a_scenario(own)).options[0].lines if line.key == "electricity")
    watts, energy, cost = line.derivation
    assert watts.result == 8 * (50 + 0.6 * 225) + 1200
    assert energy.result == pytest.approx(2680 * 8760 * 3 * 1.5 / 1000)
    assert cost.result == pytest.approx(float(line.total.amount), abs=0.005)


def test_every_purchase_has_its_line_and_strangers_go_to_other() -> None:
    capex = (
        item("GPU", 100, 8),
        item("server", 50),
        item("switch", 7),
        item("NVMe", 5),
        item("PDU", 3),
        item("spare", 2),
        item("freight", 1),
    )
    lines = {line.key: line.total.amount for line in evaluate(a_scenario(an_owned(capex=capex))).options[0].lines}
    assert lines == {"gpu": 800, "server": 50, "network": 7, "storage": 5, "rack": 3, "spares": 2, "other_capex": 1}


def test_monthly_costs_have_their_lines() -> None:
    opex = tuple(OpexItem(item=name, monthly_cost=money(10)) for name in ("staff", "software", "colocation", "insurance"))
    lines = {line.key: line.total.amount for line in evaluate(a_scenario(an_owned(capex=(), opex=opex))).options[0].lines}
    assert lines == {"staff": 360, "software": 360, "hosting": 360, "other_opex": 360}


def test_maintenance_is_a_share_of_the_purchase() -> None:
    own = an_owned(maintenance_ratio=Decimal("0.12"))
    assert evaluate(a_scenario(own)).options[0].opex.amount == Decimal("4320.00")


def test_residual_comes_back_in_the_last_year() -> None:
    result = evaluate(a_scenario(an_owned(residual_value=money(3000)))).options[0]
    assert result.total.amount == 9000
    assert [year.capex.amount for year in result.by_year] == [12000, 0, -3000]


def test_one_off_falls_into_its_year() -> None:
    own = an_owned(capex=(), one_off=(OneOff(item="delay", amount=money(500), month=13), OneOff(item="move", amount=money(7), month=0)))
    assert [year.opex.amount for year in evaluate(a_scenario(own)).options[0].by_year] == [7, 500, 0]


def test_part_of_a_year_is_a_year_of_its_own() -> None:
    own = an_owned(capex=(), opex=(OpexItem(item="staff", monthly_cost=money(100)),))
    result = evaluate(a_scenario(own, month_count=30)).options[0]
    assert [year.opex.amount for year in result.by_year] == [1200, 1200, 600]


@pytest.mark.parametrize(
    ("commitment", "expected"),
    [(Commitment.ON_DEMAND, "31536.00"), (Commitment.ONE_YEAR, "52560.00"), (Commitment.THREE_YEARS, "52560.00")],
)
def test_a_commitment_is_paid_whether_used_or_not(commitment: Commitment, expected: str) -> None:
    assert evaluate(a_scenario(a_rented(commitment=commitment))).options[0].total.amount == Decimal(expected)


def test_spot_repeats_what_interruptions_lose() -> None:
    rented = a_rented(commitment=Commitment.SPOT, spot_loss_ratio=Decimal("0.2"))
    result = evaluate(a_scenario(rented)).options[0]
    assert result.total.amount == Decimal("39420.00")
    assert result.per_gpu_hour is not None
    assert result.per_effective_gpu_hour is not None
    assert (result.per_gpu_hour.amount, result.per_effective_gpu_hour.amount) == (Decimal("2.0000"), Decimal("2.5000"))


def test_idle_hours_make_a_commitment_dear_by_the_useful_hour() -> None:
    result = evaluate(a_scenario(a_rented(commitment=Commitment.ONE_YEAR, utilisation_ratio=Decimal("0.5")))).options[0]
    assert result.per_effective_gpu_hour is not None
    assert result.per_effective_gpu_hour.amount == Decimal("4.0000")


def test_unused_option_has_no_price_per_useful_hour() -> None:
    result = evaluate(a_scenario(an_owned(utilisation_ratio=Decimal(0)))).options[0]
    assert result.per_effective_gpu_hour is None


def test_a_quote_in_yuan_is_converted_at_the_rate() -> None:
    result = evaluate(a_scenario(an_owned(capex=(item("gpu", 84000, 1, Currency.CNY),)))).options[0]
    assert result.total == money("12000.00")


def test_cumulative_cash_starts_with_the_purchase_and_ends_with_the_total() -> None:
    own = an_owned(opex=(OpexItem(item="staff", monthly_cost=money(100)),), residual_value=money(2000))
    cumulative = evaluate(a_scenario(own)).options[0].cumulative
    assert (cumulative[0], cumulative[1], cumulative[36], len(cumulative)) == (12000, 12100, 13600, 37)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        (Depreciation.STRAIGHT_LINE, [3000, 3000, 3000]),
        (Depreciation.SUM_OF_DIGITS, [4500, 3000, 1500]),
        (Depreciation.DOUBLE_DECLINING, [6000, 2000, 1000]),
    ],
)
def test_depreciation_by_hand(method: Depreciation, expected: list[int]) -> None:
    own = an_owned(residual_value=money(3000), depreciation=method)
    assert [year.depreciation.amount for year in evaluate(a_scenario(own)).options[0].by_year] == expected


def test_options_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidInput) as refused:
        a_scenario(an_owned(), an_owned())
    assert refused.value.field == "options[1].name"
