"""Signing in by a one-time link, signing out, and the account page with its API tokens."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from app.services import accounts
from app.services.accounts import ApiTokenRow, NewToken, UserRow
from app.web import htmx, sessions
from app.web.binding import BoundForm, Form, bind, blank
from app.web.database import Now, Read, Write
from app.web.routes.preferences import local_path
from app.web.sessions import SESSION_COOKIE, SignedIn
from app.web.templating import page

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInView:
    """The sign-in page: with a token a button, without one an explanation."""

    token: str
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountView:
    """The account page. `made` is the token that was just made and is shown this once."""

    user: UserRow
    tokens: tuple[ApiTokenRow, ...]
    form: BoundForm["TokenForm"]
    made: NewToken | None
    now: datetime


class TokenForm(BaseModel):
    """The name of a new token."""

    name: Annotated[str, Field(max_length=accounts.NAME_LENGTH)]


@router.get("/sign-in", name="accounts.sign_in")
def sign_in_page(request: Request, token: str = "", to: Annotated[str, Query(alias="next")] = "/") -> Response:
    """Shows a button, so that a mail program that looks at links does not spend this one."""
    return page(request, "accounts/sign_in.html", SignInView(token=token, next=local_path(to)))


@router.post("/sign-in", name="accounts.sign_in_now")
def sign_in(request: Request, form: Form, session: Write, now: Now) -> Response:
    """Spends the link."""
    secret = accounts.sign_in(session, str(form.get("token", "")), now=now)
    response = htmx.see_other(request, local_path(str(form.get("next", "/"))))
    sessions.remember(response, secret, request.app.state.settings)
    return response


@router.post("/sign-out", name="accounts.sign_out")
def sign_out(request: Request, session: Write) -> Response:
    """Ends this browser's session."""
    if cookie := request.cookies.get(SESSION_COOKIE):
        accounts.sign_out(session, cookie)
    response = htmx.see_other(request, request.app.url_path_for("accounts.sign_in"))
    sessions.forget(response)
    return response


@router.get("/account", name="accounts.show")
def show(request: Request, session: Read, user: SignedIn, now: Now) -> Response:
    """The signed-in user and the tokens."""
    view = AccountView(user=user, tokens=accounts.api_tokens(session, user.id), form=blank(TokenForm), made=None, now=now)
    return page(request, "accounts/show.html", view)


@router.post("/account/tokens", name="accounts.add_token")
def add_token(request: Request, form: Form, session: Write, user: SignedIn, now: Now) -> Response:
    """Makes a token and shows it: there is no second page to lose it on the way to."""
    bound = bind(TokenForm, form)
    made = None if bound.value is None else accounts.new_api_token(session, user.id, bound.value.name)
    form_again = bound if made is None else blank(TokenForm)
    view = AccountView(user=user, tokens=accounts.api_tokens(session, user.id), form=form_again, made=made, now=now)
    return page(request, "accounts/show.html", view, status_code=422 if made is None else 200)


@router.post("/account/tokens/{token_id}/revoke", name="accounts.revoke_token")
def revoke_token(request: Request, token_id: UUID, session: Write, user: SignedIn, now: Now) -> Response:
    """Ends a token."""
    accounts.revoke_api_token(session, user.id, token_id, now=now)
    return htmx.see_other(request, request.app.url_path_for("accounts.show"))
