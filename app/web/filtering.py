"""Lists that are filtered by what stands behind the question mark of their address."""

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

Options = tuple[tuple[str, str], ...]
"""Values with the text that people see."""


def asked(request: Request) -> FormData:
    """The query as a form: a filter form sends itself by GET, so that its address can be kept and passed on."""
    sent: list[tuple[str, str | UploadFile]] = list(request.query_params.multi_items())
    return FormData(sent)
