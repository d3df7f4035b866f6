"""Who may enter a route, as parameters of handlers: `caller: CanRead`. Every route has one of them, or stands among those open to everybody.

A project of others answers 404, as if it did not exist; what one may not do in a project of one's own answers 403 and says who may."""

from collections.abc import Callable
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPBearer

from app.services import access
from app.services.access import Caller, Right
from app.web.database import Now, database
from app.web.sessions import SESSION_COOKIE, caller_of

_BEARER = HTTPBearer(auto_error=False, description="An API token: from the account page, or `gpuplan token create`.")
_COOKIE = APIKeyCookie(name=SESSION_COOKIE, auto_error=False, description="A signed-in browser.")


def _anybody(
    request: Request, now: Now, _bearer: Annotated[object, Security(_BEARER)], _cookie: Annotated[object, Security(_COOKIE)]
) -> Caller:
    return caller_of(request, now)


SignedIn = Annotated[Caller, Depends(_anybody)]
"""Any user, and a token for one project as well."""


def _can(right: Right) -> Callable[..., Caller]:
    def checked(request: Request, project_id: UUID, caller: SignedIn) -> Caller:
        with database(request).read() as session:
            request.state.rights = access.require(session, caller, project_id, right)
        return caller

    return checked


def _passes(check: Callable[[Caller], None]) -> Callable[..., Caller]:
    def checked(caller: SignedIn) -> Caller:
        check(caller)
        return caller

    return checked


CanRead = Annotated[Caller, Depends(_can(Right.READ))]
CanUpload = Annotated[Caller, Depends(_can(Right.UPLOAD))]
CanDescribe = Annotated[Caller, Depends(_can(Right.DESCRIBE))]
CanPrice = Annotated[Caller, Depends(_can(Right.PRICE))]
CanIssue = Annotated[Caller, Depends(_can(Right.ISSUE))]
CanManage = Annotated[Caller, Depends(_can(Right.MANAGE))]
CanRestore = Annotated[Caller, Depends(_can(Right.RESTORE))]
WholeUser = Annotated[Caller, Depends(_passes(access.require_whole_user))]
KeepsPrices = Annotated[Caller, Depends(_passes(access.require_price_keeper))]
IsAdmin = Annotated[Caller, Depends(_passes(access.require_admin))]
