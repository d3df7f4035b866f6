"""Reads the numbers people type: `2,5`, `1 234 567`, `7B`, `1.5T`, `80GB`, `20M samples`, `2千万`, `1.2亿`, `2 d 12 h`, `¥200万`.

A lone comma is a thousands separator when exactly three digits follow and the number does not start with 0 (`2,048`), else a decimal comma.
A lone point is always a decimal point. What cannot be read is refused with the text as typed; nothing is guessed.
"""

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from math import prod
from types import MappingProxyType

from app.domain.errors import InvalidInput
from app.domain.money import Currency, Money
from app.domain.units import GIB, GIGA, KIB, KILO, MEGA, MIB, TERA, days, gbit_per_s, hours, ms, us

MAX_LENGTH = 60
MAX_EXPONENT = 30  # digits before the point; no quantity here comes near it
_NUMBER = re.compile(r"(?P<digits>[.,]?\d[\d.,'’_ ]*)(?P<exponent>e[+-]?\d{1,3}(?!\d))?", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:~|≈|约|大约|about|around|ca\.?|approx\.?)\s*", re.IGNORECASE)
_GROUPED = re.compile(r"^\d{1,3}(?:([,.'’_ ])\d{3})(?:\1\d{3})*$")
_CURRENCIES = (
    (Currency.CNY, re.compile(r"cny|rmb|人民币|[¥￥]|元", re.IGNORECASE)),
    (Currency.USD, re.compile(r"usd|us\$|\$|美元|美金|dollars?", re.IGNORECASE)),
)
_NOUNS = re.compile(
    r"(?:\s*(?:tokens?|toks?|samples?|images?|pairs|rows|params?|parameters|epochs?|runs?|workers?|requests?|users?|px|years?|qps|条|个|张|次|对|参数|轮|路|用户"
    r"|年|词元|像素|/s|/ s|每秒|/年|每年|a year|per year))+$",
    re.IGNORECASE,
)
Units = Mapping[str, Decimal]


def _units(table: Mapping[str, float]) -> Units:
    return MappingProxyType({name: Decimal(repr(factor)) for name, factor in table.items()})


_WAN, _YI = prod((10, KILO)), prod((100, MEGA))  # 万, 亿
COUNT = _units(
    {
        "": 1,
        "k": KILO,
        "thousand": KILO,
        "m": MEGA,
        "mn": MEGA,
        "mio": MEGA,
        "million": MEGA,
        "b": GIGA,
        "bn": GIGA,
        "billion": GIGA,
        "g": GIGA,
    }
    | {"t": TERA, "trillion": TERA, "百": 100, "千": KILO, "万": _WAN, "十万": 10 * _WAN, "百万": MEGA, "千万": 10 * MEGA, "亿": _YI}
    | {"十亿": GIGA, "百亿": 10 * GIGA, "千亿": 100 * GIGA, "万亿": TERA, "w": _WAN}
)
TOKENS = MappingProxyType({**COUNT, "k": Decimal(KIB)})  # a context of "8k" tokens is 8,192
BYTES = _units(
    {"b": 1, "byte": 1, "bytes": 1, "字节": 1, "k": KILO, "kb": KILO, "m": MEGA, "mb": MEGA, "g": GIGA, "gb": GIGA, "t": TERA, "tb": TERA}
    | {"p": KILO * TERA, "pb": KILO * TERA, "kib": KIB, "mib": MIB, "gib": GIB, "tib": GIB * KIB, "pib": GIB * MIB}
)
BYTES_PER_S = _units(
    {f"{unit}{per}": float(BYTES[unit]) for unit in ("b", "kb", "mb", "gb", "tb", "kib", "mib", "gib") for per in ("/s", "/sec", "/秒")}
    | {"KBps": KILO, "MBps": MEGA, "GBps": GIGA, "TBps": TERA, "mb": MEGA, "gb": GIGA, "tb": TERA}
    | {unit: gbit_per_s(1) for unit in ("gbps", "Gb/s", "gbit/s", "gbit", "gbe", "gige")}
    | {unit: gbit_per_s(1 / KILO) for unit in ("mbps", "Mb/s", "mbit/s", "mbit")}
)
SECONDS = _units(
    {"us": us(1), "µs": us(1), "μs": us(1), "微秒": us(1), "ms": ms(1), "毫秒": ms(1), "s": 1, "sec": 1, "second": 1, "seconds": 1, "秒": 1}
    | dict.fromkeys(("min", "minute", "minutes", "分钟", "分"), hours(1) / 60)
    | dict.fromkeys(("h", "hour", "hours", "hr", "hrs", "小时"), hours(1))
    | dict.fromkeys(("d", "day", "days", "天", "日"), days(1))
    | dict.fromkeys(("w", "week", "weeks", "周", "星期"), days(7))
    | dict.fromkeys(("month", "months", "月", "个月"), days(30))
)
WATTS = _units({"w": 1, "kw": KILO, "千瓦": KILO, "瓦": 1, "mw": MEGA, "kva": KILO})
AMPERES = _units({"a": 1, "amp": 1, "amps": 1, "安": 1, "安培": 1})
VOLTS = _units({"v": 1, "volt": 1, "volts": 1, "伏": 1, "伏特": 1, "kv": KILO})
RATIO = _units({"": 1, "%": 0.01, "x": 1, "×": 1, "倍": 1})


