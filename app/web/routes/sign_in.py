"""Signing in by a one-time link, by name and password or by the company's sign-in, and signing out."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from app.domain.errors import NotFound
from app.services import accounts, sign_in
from app.services.accounts import UserRole
from app.services.sign_in import SignInRefused, TooManyTries
from app.web import htmx, oidc, sessions
from app.web.binding import BoundForm, Form, bind, blank
from app.web.database import Now, Write, database
from app.web.routes.preferences import local_path
from app.web.sessions import SESSION_COOKIE, address_of, browser_of, site_of
from app.web.templating import page

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInView:
    """The sign-in page: with a token a button, without one the form."""

    token: str
    next: str
    form: BoundForm["PasswordForm"]
    has_company: bool


class PasswordForm(BaseModel):
    """Name and password."""

    name: Annotated[str, Field(max_length=accounts.NAME_LENGTH)]
    password: Annotated[str, Field(max_length=accounts.PASSWORD_AT_MOST)]


@router.get("/sign-in", name="accounts.sign_in")
def show(request: Request, token: str = "", to: Annotated[str, Query(alias="next")] = "/") -> Response:
    """With a token it shows a button, so that a mail program that looks at links does not spend this one."""
    return _page(request, blank(PasswordForm), to, token=token)


@router.post("/sign-in", name="accounts.sign_in_now")
def by_link(request: Request, form: Form, session: Write, now: Now) -> Response:
    """Spends the link."""
    secret = sign_in.by_link(session, str(form.get("token", "")), browser_of(request), now=now)
    _end_old(request, session)
    return _welcome(request, secret, str(form.get("next", "/")))


@router.post("/sign-in/password", name="accounts.sign_in_password")
def by_password(request: Request, form: Form, now: Now) -> Response:
    """Checks name and password; the password is never shown back."""
    bound, to = bind(PasswordForm, form), str(form.get("next", "/"))
    kept = {"name": str(form.get("name", ""))}
    if bound.value is None:
        return _page(request, BoundForm(raw=kept, errors=bound.errors), to, status_code=422)
    try:
        secret = sign_in.by_password(
            database(request), bound.value.name, bound.value.password, address=address_of(request), browser=browser_of(request), now=now
        )
    except TooManyTries as error:
        headers = {"Retry-After": str(error.retry_after_s)}
        return _page(request, blank(PasswordForm, kept).rejected(error), to, status_code=429, headers=headers)
    except SignInRefused as error:
        return _page(request, blank(PasswordForm, kept).rejected(error), to, status_code=422)
    with database(request).write() as session:
        _end_old(request, session)
    return _welcome(request, secret, to)


@router.get("/sign-in/company", name="accounts.sign_in_company")
def to_company(request: Request, to: Annotated[str, Query(alias="next")] = "/") -> Response:
    """Goes to the company's sign-in."""
    settings = request.app.state.settings
    if not oidc.is_on(settings):
        raise NotFound("request.not_found")
    departure = oidc.depart(settings, _callback(request), local_path(to))
    response = RedirectResponse(departure.url, status_code=303)
    oidc.carry(response, departure, settings)
    return response


@router.get("/sign-in/company/back", name="accounts.sign_in_company_back")
def from_company(request: Request, session: Write, now: Now, state: str = "") -> Response:
    """The company's sign-in sent the browser back with its answer."""
    settings = request.app.state.settings
    if not oidc.is_on(settings):
        raise NotFound("request.not_found")
    arrival = oidc.arrive(settings, request.cookies.get(oidc.COOKIE, ""), str(request.url), state)
    role = UserRole(settings.oidc_new_users)
    secret = sign_in.by_company(session, subject=arrival.subject, name=arrival.name, role=role, browser=browser_of(request), now=now)
    _end_old(request, session)
    response = _welcome(request, secret, arrival.next)
    oidc.drop(response)
    return response


@router.post("/sign-out", name="accounts.sign_out")
def out(request: Request, session: Write) -> Response:
    """Ends this browser's session."""
    _end_old(request, session)
    response = htmx.see_other(request, request.app.url_path_for("accounts.sign_in"))
    sessions.forget(response)
    return response


def _page(
    request: Request,
    form: BoundForm[PasswordForm],
    to: str,
    *,
    token: str = "",
    status_code: int = 200,
    headers: dict[str, str] | None = None,
) -> Response:
    view = SignInView(token=token, next=local_path(to), form=form, has_company=oidc.is_on(request.app.state.settings))
    return page(request, "accounts/sign_in.html", view, status_code=status_code, headers=headers)


def _welcome(request: Request, secret: str, to: str) -> Response:
    response = htmx.see_other(request, local_path(to))
    sessions.remember(response, secret, request.app.state.settings)
    return response


def _end_old(request: Request, session: Write) -> None:
    if cookie := request.cookies.get(SESSION_COOKIE):
        sign_in.out(session, cookie)


def _callback(request: Request) -> str:
    return site_of(request) + str(request.app.url_path_for("accounts.sign_in_company_back"))
