"""Lists that are filtered by what stands behind the question mark of their address."""

from typing import Any

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from app.web.binding import BoundForm

Options = tuple[tuple[str, str], ...]
"""Values with the text that people see."""


def asked(request: Request) -> FormData:
    """The query as a form: a filter form sends itself by GET, so that its address can be kept and passed on."""
    sent: list[tuple[str, str | UploadFile]] = list(request.query_params.multi_items())
    return FormData(sent)


def answered(form: BoundForm[Any]) -> dict[str, Any]:
    """How a list answers: a wrong filter is a 422 that shows every row, and its address does not enter the browser's history."""
    return {"status_code": 422, "headers": {"HX-Push-Url": "false"}} if form.errors else {}
