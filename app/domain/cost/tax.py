"""Taxes, apart from the totals: duty on what is bought, value-added tax on goods and on services.

Source: tco formula set §§1, 10: import VAT = (value + duty) · rate. They are never part of a total; where they cannot be recovered, the total with
tax stands beside it."""

from dataclasses import dataclass
from decimal import Decimal

from app.domain.cost.line import LineCost, LineKind
from app.domain.cost.rounding import cents
from app.domain.cost.scenario import TaxRates
from app.domain.money import Currency, Money

GOODS = ("electricity", "lease", "buyout")  # besides everything that is bought; the rest of what is paid are services
UNTAXED = ("residual", "staff", "delay", "one_off")  # wages and payments of unknown nature carry no tax here; a sale later is the buyer's
NO_DUTY = ("electricity", "lease", "buyout")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tax:
    """What is due on top of an option's total, and what of it stays with the buyer."""

    duty: Money
    on_goods: Money
    on_services: Money
    total: Money
    kept: Money


def tax_of(costs: tuple[tuple[str, LineKind, LineCost], ...], rates: TaxRates, month_count: int, currency: Currency) -> Tax:
    """Duty on purchases, tax on goods with their duty, tax on services, over the whole plan."""
    bought = goods = services = Decimal(0)
    for key, kind, cost in costs:
        amount = cost.total(month_count)
        if key in UNTAXED:
            continue
        if kind is LineKind.CAPEX and key not in NO_DUTY:
            bought += amount
        if kind is LineKind.CAPEX or key in GOODS:
            goods += amount
        else:
            services += amount
    duty = bought * rates.duty_ratio
    parts = [cents(duty), cents((goods + duty) * rates.goods_ratio), cents(services * rates.services_ratio)]
    total = sum(parts, Decimal(0))
    kept = parts[0] if rates.is_recoverable else total
    return Tax(
        **{name: Money(part, currency) for name, part in zip(("duty", "on_goods", "on_services"), parts, strict=True)},
        total=Money(total, currency),
        kept=Money(kept, currency),
    )
