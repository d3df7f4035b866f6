"""From what a form sent to a checked value, or to the same form with its errors: raw text is always shown back."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Generic, TypeVar, get_origin

from fastapi import Depends, Request
from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile

from app.domain.errors import DomainError, Message, message
from app.text.render import render
from app.web.locale import current_locale

# Pydantic's error types in our words; the parameter that holds the limit is passed on as `limit`.
_CODES = {
    "missing": "form.missing",
    "string_type": "form.missing",
    "float_parsing": "form.not_a_number",
    "float_type": "form.not_a_number",
    "decimal_parsing": "form.not_a_number",
    "decimal_type": "form.not_a_number",
    "decimal_max_digits": "form.not_a_number",
    "decimal_max_places": "form.not_a_number",
    "decimal_whole_digits": "form.not_a_number",
    "int_parsing": "form.not_whole",
    "int_parsing_size": "form.not_whole",
    "int_from_float": "form.not_whole",
    "int_type": "form.not_whole",
    "finite_number": "form.not_finite",
    "enum": "form.not_a_choice",
    "literal_error": "form.not_a_choice",
    "uuid_parsing": "form.not_a_choice",
    "bool_parsing": "form.not_yes_or_no",
    "date_from_datetime_parsing": "form.not_a_date",
    "date_parsing": "form.not_a_date",
    "greater_than_equal": "form.at_least",
    "greater_than": "form.more_than",
    "less_than_equal": "form.at_most",
    "less_than": "form.less_than",
    "string_too_short": "form.too_short",
    "string_too_long": "form.too_long",
    "string_pattern_mismatch": "form.wrong_pattern",
    "extra_forbidden": "form.unknown_field",
}
VERSION = "row_version"
FormT = TypeVar("FormT", bound=BaseModel)
_LIMITS = ("ge", "gt", "le", "lt", "min_length", "max_length")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundForm(Generic[FormT]):
    """A form as it was sent: `value` when everything is right, `raw` to show back, `errors` by field in the reader's language.

    `theirs` is what somebody else saved meanwhile, by field, where it differs."""

    value: FormT | None = None
    raw: Mapping[str, Any] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    theirs: Mapping[str, str] = field(default_factory=dict)

    @property
    def first_bad(self) -> str | None:
        """The field that gets the focus."""
        return next(iter(self.errors), None)

    def rejected(self, error: DomainError) -> "BoundForm[FormT]":
        """The same form after a service refused it: the sentence stands at the field it names, or on top of the form."""
        return replace(self, value=None, errors={**self.errors, error.field or "": render(error.message, current_locale())})

    def beside(self, stored: Mapping[str, str]) -> "BoundForm[FormT]":
        """The same form after somebody else saved first: theirs stands at each field, and sending it once more puts mine in their place."""
        theirs = {name: text for name, text in stored.items() if name != VERSION and str(self.raw.get(name, "")) != text}
        return replace(self, raw={**self.raw, VERSION: stored[VERSION]}, theirs=theirs)


def blank(_form: type[FormT], raw: Mapping[str, Any] | None = None) -> BoundForm[FormT]:
    """A form before anything was sent, filled with what is stored."""
    return BoundForm(raw=raw or {})


def bind(form: type[FormT], data: FormData) -> BoundForm[FormT]:
    """Checks what was sent. Empty fields count as not sent; a field declared as a list or tuple takes all its values."""
    raw: dict[str, Any] = {}
    for name in data:
        sent = data.getlist(name)
        raw[name] = sent if name in form.model_fields and _is_many(form.model_fields[name].annotation) else sent[-1]
    unreadable = [name for name, value in raw.items() if isinstance(value, str) and "\x00" in value]
    if unreadable:
        return BoundForm(
            raw={**raw, **dict.fromkeys(unreadable, "")}, errors={name: _sentence(message("form.unreadable")) for name in unreadable}
        )
    try:
        value = form.model_validate(
            {name: _stripped(sent) for name, sent in raw.items() if name in form.model_fields and not _is_empty(sent)}
        )
    except ValidationError as error:
        return BoundForm(raw=raw, errors=_errors(error))
    return BoundForm(value=value, raw=raw)


async def form_data(request: Request) -> AsyncIterator[FormData]:
    """The form that was sent; its files are closed after the response. The one asynchronous dependency: a body cannot be read from a thread."""
    async with request.form(max_fields=500, max_files=20) as form:
        yield form


Form = Annotated[FormData, Depends(form_data)]


def code_of(error: Mapping[str, Any]) -> Message:
    """Our words for an error of pydantic. A validator of ours raises `PydanticCustomError("area.code", "", {…})` to bring its own."""
    context = error.get("ctx") or {}
    if "." in error["type"]:
        return message(error["type"], **context)
    limit = next((context[name] for name in _LIMITS if name in context), None)
    params = {} if limit is None else {"limit": limit if isinstance(limit, int | float) else str(limit)}
    return message(_CODES.get(error["type"], "form.wrong_pattern"), **params)


def _errors(error: ValidationError) -> dict[str, str]:
    sentences: dict[str, str] = {}
    for item in error.errors(include_url=False):
        name = str(item["loc"][0]) if item["loc"] else ""
        sentences.setdefault(name, _sentence(code_of(item)))
    return sentences


def _sentence(said: Message) -> str:
    return render(said, current_locale())


def _stripped(sent: Any) -> Any:
    return sent.strip() if isinstance(sent, str) else sent


def _is_empty(sent: Any) -> bool:
    if isinstance(sent, UploadFile):
        return not sent.filename
    return not sent if isinstance(sent, list) else not sent.strip()


def _is_many(annotation: Any) -> bool:
    return get_origin(annotation) in (list, tuple, set, frozenset)
