"""Who sends the request: the browser's session cookie, or for the API a bearer token."""

from datetime import datetime

from fastapi import HTTPException, Request
from starlette.responses import Response

from app.services import sign_in
from app.services.access import Caller
from app.settings import Settings
from app.web.database import database

API = "/api/"
SESSION_COOKIE = "gpuplan_session"


class SignInNeeded(HTTPException):
    """Nobody is signed in; `code` says what is missing."""

    def __init__(self, code: str = "account.sign_in_first") -> None:
        super().__init__(401, headers={"WWW-Authenticate": 'Bearer realm="gpuplan"'})
        self.code = code


def caller_of(request: Request, now: datetime) -> Caller:
    """Who asks. SignInNeeded: nobody, or a token that opens nothing."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and request.url.path.startswith(API):
        caller = sign_in.caller_of_bearer(database(request), token.strip(), now=now)
        if caller is None:
            raise SignInNeeded("account.token_refused")
        request.state.caller = caller
        return caller
    recognise(request, now)
    found: Caller | None = getattr(request.state, "caller", None)
    if found is None:
        raise SignInNeeded
    return found


def recognise(request: Request, now: datetime) -> None:
    """Notes who asks, if anybody is signed in, for pages that everybody may see."""
    cookie = request.cookies.get(SESSION_COOKIE)
    if cookie is not None and (caller := sign_in.caller_of_cookie(database(request), cookie, now=now)) is not None:
        request.state.caller = caller


def remember(response: Response, secret: str, settings: Settings) -> None:
    """Gives the browser its session."""
    age = int(sign_in.SESSION_LASTS.total_seconds())
    response.set_cookie(SESSION_COOKIE, secret, max_age=age, httponly=True, samesite="lax", secure=settings.has_secure_cookies)


def forget(response: Response) -> None:
    """Takes the session from the browser."""
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax")


def browser_of(request: Request) -> str:
    """What the browser calls itself."""
    return request.headers.get("user-agent", "")


def address_of(request: Request) -> str:
    """Where the request came from; behind a proxy uvicorn reads it from the headers of the proxies it trusts."""
    return request.client.host if request.client else ""


def site_of(request: Request) -> str:
    """The site's address as people see it, without a slash at its end."""
    settings: Settings = request.app.state.settings
    return (settings.public_url or str(request.base_url)).rstrip("/")