def read_number(field: str, typed: str, units: Units, default_unit: str) -> Decimal:
    """What was typed, in base units; a bare number stands in `default_unit`. InvalidInput: it cannot be read, with the text as typed."""
    text = _plain(field, typed)
    sign = -1 if text.startswith(("-", "−")) else 1
    parts = _parts(field, typed, text.lstrip("+-−").strip())
    if len(parts) > 1 and not all(unit for _, unit in parts):
        raise _unreadable(field, typed)
    factors = [_factor(field, typed, unit or default_unit, units) for _, unit in parts]
    if any(later >= earlier for earlier, later in pairwise(factors)):
        raise _unreadable(field, typed)
    return sign * sum((number * factor for (number, _), factor in zip(parts, factors, strict=True)), Decimal(0))


def read_growth(field: str, typed: str) -> Decimal:
    """A factor: `1.5`, `2x`, `150%`, or a change: `+50 %` is 1.5."""
    value = read_number(field, typed, RATIO, "")
    return value + 1 if typed.strip().startswith(("+", "-", "−")) and "%" in unicodedata.normalize("NFKC", typed) else value


def read_money(field: str, typed: str, default: Currency) -> Money:
    """An amount with or without its currency: `2M`, `¥200万`, `250k USD`. InvalidInput: unreadable, or two currencies."""
    text, found = unicodedata.normalize("NFKC", typed), []
    for currency, sign in _CURRENCIES:
        text, hits = sign.subn(" ", text)
        found += [currency] * bool(hits)
    if len(found) > 1:
        raise _unreadable(field, typed)
    try:
        amount = read_number(field, text, COUNT, "")
    except InvalidInput as error:
        raise InvalidInput(field, error.message.code, **{**error.message.params, "typed": typed.strip()[:MAX_LENGTH]}) from None
    return Money(amount, found[0] if found else default)


def _plain(field: str, typed: str) -> str:
    """Full-width characters made plain, kinds of spaces made one, a leading “about” dropped."""
    text = " ".join(unicodedata.normalize("NFKC", typed).split())
    if not text or len(text) > MAX_LENGTH:
        raise _unreadable(field, typed)
    return _ABOUT.sub("", text)


def _parts(field: str, typed: str, text: str) -> list[tuple[Decimal, str]]:
    """The numbers with the unit after each. Text before the first number is unreadable."""
    matches = list(_NUMBER.finditer(text))
    if not matches or matches[0].start() != 0:
        raise _unreadable(field, typed)
    ends = [match.start() for match in matches[1:]] + [len(text)]
    parts = [(match, text[match.end() : end]) for match, end in zip(matches, ends, strict=True)]
    return [(_number(field, typed, match), unit.strip()) for match, unit in parts]


def _number(field: str, typed: str, match: re.Match[str]) -> Decimal:
    try:
        number = Decimal(_with_point(match["digits"].strip()) + (match["exponent"] or ""))
    except (InvalidOperation, ValueError):
        raise _unreadable(field, typed) from None
    if number and abs(number.adjusted()) > MAX_EXPONENT:
        raise _unreadable(field, typed)
    return number


def _with_point(digits: str) -> str:
    """Thousands separators removed, the decimal sign made a point. ValueError: the separators do not fit together."""
    decimal_at = max(digits.rfind("."), digits.rfind(","))
    if decimal_at >= 0:
        sign, whole, rest = digits[decimal_at], digits[:decimal_at], digits[decimal_at + 1 :]
        single = digits.count(sign) == 1
        as_thousands = not single or (sign == "," and len(rest) == 3 and bool(whole) and not whole.startswith("0") and len(whole) <= 3)
        if not as_thousands:
            return _ungrouped(whole or "0", other_than=sign) + "." + (rest if rest.isdecimal() else _refuse(digits))
    return _ungrouped(digits, other_than="")


def _ungrouped(digits: str, *, other_than: str) -> str:
    if digits.isdecimal():
        return digits
    grouped = _GROUPED.match(digits)
    if not grouped or grouped[1] == other_than:
        _refuse(digits)
    return re.sub(r"\D", "", digits)


def _refuse(digits: str) -> str:
    raise ValueError(digits)


def _factor(field: str, typed: str, unit: str, units: Units) -> Decimal:
    """What one of this unit is in base units. Case decides only between bits and bytes; a counted noun after the unit is dropped."""
    for name in (unit, unit.replace(" ", ""), unit.casefold().replace(" ", ""), _NOUNS.sub("", unit.casefold()).strip()):
        if name in units:
            return units[name]
    raise InvalidInput(field, "intake.unknown_unit", typed=typed.strip()[:MAX_LENGTH], unit=unit)


def _unreadable(field: str, typed: str) -> InvalidInput:
    return InvalidInput(field, "intake.unreadable", typed=typed.strip()[:MAX_LENGTH])
