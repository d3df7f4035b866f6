"""Administration: the front page, and the users with their roles."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from app.db.engine import Session
from app.domain.errors import DomainError, InvalidInput
from app.services import accounts, audit
from app.services.access import Caller
from app.services.accounts import NewUser, UserRole, UserRow
from app.web import htmx
from app.web.access import IsAdmin, SignedIn
from app.web.binding import BoundForm, Form, bind, blank
from app.web.database import Now, Read, Write
from app.web.sessions import site_of
from app.web.templating import page

router = APIRouter(prefix="/admin")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminView:
    """Links to what can be administered, as far as the caller may."""

    is_admin: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UsersView:
    """Everybody, and the form for one more. `link` is a one-time sign-in link that was just made for `link_for`."""

    users: tuple[UserRow, ...]
    roles: tuple[UserRole, ...]
    form: BoundForm["UserForm"]
    link: str
    link_for: str
    now: datetime


class UserForm(BaseModel):
    """A new user."""

    name: Annotated[str, Field(max_length=accounts.NAME_LENGTH)]
    role: UserRole


class RoleForm(BaseModel):
    """A user's role."""

    role: UserRole


@router.get("", name="admin.home")
def home(request: Request, caller: SignedIn) -> Response:
    """What can be administered."""
    return page(request, "admin/show.html", AdminView(is_admin=caller.is_admin))


@router.get("/users", name="admin.users")
def users(request: Request, session: Read, caller: IsAdmin, now: Now) -> Response:
    """Everybody."""
    return _page(request, session, now)


@router.post("/users", name="admin.add_user")
def add(request: Request, caller: IsAdmin, form: Form, session: Write, now: Now) -> Response:
    """Adds a user and shows the link by which they come in first."""
    bound = bind(UserForm, form)
    try:
        if bound.value is not None:
            user = accounts.add_user(session, NewUser(bound.value.name, bound.value.role))
            audit.note(session, caller.user.name, "user_added", name=user.name, role=user.role.value)
            return _with_link(request, session, caller, user.id, user.name, now)
    except DomainError as error:
        bound = bound.rejected(error)
    return _page(request, session, now, form=bound, status_code=422)


@router.post("/users/{user_id}/role", name="admin.change_role")
def change_role(request: Request, user_id: UUID, caller: IsAdmin, form: Form, session: Write) -> Response:
    """Gives a user another role."""
    bound = bind(RoleForm, form)
    if bound.value is None:
        raise InvalidInput("role", "form.not_a_choice")
    user = accounts.change_role(session, user_id, bound.value.role)
    audit.note(session, caller.user.name, "role_changed", name=user.name, role=bound.value.role.value)
    return _again(request)


@router.post("/users/{user_id}/link", name="admin.sign_in_link")
def link(request: Request, user_id: UUID, session: Write, caller: IsAdmin, now: Now) -> Response:
    """A one-time link: for a first sign-in, or for somebody who forgot their password."""
    user = next((user for user in accounts.users(session) if user.id == user_id), None)
    return _with_link(request, session, caller, user_id, user.name if user else "", now)


@router.post("/users/{user_id}/deactivate", name="admin.deactivate")
def deactivate(request: Request, user_id: UUID, session: Write, caller: IsAdmin, now: Now) -> Response:
    """Signs a user out everywhere and for good."""
    user = accounts.deactivate(session, user_id, now=now)
    audit.note(session, caller.user.name, "deactivated", name=user.name)
    return _again(request)


@router.post("/users/{user_id}/reactivate", name="admin.reactivate")
def reactivate(request: Request, user_id: UUID, session: Write, caller: IsAdmin, now: Now) -> Response:
    """Lets a user in again."""
    user = accounts.reactivate(session, user_id)
    audit.note(session, caller.user.name, "reactivated", name=user.name)
    return _again(request)


def _again(request: Request) -> Response:
    return htmx.see_other(request, request.app.url_path_for("admin.users"))


def _with_link(request: Request, session: Session, caller: Caller, user_id: UUID, name: str, now: datetime) -> Response:
    token = accounts.new_sign_in_link(session, user_id, now=now)
    audit.note(session, caller.user.name, "link_made", name=name)
    link = f"{site_of(request)}{request.app.url_path_for('accounts.sign_in')}?token={token}"
    return _page(request, session, now, link=link, link_for=name)


def _page(
    request: Request,
    session: Session,
    now: datetime,
    *,
    form: BoundForm[UserForm] | None = None,
    link: str = "",
    link_for: str = "",
    status_code: int = 200,
) -> Response:
    view = UsersView(
        users=accounts.users(session), roles=tuple(UserRole), form=form or blank(UserForm), link=link, link_for=link_for, now=now
    )
    return page(request, "admin/users.html", view, status_code=status_code)
