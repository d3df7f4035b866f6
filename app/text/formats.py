"""Numbers and money as the reader writes them: three significant digits, the unit beside the number, the locale's separators."""

from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from math import floor, log10

from babel.numbers import format_compact_decimal, format_currency, format_decimal

from app.domain.money import Currency, Money
from app.domain.units import as_gb_per_s, as_gib, as_hours, as_kw, as_mib, as_percent, as_tflops, gib
from app.text.catalogues import translator

SIGNIFICANT_DIGITS = 3
DAYS = "d"  # the one unit that Chinese writes differently


@lru_cache(maxsize=2**14)  # pages write the same few thousand numbers again and again, each 0.1 ms
def significant(value: float, locale: str, digits: int = SIGNIFICANT_DIGITS) -> str:
    """`value` to so many significant digits; whole numbers keep all theirs."""
    if value == 0:
        return str(format_decimal(0, locale=locale))
    if value != value or value in (float("inf"), float("-inf")):
        return str(format_decimal(value, locale=locale))
    decimals = max(0, digits - 1 - floor(log10(abs(value))))
    return str(
        format_decimal(Decimal(repr(round(value, decimals))), format="#,##0." + "#" * decimals if decimals else "#,##0", locale=locale)
    )


def unit_name(unit: str, locale: str) -> str:
    """A unit's sign in a language."""
    return translator(locale).gettext(unit) if unit == DAYS else unit


def memory(value_bytes: float, locale: str) -> str:
    """Bytes as GiB, or as MiB below a tenth of one."""
    if 0 < value_bytes < gib(0.1):
        return f"{significant(as_mib(value_bytes), locale)} MiB"
    return f"{significant(as_gib(value_bytes), locale)} GiB"


def bandwidth(value_bytes_per_s: float, locale: str) -> str:
    """Bytes a second as GB/s."""
    return f"{significant(as_gb_per_s(value_bytes_per_s), locale)} GB/s"


def compute(value_flops: float, locale: str) -> str:
    """Operations a second as TFLOPS."""
    return f"{significant(as_tflops(value_flops), locale)} TFLOPS"


def power(value_w: float, locale: str) -> str:
    """Watts, or kilowatts from one kilowatt on."""
    return f"{significant(as_kw(value_w), locale)} kW" if value_w >= 1000 else f"{significant(value_w, locale)} W"


def energy(value_kwh: float, locale: str) -> str:
    """Kilowatt-hours."""
    return f"{significant(value_kwh, locale)} kWh"


def share(ratio: float, locale: str) -> str:
    """A ratio as per cent."""
    return f"{significant(as_percent(ratio), locale)} %"


def duration(value_s: float, locale: str) -> str:
    """Seconds in the unit a person would choose: ms, s, h or days."""
    if value_s < 1:
        return f"{significant(value_s * 1000, locale)} ms"
    if as_hours(value_s) < 1:
        return f"{significant(value_s, locale)} s"
    if as_hours(value_s) < 48:
        return f"{significant(as_hours(value_s), locale)} h"
    return f"{significant(as_hours(value_s) / 24, locale)} {unit_name(DAYS, locale)}"


def money(value: Money, locale: str, *, cents: bool = True) -> str:
    """Money with its currency, rounded half up to the cent or, for display in tables, to the unit."""
    pattern = None if cents else "¤#,##0"
    amount = value.rounded().amount if cents else value.amount
    return str(format_currency(amount, value.currency.value, format=pattern, locale=locale, currency_digits=cents))


def compact(count: float, locale: str) -> str:
    """A large count as it is said: 20M in English, 2000万 in Chinese."""
    return str(format_compact_decimal(round(count) if count >= 1 else count, locale=locale, fraction_digits=1))


def quoted(amount: Decimal, currency: str, locale: str) -> str:
    """A price as somebody quoted it, in any currency: whole from a thousand on, to the cent from ten on, below that four decimals at most."""
    decimals = 0 if amount >= 1000 else 2 if amount >= 10 else 4
    pattern = "¤#,##0" if decimals == 0 else "¤#,##0.00" + "#" * (decimals - 2)
    shown = amount.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return str(format_currency(shown, currency, format=pattern, locale=locale, currency_digits=False))


def dollars(amount: float, locale: str) -> str:
    """US dollars inside a sentence, whole."""
    return money(Money(Decimal(repr(amount)), Currency.USD), locale, cents=False)


def yuan(amount: float, locale: str) -> str:
    """Yuan inside a sentence, whole."""
    return money(Money(Decimal(repr(amount)), Currency.CNY), locale, cents=False)


BY_SUFFIX = {
    "_usd": dollars,
    "_cny": yuan,
    "_many": compact,
    "_bytes_per_s": bandwidth,
    "_bytes": memory,
    "_flops": compute,
    "_kwh": energy,
    "_w": power,
    "_s": duration,
    "_ratio": share,
}


def by_name(name: str, value: float, locale: str) -> str:
    """A number formatted by the unit that the suffix of its name states; a plain number otherwise."""
    for suffix, formatter in BY_SUFFIX.items():
        if name.endswith(suffix):
            return formatter(value, locale)
    return significant(value, locale) if isinstance(value, float) else str(format_decimal(value, locale=locale))
