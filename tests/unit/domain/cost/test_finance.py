"""Time value: the published example whose saving is positive and whose present value is negative, and the rate of return against pyxirr."""

import pytest
import pyxirr
from hypothesis import assume, given
from hypothesis import strategies as st

from app.domain.cost.finance import flow_value, internal_rate, paid_back_at, yearly

P05 = [-1_920_000.0] + [(3_139_584 - 728_680) / 4] * 4  # legitlads buy-vs-cloud calculator, 2026-06: yearly flows


def test_present_value_of_the_published_flows() -> None:
    assert flow_value(P05, 0.10) == pytest.approx(-9_439.678984)


def test_rate_of_return_of_the_published_flows() -> None:
    assert internal_rate(P05).rate == pytest.approx(0.09772675963)


def test_payback_of_the_published_flows() -> None:
    assert paid_back_at(P05) == pytest.approx(3.185527089)


@given(st.floats(1e2, 1e7), st.lists(st.floats(1, 1e6), min_size=1, max_size=60))
def test_rate_of_return_makes_the_value_nothing_and_agrees_with_pyxirr(outlay: float, gains: list[float]) -> None:
    assume(sum(gains) > 0.05 * outlay)  # worse returns than −95 % a period are outside the search
    flows = [-outlay, *gains]
    rate = internal_rate(flows).rate
    assert rate is not None
    assert flow_value(flows, rate) == pytest.approx(0, abs=1e-6 * outlay)
    theirs = pyxirr.irr(flows, silent=True)
    if theirs is not None:
        assert rate == pytest.approx(theirs, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(
    ("flows", "why"), [([1.0, 2.0], "cost.irr_none"), ([-1.0, 3.0, -1.0], "cost.irr_several"), ([0.0, 0.0], "cost.irr_none")]
)
def test_flows_without_one_change_of_sign_have_no_rate(flows: list[float], why: str) -> None:
    assert internal_rate(flows).why == why


def test_flows_that_fall_behind_again_are_paid_back_late_or_never() -> None:
    assert paid_back_at([-10.0, 15.0, -10.0, 10.0]) == pytest.approx(2.5)
    assert paid_back_at([-10.0, 5.0]) is None


def test_a_monthly_rate_as_a_year() -> None:
    assert yearly(0.01) == pytest.approx(0.12682503)
