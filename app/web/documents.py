"""What a JSON endpoint takes: a body that says it is JSON. A form's type, which curl sends unless told, gets an answer that helps."""

from email.message import Message

from fastapi import Request
from fastapi.routing import APIRoute

from app.web.security import Refused


def json_only(request: Request) -> None:
    """Refused 415: the endpoint reads a document, and the body has another type."""
    route = request.scope.get("route")
    if not isinstance(route, APIRoute) or route.body_field is None:
        return
    header = Message()
    header["Content-Type"] = request.headers.get("content-type", "")
    if request.headers.get("content-length") != "0" and not _is_json(header.get_content_subtype()):
        raise Refused(415, "request.not_json_type")


def _is_json(subtype: str) -> bool:
    return subtype == "json" or subtype.endswith("+json")
