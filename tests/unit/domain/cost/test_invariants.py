"""What must hold for every scenario (tco formula set §11)."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.cost import Commitment, Kind, OneOff, OpexItem, Option, Power, Scenario, evaluate
from app.domain.cost.breakeven import used
from app.domain.money import Currency
from tests.factories.cost import SEVEN, a_rented, a_scenario, an_owned, item, money

AMOUNTS = st.decimals(0, 1_000_000, places=2)
SHARES = st.decimals(0, 1, places=3)
MONTHS = st.integers(1, 72)


@st.composite
def owned(draw: st.DrawFn) -> Option:
    capex = tuple(
        item(name, draw(AMOUNTS), draw(st.integers(1, 64)))
        for name in draw(st.lists(st.sampled_from(["gpu", "server", "freight"]), max_size=4))
    )
    power = Power(
        idle_w=draw(st.decimals(0, 100, places=1)),
        typical_w=draw(st.decimals(100, 700, places=1)),
        host_w=draw(st.decimals(0, 5000, places=1)),
    )
    return an_owned(
        gpu_count=draw(st.integers(1, 64)),
        capex=capex,
        residual_value=money(draw(AMOUNTS) / 100),
        power=power,
        electricity_price=money(draw(st.decimals(0, 1, places=4))),
        pue_ratio=draw(st.decimals(1, 2, places=2)),
        maintenance_ratio=draw(st.decimals(0, "0.2", places=3)),
        opex=(OpexItem(item="staff", monthly_cost=money(draw(AMOUNTS) / 100)),),
        one_off=(OneOff(item="delay", amount=money(draw(AMOUNTS)), month=draw(st.integers(0, 1))),),
        utilisation_ratio=draw(SHARES),
    )


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    rented = a_rented(
        gpu_count=draw(st.integers(1, 64)),
        gpu_hour_price=money(draw(st.decimals(0, 50, places=4))),
        utilisation_ratio=draw(SHARES),
        commitment=draw(st.sampled_from(Commitment)),
    )
    rate = draw(st.sampled_from([Decimal(0), Decimal("0.05"), Decimal("0.1")]))
    return a_scenario(draw(owned()), rented, month_count=draw(MONTHS), discount_ratio=rate)


@settings(max_examples=60, deadline=None)
@given(scenarios())
def test_lines_years_and_kinds_all_add_up_to_the_cent(scenario: Scenario) -> None:
    for option in evaluate(scenario).options:
        lines = sum((line.total.amount for line in option.lines), Decimal(0))
        years = sum((year.capex.amount + year.opex.amount for year in option.by_year), Decimal(0))
        assert lines == years == option.capex.amount + option.opex.amount == option.total.amount
        assert all(sum((year.amount for year in line.by_year), Decimal(0)) == line.total.amount for line in option.lines)
        exact = sum((line.exact.total(scenario.month_count) for line in option.lines), Decimal(0))
        assert abs(option.total.amount - exact) <= Decimal("0.005")
        assert abs(option.cumulative[-1] - float(exact)) < 0.01 + 1e-9 * float(abs(exact))


@settings(max_examples=40, deadline=None)
@given(scenarios())
def test_without_interest_the_present_value_is_the_total(scenario: Scenario) -> None:
    for option in evaluate(replace(scenario, discount_ratio=Decimal(0))).options:
        assert option.npv == option.total


@settings(max_examples=40, deadline=None)
@given(scenarios())
def test_depreciation_adds_up_to_what_is_lost(scenario: Scenario) -> None:
    for result in evaluate(scenario).options:
        residual = result.option.residual_value.amount if result.option.residual_value else Decimal(0)
        lost = result.option.purchase(Currency.USD, SEVEN) - residual
        assert abs(sum((year.depreciation.amount for year in result.by_year), Decimal(0)) - lost) <= Decimal("0.005")


@settings(max_examples=40, deadline=None)
@given(owned())
def test_cost_rises_with_tariff_pue_and_hours(own: Option) -> None:
    assert own.electricity_price is not None
    dearer = (
        replace(own, electricity_price=money(own.electricity_price.amount + Decimal("0.1"))),
        replace(own, pue_ratio=own.pue_ratio + Decimal("0.1")),
    )
    shorter = replace(own, hours_per_year=Decimal(4000))
    totals = [evaluate(a_scenario(option)).options[0].total.amount for option in (shorter, own, *dearer)]
    assert totals[0] <= totals[1] <= min(totals[2:])


@settings(max_examples=40, deadline=None)
@given(owned(), st.sampled_from(["0.03", "0.2"]))
def test_present_cost_falls_with_residual_and_with_interest_on_payments(own: Option, rate: str) -> None:
    payments = replace(own, residual_value=None)
    plain = evaluate(a_scenario(payments)).options[0].npv.amount
    assert evaluate(a_scenario(payments, discount_ratio=Decimal(rate))).options[0].npv.amount <= plain
    assert evaluate(a_scenario(replace(own, residual_value=money(1000)))).options[0].npv.amount == plain - 1000


@settings(max_examples=40, deadline=None)
@given(owned())
def test_doubling_the_gpus_doubles_what_follows_their_number(own: Option) -> None:
    single = replace(own, capex=(), opex=(), one_off=(), residual_value=None, power=replace(own.power or Power(), host_w=Decimal(0)))
    twice = replace(single, gpu_count=2 * single.gpu_count)
    first, second = (evaluate(a_scenario(option)).options[0] for option in (single, twice))
    assert abs(second.total.amount - 2 * first.total.amount) <= Decimal("0.01")
    assert second.kwh == 2 * first.kwh


@settings(max_examples=40, deadline=None)
@given(scenarios())
def test_two_currencies_agree_to_rounding(scenario: Scenario) -> None:
    dollars = evaluate(scenario).options
    yuan = evaluate(replace(scenario, currency=Currency.CNY)).options
    for first, second in zip(dollars, yuan, strict=True):
        assert abs(first.total.amount * 7 - second.total.amount) <= Decimal("0.04")


@settings(max_examples=40, deadline=None)
@given(scenarios(), SHARES)
def test_a_commitment_does_not_depend_on_use(scenario: Scenario, utilisation_ratio: Decimal) -> None:
    rented = replace(next(option for option in scenario.options if option.kind is Kind.RENT), commitment=Commitment.ONE_YEAR)
    totals = {evaluate(a_scenario(option)).options[0].total.amount for option in (rented, used(rented, utilisation_ratio))}
    assert len(totals) == 1


@settings(max_examples=60, deadline=None)
@given(scenarios())
def test_at_break_even_both_options_cost_the_same(scenario: Scenario) -> None:
    comparison = evaluate(scenario).comparisons[0]
    if comparison.break_even_utilisation is None:
        assert comparison.reasons["break_even_utilisation"].code in ("cost.never_breaks_even", "cost.same_at_any_use")
        return
    assert 0 <= comparison.break_even_utilisation <= 1
    at = Decimal(repr(comparison.break_even_utilisation))
    first, second = evaluate(replace(scenario, options=tuple(used(option, at) for option in scenario.options))).options
    assert abs(first.npv.amount - second.npv.amount) <= Decimal("0.05") + abs(first.npv.amount) * Decimal("1e-9")


def test_break_even_falls_as_rent_rises() -> None:
    shares = [
        evaluate(a_scenario(an_owned(), a_rented(gpu_hour_price=money(price)))).comparisons[0].break_even_utilisation for price in (1, 2, 3)
    ]
    assert shares == sorted((share for share in shares if share is not None), reverse=True)
    assert len(set(shares)) == 3


def test_equal_scenarios_have_equal_ranges() -> None:
    scenario = a_scenario(an_owned(), a_rented())
    assert evaluate(scenario).uncertainty == evaluate(scenario).uncertainty
