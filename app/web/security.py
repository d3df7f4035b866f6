"""What guards every request: where it may come from, how large it may be, what the page may load."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from fastapi import HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Refused(HTTPException):
    """A request that a guard turned away; `code` picks the sentence."""

    def __init__(self, status_code: int, code: str, **params: int | str) -> None:
        super().__init__(status_code)
        self.code = code
        self.params = params


class HeadersMiddleware:
    """Adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class HeadMiddleware:
    """Answers HEAD as GET is answered, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        await self.app(dict(scope, method="GET"), receive, without_body)


class GuardMiddleware:
    """Refuses writes from other sites (no tokens in forms) and bodies past their limit, before anything is read.

    Browsers say where a request comes from in Sec-Fetch-Site, older ones in Origin; a request with neither comes from no browser and carries
    no one's cookie by accident."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        respond: Callable[[Request, Refused], Response],
        form_limit_bytes: int,
        upload_limit_bytes: int,
        upload_paths: tuple[str, ...],
    ) -> None:
        self.app = app
        self.respond = respond
        self.form_limit_bytes = form_limit_bytes
        self.upload_limit_bytes = upload_limit_bytes
        self.upload_paths = tuple(map(re.compile, upload_paths))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in SAFE_METHODS:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not is_same_origin(headers):
            await self._refuse(Refused(403, "request.cross_site"), scope, receive, send)
            return
        limit = self.upload_limit_bytes if any(path.fullmatch(scope["path"]) for path in self.upload_paths) else self.form_limit_bytes
        announced = headers.get("content-length", "")
        if announced.isdigit() and int(announced) > limit:
            await self._refuse(Refused(413, "request.too_large", limit_bytes=limit), scope, receive, send)
            return
        await self.app(scope, _counted(receive, limit), send)

    async def _refuse(self, refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
        await self.respond(Request(scope, receive), refused)(scope, receive, send)


def is_same_origin(headers: Headers) -> bool:
    """Whether a write was started by one of our own pages, or by no browser at all."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


def _counted(receive: Receive, limit: int) -> Receive:
    received = 0

    async def counting() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            raise Refused(413, "request.too_large", limit_bytes=limit)
        return message

    return counting
