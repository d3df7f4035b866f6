"""The audit log: who did what when, for administrators."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.services import audit, projects
from app.services.audit import Entry
from app.web.access import IsAdmin
from app.web.database import Read
from app.web.templating import page

router = APIRouter(prefix="/admin")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditView:
    """Lines, the newest first. `older` is the moment before which the next page goes on; `projects` are names of those that are still there."""

    entries: tuple[Entry, ...]
    kinds: tuple[str, ...]
    kind: str
    by: str
    older: str
    projects: Mapping[UUID, str]


@router.get("/audit", name="admin.audit")
def show(
    request: Request,
    session: Read,
    caller: IsAdmin,
    kind: str = "",
    by: Annotated[str, Query(max_length=200)] = "",
    before: str = "",
) -> Response:
    """All of it, or of one kind or person. What the address asks and is not there is left aside."""
    asked = kind if kind in audit.KINDS else ""
    name = by.replace("\x00", "").strip()
    entries = audit.entries(session, kind=asked or None, by=name or None, before=_moment(before))
    view = AuditView(
        entries=entries,
        kinds=tuple(audit.KINDS),
        kind=asked,
        by=name,
        older=entries[-1].at.isoformat() if len(entries) == audit.SHOWN_COUNT else "",
        projects={row.id: row.name for row in projects.list_projects(session, caller)},
    )
    return page(request, "admin/audit.html", view)


def _moment(text: str) -> datetime | None:
    """A moment as the page's own link says it; None: nothing that could be one."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
