"""One answer as typed or as JSON value to a value in base units, checked against its field. Raises `InvalidInput` naming the field."""

from decimal import Decimal
from math import isfinite

from app.domain.errors import InvalidInput
from app.domain.intake import numbers
from app.domain.intake.fields import MAX_LIST, Answer, Field, Kind
from app.domain.money import Currency, Money

REPLACED = "\ufffd"  # what stands in a form's text for a character that no database text holds
YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
TRAINING_ON_INTEGERS = ("int8", "int4", "fp4")  # weight formats that people write where a training precision is asked for
_SHORTHAND = {
    "training.precision": {
        "bf16": "bf16-mixed",
        "fp16": "fp16-mixed",
        "amp": "fp16-mixed",
        "fp8": "fp8-mixed",
        "mxfp8": "mxfp8-mixed",
        "nvfp4": "nvfp4-mixed",
    },
    "training.method": {"qlora": "qlora4"},
}


def read_typed(field: Field, typed: str, currency: Currency) -> Answer:
    """What a person typed or chose. `currency` is the one of a bare amount."""
    text = typed.strip()
    if field.kind is Kind.MONEY:
        return in_range(field, numbers.read_money(field.path, text, currency))
    if field.kind is Kind.LIST:
        return as_list(field, [part.strip() for part in text.replace("，", ",").replace("\n", ",").split(",") if part.strip()])
    if field.kind is Kind.FLAG:
        return as_flag(field, text)
    if field.kind is Kind.CHOICE:
        return as_choice(field, text)
    if field.kind is Kind.TEXT:
        return as_text(field, text)
    if field.units is numbers.RATIO:
        return as_number(field, numbers.read_growth(field.path, text))
    return as_number(field, numbers.read_number(field.path, text, field.units, field.unit))


def as_number(field: Field, value: Decimal) -> float | int:
    """A number in base units inside the field's limits; whole where the field counts whole things."""
    number = float(value)
    in_limits(field, number)
    if field.kind is Kind.WHOLE:
        if value != value.to_integral_value():
            raise InvalidInput(field.path, "intake.not_whole", typed=_shown(field, number))
        return int(value)
    return number


def in_limits(field: Field, number: float) -> None:
    """InvalidInput: not finite, not positive where it must be, or beyond what anybody could mean."""
    if not isfinite(number) or number > field.high:
        raise InvalidInput(field.path, "intake.too_large", limit=_shown(field, field.high))
    if number <= 0 < field.low:
        raise InvalidInput(field.path, "intake.not_positive")
    if number < field.low:
        raise InvalidInput(field.path, "intake.too_small", limit=_shown(field, field.low))


def in_range(field: Field, money: Money) -> Money:
    """An amount inside the field's limits."""
    in_limits(field, float(money.amount))
    return money


def as_choice(field: Field, text: str) -> str:
    """One of the field's choices; the usual short names of precisions and methods are understood."""
    value = _SHORTHAND.get(field.path, {}).get(text.casefold(), text.casefold())
    if field.path == "currency":
        value = value.upper()
    if field.path == "training.precision" and value in TRAINING_ON_INTEGERS:
        raise InvalidInput(field.path, "intake.weight_format_for_training", typed=text)
    if value not in field.choices:
        raise InvalidInput(field.path, "intake.not_a_choice", typed=text[:80], choices=", ".join(field.choices))
    return value


def as_flag(field: Field, text: str) -> bool:
    """Yes or no."""
    if text.casefold() not in YES + NO:
        raise InvalidInput(field.path, "intake.not_yes_or_no", typed=text[:80])
    return text.casefold() in YES


def as_text(field: Field, text: str) -> str:
    """One line of printable text."""
    if len(text) > field.max_length:
        raise InvalidInput(field.path, "intake.too_long", limit_count=field.max_length)
    if not text.isprintable() or REPLACED in text:
        raise InvalidInput(field.path, "intake.unprintable")
    return text


def as_list(field: Field, parts: list[str]) -> tuple[str, ...]:
    """Distinct lines of text in the order given."""
    if len(parts) > MAX_LIST:
        raise InvalidInput(field.path, "intake.too_many", limit_count=MAX_LIST)
    return tuple(dict.fromkeys(as_text(field, part) for part in parts))


def _shown(field: Field, number: float) -> str:
    return (
        f"{field.written(number):,} {field.unit.upper() if field.unit in ('tb', 'mb') else field.unit}".strip() if isfinite(number) else "∞"
    )
