"""Who sends the request: the browser's session cookie, or a bearer token for the API."""

from datetime import datetime
from typing import Annotated

from fastapi import Depends, HTTPException, Request
from starlette.responses import Response

from app.services import accounts
from app.services.accounts import UserRow
from app.settings import Settings
from app.web.database import Now, database

SESSION_COOKIE = "gpuplan_session"


class SignInNeeded(HTTPException):
    """Nobody is signed in; `code` says what is missing."""

    def __init__(self, code: str = "account.sign_in_first") -> None:
        super().__init__(401, headers={"WWW-Authenticate": 'Bearer realm="gpuplan"'})
        self.code = code


def _signed_in(request: Request, now: Now) -> UserRow:
    cookie = request.cookies.get(SESSION_COOKIE)
    user = None if cookie is None else accounts.user_of_cookie(database(request), cookie, now=now)
    if user is None:
        raise SignInNeeded
    request.state.user = user
    return user


def _api_user(request: Request, now: Now) -> UserRow:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return _signed_in(request, now)
    user = accounts.user_of_bearer(database(request), token.strip(), now=now)
    if user is None:
        raise SignInNeeded("account.token_refused")
    request.state.user = user
    return user


SignedIn = Annotated[UserRow, Depends(_signed_in)]
ApiUser = Annotated[UserRow, Depends(_api_user)]


def recognise(request: Request, now: datetime) -> None:
    """Notes who asks, if anybody is signed in, for pages that everybody may see."""
    cookie = request.cookies.get(SESSION_COOKIE)
    if cookie is not None and (user := accounts.user_of_cookie(database(request), cookie, now=now)) is not None:
        request.state.user = user


def remember(response: Response, secret: str, settings: Settings) -> None:
    """Gives the browser its session."""
    age = int(accounts.SESSION_LASTS.total_seconds())
    response.set_cookie(SESSION_COOKIE, secret, max_age=age, httponly=True, samesite="lax", secure=settings.secure_cookies)


def forget(response: Response) -> None:
    """Takes the session from the browser."""
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax")
