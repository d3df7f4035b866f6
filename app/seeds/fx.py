"""Dated exchange rates from the reference rates of the European Central Bank that the currencyconverter package bundles."""

from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

from currency_converter import CurrencyConverter, RateNotFoundError

from app.domain.errors import DomainError
from app.domain.money import Currency, FxRate

SIGNIFICANT = Decimal("0.0001")


@lru_cache(maxsize=1)
def _rates() -> CurrencyConverter:
    return CurrencyConverter()


@lru_cache(maxsize=64)
def default_fx(on: date) -> FxRate:
    """USD/CNY of the latest bundled day on or before `on`, crossed through the euro, to four decimals as rates are quoted."""
    day = min(on, _rates().bounds["USD"].last_date, _rates().bounds["CNY"].last_date)
    while True:
        try:
            cross = _rates().convert(1, "USD", "CNY", date=day)
            break
        except RateNotFoundError:
            if day <= _rates().bounds["CNY"].first_date:
                raise DomainError("fx.too_early", on=on.isoformat()) from None
            day -= timedelta(days=1)
    return FxRate(
        base=Currency.USD,
        quote=Currency.CNY,
        rate=Decimal(repr(cross)).quantize(SIGNIFICANT),
        on=day,
        source="European Central Bank reference rates, crossed through EUR",
    )
