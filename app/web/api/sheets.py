"""Issued sheets for scripts and for download."""

from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.services import sheets
from app.services.sheets import IssueSheet
from app.web.access import CanIssue, CanRead
from app.web.database import Now, Read, Write
from app.web.locale import current_locale

router = APIRouter(prefix="/projects/{project_id}/sheets", tags=["sheets"])


@router.post("", name="api.sheets.issue", status_code=201)
def issue(request: Request, project_id: UUID, session: Write, caller: CanIssue, now: Now) -> Response:
    """Issues the next number."""
    number = sheets.issue(session, IssueSheet(project_id=project_id, by=caller.user.name), now=now)
    found = sheets.get(session, project_id, number)
    address = str(request.app.url_path_for("api.sheets.file", project_id=project_id, number=number, kind="json"))
    content = {"number": number, "sha256": found.sha256, "issued_at": found.sheet.issued_at, "url": address}
    return JSONResponse(content, status_code=201, headers={"Location": address})


@router.get("", name="api.sheets.list")
def list_(project_id: UUID, session: Read, caller: CanRead) -> list[dict[str, str | int]]:
    """Every issue, the newest first."""
    return [
        {"number": row.number, "sha256": row.sha256, "issued_at": row.issued_at.isoformat(timespec="seconds"), "issued_by": row.issued_by}
        for row in sheets.issues(session, project_id)
    ]


@router.get("/{number}.{kind}", name="api.sheets.file")
def file(project_id: UUID, number: int, kind: str, session: Read, caller: CanRead) -> Response:
    """One issue as json, xlsx or pdf, in the reader's language. The same issue in the same language makes the same file."""
    made = sheets.file(session, project_id, number, kind, current_locale())
    headers = {
        "Content-Disposition": f'attachment; filename="{made.name}"',
        "Cache-Control": "private, no-cache",
        "Vary": "Cookie, Accept-Language",
        "X-Document-SHA256": made.sha256,
    }
    return Response(made.content, media_type=made.media_type, headers=headers)
