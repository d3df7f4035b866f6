"""Errors to responses: a page, a toast for htmx, `application/problem+json` for the API (RFC 9457)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from app.domain.errors import Conflict, DomainError, Message, NotFound, message
from app.logs import logger
from app.services.access import Forbidden
from app.services.sign_in import SignInRefused, TooManyTries
from app.text.render import render
from app.web import htmx
from app.web.binding import code_of
from app.web.locale import current_locale, gettext
from app.web.security import Refused
from app.web.sessions import SignInNeeded, recognise
from app.web.templating import page

PROBLEM_JSON = "application/problem+json"
API = "/api/"
TEMPLATES = {404: "errors/404.html", 409: "errors/409.html", 413: "errors/413.html", 422: "errors/422.html", 500: "errors/500.html"}
_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """What is wrong with one field."""

    field: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorView:
    """What an error page shows."""

    status: int
    title: str
    detail: str
    request_id: str
    errors: tuple[FieldProblem, ...] = ()


class ProblemResponse(JSONResponse):
    """Problem details. What was sent is quoted in them, so lone surrogates (`\\ud800` in a document) stay escapes."""

    media_type = PROBLEM_JSON

    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def install(app: FastAPI) -> None:
    """Registers one handler per kind of error."""
    app.add_exception_handler(DomainError, _domain)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(StarletteHTTPException, _http)


def respond(
    request: Request, status: int, said: Message, errors: tuple[FieldProblem, ...] = (), headers: Mapping[str, str] | None = None
) -> Response:
    """The one shape of an error on each surface."""
    detail = render(said, current_locale())
    if request.url.path.startswith(API):
        return problem(request, status, said.code, detail, errors, headers)
    if htmx.wants_fragment(request):
        return Response(status_code=status, headers={**(headers or {}), **htmx.toast(detail), "HX-Reswap": "none", "Vary": htmx.VARY})
    view = ErrorView(status=status, title=title(status), detail=detail, request_id=request_id(request), errors=errors)
    return page(request, TEMPLATES.get(status, "errors/other.html"), view, status_code=status, headers=headers)


def problem(
    request: Request,
    status: int,
    code: str,
    detail: str,
    errors: tuple[FieldProblem, ...] = (),
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """RFC 9457 problem details."""
    body: dict[str, Any] = {
        "type": f"/problems/{code}",
        "title": title(status),
        "status": status,
        "detail": detail,
        "instance": request.url.path,
        "request_id": request_id(request),
    }
    if errors:
        body["errors"] = [{"field": error.field, "code": error.code, "detail": error.detail} for error in errors]
    return ProblemResponse(body, status_code=status, headers=dict(headers or {}))


def title(status: int) -> str:
    """The heading of an error."""
    titles = {
        401: gettext("Sign in first"),
        403: gettext("Not allowed"),
        404: gettext("Not found"),
        409: gettext("Changed meanwhile"),
        413: gettext("Too large"),
        429: gettext("Too many tries"),
        422: gettext("Please check the input"),
        500: gettext("Something went wrong"),
    }
    return titles.get(status, gettext("The request cannot be answered"))


def request_id(request: Request) -> str:
    """The id that the log and the reader both see."""
    return str(request.scope.get("request_id", "-"))


def status_of(error: DomainError) -> int:
    """The HTTP status of a domain error."""
    if isinstance(error, SignInRefused | Forbidden):
        return 403
    if isinstance(error, NotFound):
        return 404
    return 409 if isinstance(error, Conflict) else 422


class RequestMiddleware:
    """Gives each request an id, logs its end, and answers what nobody caught with a 500 that names the id."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope["request_id"] = uuid4().hex[:12]
        status = 0

        async def noting_send(sent: AsgiMessage) -> None:
            nonlocal status
            if sent["type"] == "http.response.start":
                status = sent["status"]
                MutableHeaders(scope=sent)["X-Request-ID"] = scope["request_id"]
            await send(sent)

        with structlog.contextvars.bound_contextvars(request_id=scope["request_id"], method=scope["method"], path=scope["path"]):
            try:
                await self.app(scope, receive, noting_send)
            except Exception:
                _log.exception("http.request.failed")
                if status:
                    raise
                response = respond(Request(scope, receive), 500, message("request.failed"))
                await response(scope, receive, noting_send)
            _log.debug("http.request.answered", status=status)


def refuse(request: Request, refused: Refused) -> Response:
    """A guard turned the request away."""
    return respond(request, refused.status_code, message(refused.code, **refused.params))


def _domain(request: Request, error: Exception) -> Response:
    assert isinstance(error, DomainError)
    if isinstance(error, TooManyTries):
        return respond(request, 429, error.message, headers={"Retry-After": str(error.retry_after_s)})
    errors = () if not error.field else (FieldProblem(error.field, error.message.code, render(error.message, current_locale())),)
    return respond(request, status_of(error), error.message, errors)


def _validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if any(item["loc"][:1] == ("path",) for item in error.errors()):
        return respond(request, 404, message("request.not_found"))
    if any(item["type"] == "json_invalid" for item in error.errors()):
        return respond(request, 422, message("request.not_json"))
    errors = []
    for item in error.errors():
        said = code_of(item)
        errors.append(FieldProblem(".".join(map(str, item["loc"][1:])), said.code, render(said, current_locale())))
    return respond(request, 422, message("request.invalid"), tuple(errors))


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, StarletteHTTPException)
    if isinstance(error, Refused):
        return refuse(request, error)
    if isinstance(error, SignInNeeded):
        return _sign_in(request, error)
    if error.status_code in (204, 304):
        return Response(status_code=error.status_code, headers=error.headers)
    if not request.url.path.startswith(API):
        recognise(request, datetime.now(UTC))  # no route was entered, so nobody looked yet
    if error.status_code == 400 and request.url.path.startswith(API):
        return respond(request, 400, message("request.not_json"), headers=error.headers)  # nested too deep, or not text at all
    code = {404: "request.not_found", 405: "request.method"}.get(error.status_code, "request.invalid")
    return respond(request, error.status_code, message(code), headers=error.headers)


def _sign_in(request: Request, error: SignInNeeded) -> Response:
    if request.url.path.startswith(API):
        return respond(request, 401, message(error.code), headers=error.headers)
    there = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    wanted = there if request.method == "GET" else "/"
    return htmx.see_other(request, str(request.app.url_path_for("accounts.sign_in")) + "?" + urlencode({"next": wanted}))
