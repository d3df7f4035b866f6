"""Lists that are filtered by what stands behind the question mark of their address. What is wrong there is named, left out, and the rest applies."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel
from starlette.datastructures import FormData, UploadFile

from app.domain.errors import InvalidInput, message
from app.text.render import render
from app.web.binding import BoundForm, bind
from app.web.locale import current_locale

Options = tuple[tuple[str, str], ...]
"""Values with the text that people see."""
FormT = TypeVar("FormT", bound=BaseModel)
QUOTED_LENGTH = 40


def filtered(form: type[FormT], request: Request, options: Mapping[str, Iterable[str]]) -> BoundForm[FormT]:
    """The query as a checked form: a filter form sends itself by GET, so that its address can be kept and passed on.

    `options` are the values that a field may have. `errors` names what is wrong; `value` holds the rest."""
    sent: list[tuple[str, str | UploadFile]] = list(request.query_params.multi_items())
    bound = bind(form, FormData(sent))
    errors = dict(bound.errors)
    for name, offered in options.items():
        found, error = chosen(request, name, offered)
        if error and found is None:
            errors.setdefault(name, error)
    if not errors:
        return bound
    rest = bind(form, FormData([(name, value) for name, value in sent if name not in errors]))
    return BoundForm(value=rest.value, raw=bound.raw, errors=errors)


def chosen(request: Request, name: str, offered: Iterable[str]) -> tuple[str | None, str]:
    """The value of a parameter that is one of a few, and a sentence if it is another: for pages with a choice in their address."""
    value = request.query_params.get(name, "")
    if not value or value in set(offered):
        return value or None, ""
    return None, render(message("form.unknown_value", typed=value[:QUOTED_LENGTH]), current_locale())


def known(name: str, value: str, offered: Iterable[str]) -> str:
    """The same for JSON. InvalidInput: the parameter holds something that is not there."""
    if value and value not in set(offered):
        raise InvalidInput(name, "form.unknown_value", typed=value[:QUOTED_LENGTH])
    return value


def answered(form: BoundForm[Any]) -> dict[str, Any]:
    """How a list answers: a wrong filter is a 422, and its address does not enter the browser's history."""
    return {"status_code": 422, "headers": {"HX-Push-Url": "false"}} if form.errors else {}
