"""The contract's TCO scenario to domain types. What is omitted is taken from sourced factors and listed, or counted as nothing and listed."""

from datetime import date
from decimal import Decimal
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost import defaults
from app.domain.cost.defaults import default
from app.domain.cost.scenario import MAX_MONTHS, MONTHS_PER_YEAR, Option, Scenario, TaxRates
from app.domain.errors import InvalidInput, message
from app.domain.estimate import Assumption
from app.domain.money import Currency, FxRate
from app.seeds import load_catalogue
from app.wire.fields import SHARE, Bounds, Fields, read_object
from app.wire.tco_kinds import read_option
from app.wire.tco_options import Context
from app.wire.tco_result import tco_json

__all__ = ["parse_scenario", "tco_json"]
MOST_OPTIONS = 20
YEARS = Bounds(most=Decimal(MAX_MONTHS // MONTHS_PER_YEAR), above_least=True)
RATE = Bounds(least=Decimal("0.0001"), most=Decimal(10000))
ASSUMED_YEARS = Decimal(3)


def parse_scenario(data: Any, default_fx: FxRate, catalogue: Catalogue | None = None) -> Scenario:
    """The scenario a document states. InvalidInput: names the field by its path (`options[0].capex[1].unit_price`).

    Default factors come from `catalogue`, or from the seed data where none is given."""
    fields = read_object(data, "")
    fields.only("currency", "years", "discount_rate", "fx", "tax", "options")
    facts = catalogue or load_catalogue()
    assumptions: list[Assumption] = []
    currency = _currency(fields, assumptions)
    years = fields.number("years", YEARS, ASSUMED_YEARS)
    if not fields.has("years"):
        assumptions.append(Assumption(field="years", value=int(ASSUMED_YEARS), why=message("tco.years_assumed")))
    month_count = years * MONTHS_PER_YEAR
    if abs(month_count - round(month_count)) > Decimal("0.001"):
        raise InvalidInput("years", "tco.not_whole_months")
    rate = default(facts, defaults.DISCOUNT[currency])
    discount_ratio = fields.number("discount_rate", SHARE, rate.typical)
    if not fields.has("discount_rate"):
        assumptions.append(rate.assumption("discount_rate"))
    fx = _fx(fields, default_fx, assumptions)
    context = Context(currency=currency, years=float(years), catalogue=facts)
    options = tuple(read_option(entry, context) for entry in fields.list("options", MOST_OPTIONS))
    for index, option in enumerate(options):
        _check_residual(option, currency, fx, f"options[{index}]")
    return Scenario(
        currency=currency,
        month_count=round(month_count),
        discount_ratio=discount_ratio,
        discount_source="" if fields.has("discount_rate") else rate.source,
        fx=fx,
        options=options,
        tax=_tax(fields),
        assumptions=tuple(assumptions),
    )


def _currency(fields: Fields, assumptions: list[Assumption]) -> Currency:
    if not fields.has("currency"):
        assumptions.append(Assumption(field="currency", value=Currency.USD.value, why=message("tco.currency_assumed")))
        return Currency.USD
    return fields.choice("currency", Currency)


def _fx(fields: Fields, default_fx: FxRate, assumptions: list[Assumption]) -> FxRate:
    pairs = {f"{base}/{quote}": (base, quote) for base in Currency for quote in Currency if base is not quote}
    stated = fields.object("fx")
    stated.only(*pairs, "on")
    named = [pair for pair in pairs if stated.has(pair)]
    if len(named) > 1:
        raise InvalidInput(stated.at(named[1]), "tco.two_rates")
    if not named:
        if stated.has("on"):
            raise InvalidInput(stated.at("USD/CNY"), "document.missing")
        why = message("tco.fx_assumed", source=default_fx.source, on=default_fx.on.isoformat())
        assumptions.append(Assumption(field=f"fx.{default_fx.base}/{default_fx.quote}", value=float(default_fx.rate), why=why))
        return default_fx
    base, quote = pairs[named[0]]
    on = default_fx.on
    if stated.has("on"):
        try:
            on = date.fromisoformat(stated.text("on"))
        except ValueError:
            raise InvalidInput(stated.at("on"), "document.not_a_date") from None
    else:
        assumptions.append(Assumption(field="fx.on", value=on.isoformat(), why=message("tco.fx_date_assumed")))
    return FxRate(base=base, quote=quote, rate=stated.number(named[0], RATE), on=on, source="stated in the scenario")


def _tax(fields: Fields) -> TaxRates | None:
    """Stated rates; without them no tax is spoken of."""
    if not fields.has("tax"):
        return None
    entry = fields.object("tax")
    entry.only("goods_ratio", "services_ratio", "duty_ratio", "recoverable")
    recoverable = entry.data.get("recoverable", True)
    if not isinstance(recoverable, bool):
        raise InvalidInput(entry.at("recoverable"), "document.not_a_choice", typed=str(recoverable)[:20], choices="true, false")
    goods, services, duty = (entry.number(key, SHARE, Decimal(0)) for key in ("goods_ratio", "services_ratio", "duty_ratio"))
    return TaxRates(
        goods_ratio=goods, services_ratio=services, duty_ratio=duty, is_recoverable=recoverable, source="stated in the scenario"
    )


def _check_residual(option: Option, currency: Currency, fx: FxRate, path: str) -> None:
    option.check_residual(currency, fx, f"{path}.residual")
    for place, part in enumerate(option.parts):
        _check_residual(part, currency, fx, f"{path}.parts[{place}]")
