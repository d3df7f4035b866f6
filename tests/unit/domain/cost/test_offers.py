"""Options from the catalogue: which price rows count, and what follows from them."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from app.domain.catalogue import catalogue as catalogues
from app.domain.catalogue.hardware import Gpu
from app.domain.catalogue.prices import PurchasePrice
from app.domain.cost import Commitment, Driver, Kind, evaluate
from app.domain.cost.offers import own_option, plan_scenario, reference_price, rent_option
from app.domain.errors import DataMissing
from app.domain.estimate import Estimate
from app.domain.money import Currency
from app.seeds import default_fx, load_catalogue

FX = default_fx(date(2026, 11, 30))
USD, CNY = Currency.USD, Currency.CNY
SEEDS = load_catalogue()
A100 = SEEDS.gpu("a100-sxm4-80gb")


def with_prices(*changes: dict[str, object]) -> catalogues.Catalogue:
    """A catalogue whose only purchase prices are A100 cards for 10,000 USD in 2026-01, changed in turn."""
    card = next(row for row in SEEDS.purchase_prices if row.gpu_slug == A100.slug)
    plain: dict[str, object] = {
        "item": "card",
        "unit": "gpu",
        "gpus_per_unit_count": 1,
        "unit_price": Decimal(10000),
        "price_per_gpu": Decimal(10000),
        "currency": "USD",
        "condition": "new",
        "seller_type": "reseller",
        "region": "US",
        "on": "2026-01",
        "confidence": "medium",
    }
    rows = tuple(replace(card, **plain | {"item": f"row {index}"} | change) for index, change in enumerate(changes))  # type: ignore[arg-type]
    return replace(SEEDS, revision=f"test {changes!r}", purchase_prices=rows)


def price_of(*changes: dict[str, object]) -> tuple[Decimal, tuple[PurchasePrice, ...]]:
    price = reference_price(A100, with_prices(*changes), USD, FX)
    return price.typical, price.rows


def test_a_card_price_gets_its_share_of_a_server() -> None:
    price = reference_price(A100, with_prices({}), USD, FX)
    assert (price.card, price.typical, price.is_whole_server) == (10000, Decimal("16600.00"), False)


def test_a_whole_server_beats_a_card_unless_it_is_two_years_older() -> None:
    server = {"unit": "server", "price_per_gpu": Decimal(20000), "on": "2025-01"}
    assert price_of({}, server)[0] == 20000
    assert price_of({}, server | {"on": "2023-12"})[0] == Decimal("16600.00")


@pytest.mark.parametrize(
    "change", [{"condition": "used"}, {"currency": "TWD"}, {"seller_type": "model assumption"}, {"seller_type": "given example"}]
)
def test_rows_that_are_no_offers_do_not_count(change: dict[str, object]) -> None:
    with pytest.raises(DataMissing) as missing:
        price_of(change | {"price_per_gpu": Decimal(1)})
    assert missing.value.message.code == "cost.no_price"
    assert price_of({}, change | {"price_per_gpu": Decimal(1)})[0] == Decimal("16600.00")


def test_newer_and_surer_rows_weigh_more() -> None:
    old = {"on": "2023-01", "confidence": "high", "price_per_gpu": Decimal(30000)}
    assert price_of({}, old)[0] == Decimal("16600.00")
    assert price_of({"confidence": "low"}, {"confidence": "high", "price_per_gpu": Decimal(20000)})[0] == Decimal("33200.00")


def test_a_source_has_one_vote_a_thing() -> None:
    cheap = {"item": "same", "price_per_gpu": Decimal(5000), "on": "2025-12"}
    _, rows = price_of(cheap, cheap, cheap, {"item": "same"})
    assert [row.on for row in rows] == ["2026-01"]


def test_prices_are_cached_by_revision_currency_and_rate() -> None:
    assert reference_price(A100, SEEDS, USD, FX) is reference_price(A100, SEEDS, USD, FX)
    dollars, yuan = (reference_price(A100, SEEDS, currency, FX) for currency in (USD, CNY))
    assert yuan.currency is CNY
    assert yuan.typical > dollars.typical


def test_owning_has_a_source_for_every_line() -> None:
    own = own_option(A100, SEEDS.server("nvidia-dgx-a100"), 16, 2, None, SEEDS, USD, 3, 8760, FX)
    result = evaluate(plan_scenario((own,), SEEDS, USD, 3, FX)).options[0]
    assert {line.key for line in result.lines} >= {"gpu", "server", "network", "residual", "electricity", "hosting", "maintenance", "staff"}
    sourced = [
        entry.source or entry.step for line in result.lines for step in line.derivation for entry in step.inputs if entry.symbol == "p"
    ]
    assert all(sourced)
    assert result.range.p10 < float(result.total.amount) < result.range.p90


def test_measured_power_replaces_the_board_rating() -> None:
    estimate = Estimate(250, 300, 360)
    own = own_option(A100, None, 8, 1, estimate, SEEDS, USD, 3, 8760, FX)
    assert own.power is not None
    assert own.power.typical_w == 300
    assert own.spreads[Driver.POWER].high_ratio == pytest.approx(1.2)


def test_chinese_plans_pay_chinese_tariffs() -> None:
    dollars, yuan = (own_option(A100, None, 8, 1, None, SEEDS, currency, 3, 8760, FX) for currency in (USD, CNY))
    assert dollars.electricity_price is not None
    assert yuan.electricity_price is not None
    assert (dollars.electricity_price.amount, yuan.electricity_price.amount) == (Decimal("0.0872"), Decimal("0.63"))


def test_renting_knows_its_commitment() -> None:
    hourly, bound = (
        rent_option(A100, 8, SEEDS, USD, 3, 0.6, FX, commitment) for commitment in (Commitment.ON_DEMAND, Commitment.THREE_YEARS)
    )
    assert hourly.kind is Kind.RENT
    assert hourly.gpu_hour_price is not None
    assert bound.gpu_hour_price is not None
    assert bound.gpu_hour_price < hourly.gpu_hour_price
    assert Driver.RENT not in bound.spreads


def test_nobody_rents_out_this_gpu() -> None:
    with pytest.raises(DataMissing) as missing:
        rent_option(SEEDS.gpu("a30"), 8, SEEDS, USD, 3, 0.6, FX)
    assert missing.value.message.code == "cost.no_rent"


def test_rows_without_a_dated_rate_are_said_to_be_left_out() -> None:
    catalogue = with_prices({}, {"currency": "TWD", "price_per_gpu": Decimal(300000)})
    own = own_option(A100, None, 8, 1, None, catalogue, USD, 3, 8760, FX)
    assert "TWD" in [assumption.why.params.get("currencies") for assumption in own.assumptions]


def test_a_machine_that_is_off_when_idle_draws_nothing_then() -> None:
    always, needed = (own_option(A100, None, 8, 1, None, SEEDS, USD, 3, hours, FX, use) for hours, use in ((8760, 0.2), (1752, 1.0)))
    energy = [evaluate(plan_scenario((own,), SEEDS, USD, 3, FX)).options[0].kwh for own in (always, needed)]
    assert needed.power is not None
    assert always.power is not None
    busy_w = 8 * always.power.typical_w + always.power.host_w
    assert energy[1] == pytest.approx(float(busy_w) * 1752 * 3 * 1.5 / 1000, rel=1e-3)
    assert energy[1] < energy[0]
    assert needed.utilisation_ratio == Decimal("0.2")


QUOTED = {row.gpu_slug for row in SEEDS.purchase_prices}


@pytest.mark.parametrize("gpu", [gpu for gpu in SEEDS.gpus if gpu.slug in QUOTED], ids=lambda gpu: gpu.slug)
@pytest.mark.parametrize("currency", Currency)
def test_every_quoted_gpu_has_an_ordered_price(gpu: Gpu, currency: Currency) -> None:
    price = reference_price(gpu, SEEDS, currency, FX)
    assert 0 < price.low <= price.typical <= price.high
    assert 0 < price.card < price.typical


@pytest.mark.parametrize("gpu", [gpu for gpu in SEEDS.gpus if gpu.slug not in QUOTED], ids=lambda gpu: gpu.slug)
def test_a_gpu_nobody_quoted_has_no_price(gpu: Gpu) -> None:
    with pytest.raises(DataMissing, match=r"cost\.no_price"):
        reference_price(gpu, SEEDS, USD, FX)


def test_a_workstation_pays_no_cabinet() -> None:
    gpu = SEEDS.gpu("rtx-4090")
    desk, rack = (own_option(gpu, server, 4, 1, None, SEEDS, USD, 3, 8760, FX) for server in (SEEDS.server("generic-ws-4gpu"), None))
    assert [item.item for item in desk.opex] == ["staff"]
    assert [item.item for item in rack.opex] == ["staff", "hosting"]
