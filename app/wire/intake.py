"""The contract's intake JSON to `Requirements`. Unknown keys, wrong types and values that no plan could use are refused by the field's path."""

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import InvalidInput
from app.domain.estimate import Assumption
from app.domain.intake import Requirements
from app.domain.intake.fields import BY_PATH, MODEL, SECTIONS, Answer, Answers, Field, Kind
from app.domain.intake.reading import as_choice, as_list, as_number, as_text, in_range
from app.domain.intake.requirements import requirements
from app.domain.money import Currency, Money
from app.wire.workload import parse_model

LARGEST_INT = 10**30  # beyond it a float conversion may overflow
TASKS = ("training", "inference")
TOP = frozenset({"name", "currency", "years", MODEL, *SECTIONS})


def parse_intake(data: Any, catalogue: Catalogue) -> Requirements:
    """The requirements a document states. InvalidInput: names the field by its path (`training.seq_len`)."""
    document = _object("intake", data)
    _known_keys("", document, TOP)
    answers: dict[str, Answer] = {}
    for section in SECTIONS:
        entries = _object(section, {} if document.get(section) is None else document[section])
        _known_keys(section, entries, {field.key for field in BY_PATH.values() if field.section == section})
        _read(answers, {f"{section}.{key}": value for key, value in entries.items()})
    _read(answers, {key: document.get(key) for key in ("name", "currency", "years")})
    model, assumptions = _model(document.get(MODEL), catalogue)
    empty = {section for section in TASKS if document.get(section) == {}}
    return requirements(answers, catalogue, model=model, tasks=empty, assumptions=assumptions)


def intake_json(answers: Answers, model: Mapping[str, Any] | None, tasks: Iterable[str]) -> dict[str, Any]:
    """Answers as the document that `parse_intake` reads back; null is "don't know", an empty section a task that was only named."""
    document: dict[str, Any] = {key: answers.get(key) for key in ("name", "currency", "years")} | {MODEL: model}
    for section in SECTIONS:
        known = {field.key: _written(field, answers.get(field.path)) for field in BY_PATH.values() if field.section == section}
        is_open = all(value is None for value in known.values())
        document[section] = ({} if section in tasks else None) if is_open and section in TASKS else known
    return document


def _written(field: Field, answer: Answer | None) -> Any:
    if isinstance(answer, Money):
        return {"amount": str(answer.amount), "currency": answer.currency.value}
    if isinstance(answer, tuple):
        return list(answer)
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        return field.written(float(answer))
    return answer


def _model(data: Any, catalogue: Catalogue) -> tuple[LanguageModel | OtherModel | None, tuple[Assumption, ...]]:
    return (None, ()) if data is None else parse_model(data, catalogue)


def _object(path: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(path, "intake.not_an_object")
    return value


def _known_keys(section: str, entries: Mapping[str, Any], known: frozenset[str] | set[str]) -> None:
    for key in entries:
        if key not in known:
            raise InvalidInput(f"{section}.{key}".lstrip(".")[:120], "intake.unknown_key")


def _read(answers: dict[str, Answer], entries: Mapping[str, Any]) -> None:
    """Adds what is known; null is "don't know"."""
    answers.update({path: _answer(BY_PATH[path], value) for path, value in entries.items() if value is not None})


def _answer(field: Field, value: Any) -> Answer:
    if field.kind in (Kind.NUMBER, Kind.WHOLE):
        return as_number(field, _decimal(field.path, value) * Decimal(repr(field.one)))
    if field.kind is Kind.FLAG:
        if not isinstance(value, bool):
            raise InvalidInput(field.path, "intake.not_yes_or_no", typed=str(value)[:80])
        return value
    if field.kind is Kind.LIST:
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise InvalidInput(field.path, "intake.not_a_list")
        return as_list(field, value)
    if field.kind is Kind.MONEY:
        return in_range(field, _money(field, value))
    if not isinstance(value, str):
        raise InvalidInput(field.path, "intake.not_a_text")
    return as_choice(field, value) if field.kind is Kind.CHOICE else as_text(field, value)


def _decimal(path: str, value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(path, "intake.not_a_number")
    if isinstance(value, int) and abs(value) >= LARGEST_INT:
        raise InvalidInput(path, "intake.too_large", limit=f"{LARGEST_INT:.0e}")
    if not isfinite(value):
        raise InvalidInput(path, "intake.not_a_number")
    return Decimal(repr(value))


def _money(field: Field, value: Any) -> Money:
    """`{"amount": "2000000", "currency": "CNY"}`; the amount is a decimal string, a plain number is taken too."""
    wrong = InvalidInput(field.path, "intake.not_money", example='{"amount": "2000000", "currency": "CNY"}')
    if not isinstance(value, Mapping) or set(value) != {"amount", "currency"}:
        raise wrong
    currency = as_choice(BY_PATH["currency"], str(value["currency"]))
    try:
        amount = Decimal(value["amount"]) if isinstance(value["amount"], str) else _decimal(field.path, value["amount"])
    except InvalidOperation:
        raise wrong from None
    if not amount.is_finite():
        raise wrong
    return Money(amount, Currency(currency))
