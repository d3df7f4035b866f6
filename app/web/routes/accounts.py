"""One's own account: password, signed-in browsers, API tokens."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from app.db.engine import Session
from app.domain.errors import DomainError
from app.services import access, accounts, audit, projects, sign_in, tokens
from app.services.access import Caller, Right
from app.services.accounts import SessionRow, UserRow
from app.services.projects import ProjectRow
from app.services.sign_in import TooManyTries
from app.services.tokens import ApiTokenRow, NewToken
from app.web import htmx
from app.web.access import WholeUser
from app.web.binding import BoundForm, Form, bind, blank
from app.web.database import Now, Read, Write, database
from app.web.sessions import SESSION_COOKIE, address_of
from app.web.templating import page

router = APIRouter(prefix="/account")


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountView:
    """The account page. `made` is the token that was just made and is shown this once."""

    user: UserRow
    sessions: tuple[SessionRow, ...]
    here: str  # the hash of this browser's cookie
    tokens: tuple[ApiTokenRow, ...]
    projects: tuple[ProjectRow, ...]
    token_form: BoundForm["TokenForm"]
    password_form: BoundForm["PasswordChangeForm"]
    made: NewToken | None
    is_password_changed: bool
    now: datetime

    @property
    def project_names(self) -> dict[UUID, str]:
        """Names of the projects that the user sees."""
        return {project.id: project.name for project in self.projects}


class TokenForm(BaseModel):
    """A new token: what it is for, and the one project it opens; none: all that its user may do."""

    token: Annotated[str, Field(max_length=accounts.NAME_LENGTH)]
    project: UUID | None = None


class PasswordChangeForm(BaseModel):
    """The password so far, if there is one, and the new one."""

    old: Annotated[str, Field(max_length=accounts.PASSWORD_AT_MOST)] = ""
    password: Annotated[str, Field(max_length=accounts.PASSWORD_AT_MOST)]


@router.get("", name="accounts.show")
def show(request: Request, session: Read, caller: WholeUser, now: Now) -> Response:
    """Password, browsers, tokens."""
    return _page(request, session, caller, now)


@router.post("/password", name="accounts.change_password")
def change_password(request: Request, caller: WholeUser, form: Form, now: Now) -> Response:
    """Changes the password and signs out every other browser; passwords are never shown back."""
    bound, status_code, headers = bind(PasswordChangeForm, form), 422, {}
    try:
        if bound.value is not None:
            sign_in.change_password(
                database(request),
                caller.user,
                old=bound.value.old,
                new=bound.value.password,
                cookie=request.cookies.get(SESSION_COOKIE, ""),
                address=address_of(request),
                now=now,
            )
            status_code = 200
    except TooManyTries as error:
        bound, status_code, headers = bound.rejected(error), 429, {"Retry-After": str(error.retry_after_s)}
    except DomainError as error:
        bound = bound.rejected(error)
    refused: BoundForm[PasswordChangeForm] = BoundForm(errors=bound.errors)
    with database(request).read() as session:
        answer = _page(
            request, session, caller, now, password_form=refused, is_password_changed=status_code == 200, status_code=status_code
        )
    answer.headers.update(headers)
    return answer


@router.post("/sessions/{session_id}/end", name="accounts.end_session")
def end_session(request: Request, session_id: UUID, session: Write, caller: WholeUser) -> Response:
    """Signs one of one's browsers out."""
    accounts.end_session(session, caller.user.id, session_id)
    return htmx.see_other(request, request.app.url_path_for("accounts.show"))


@router.post("/tokens", name="accounts.add_token")
def add_token(request: Request, caller: WholeUser, form: Form, session: Write, now: Now) -> Response:
    """Makes a token and shows it: there is no second page to lose it on the way to."""
    bound = bind(TokenForm, form)
    try:
        if bound.value is not None:
            project_id = bound.value.project
            if project_id is not None:
                access.require(session, caller, project_id, Right.READ)
            made = tokens.new_token(session, caller.user.id, bound.value.token, project_id)
            audit.note(session, caller.user.name, "token_made", project_id, name=bound.value.token)
            return _page(request, session, caller, now, made=made)
    except DomainError as error:
        bound = bound.rejected(error)
    return _page(request, session, caller, now, token_form=bound, status_code=422)


@router.post("/tokens/{token_id}/revoke", name="accounts.revoke_token")
def revoke_token(request: Request, token_id: UUID, session: Write, caller: WholeUser, now: Now) -> Response:
    """Ends a token."""
    name = tokens.revoke(session, caller.user.id, token_id, now=now)
    audit.note(session, caller.user.name, "token_revoked", name=name)
    return htmx.see_other(request, request.app.url_path_for("accounts.show"))


def _page(
    request: Request,
    session: Session,
    caller: Caller,
    now: datetime,
    *,
    token_form: BoundForm[TokenForm] | None = None,
    password_form: BoundForm[PasswordChangeForm] | None = None,
    made: NewToken | None = None,
    is_password_changed: bool = False,
    status_code: int = 200,
) -> Response:
    blank_token: dict[str, Any] = {"project": request.query_params.get("project", "")}
    view = AccountView(
        user=accounts.get_user(session, caller.user.name),
        sessions=accounts.sessions(session, caller.user.id, now=now),
        here=accounts.hashed(request.cookies.get(SESSION_COOKIE, "")),
        tokens=tokens.tokens(session, caller.user.id),
        projects=projects.list_projects(session, caller),
        token_form=token_form or blank(TokenForm, blank_token),
        password_form=password_form or blank(PasswordChangeForm),
        made=made,
        is_password_changed=is_password_changed,
        now=now,
    )
    return page(request, "accounts/show.html", view, status_code=status_code)
