"""The Sheet step: the sheet as it would be issued, the issues, and their files."""

from dataclasses import dataclass
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.domain.errors import Conflict, InvalidInput, Message
from app.domain.estimate import Step
from app.domain.sheet import ConfigurationSheet
from app.export.writers import WRITERS
from app.services import intake, sheets
from app.services import rail as rails
from app.services.rail import ProjectRail
from app.services.sheets import IssueRow, IssueSheet
from app.web import htmx
from app.web.access import CanIssue, CanRead
from app.web.binding import Form
from app.web.database import Now, Read, Write
from app.web.templating import page

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """A sheet with its issues. `sha256` is missing on a preview; `sheet` while there is nothing to put on it (`problem` says why).

    `seen` marks what a preview says; `notice` says why it was not issued."""

    rail: ProjectRail
    sheet: ConfigurationSheet | None
    sha256: str | None
    steps: tuple[Step, ...]
    issues: tuple[IssueRow, ...]
    formats: tuple[str, ...]
    problem: Message | None
    seen: str
    notice: Message | None = None


@router.get("/projects/{project_id}/sheet", name="sheets.show")
def show(request: Request, project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """What would be issued now, as it prints."""
    sheet, problem = None, None
    try:
        if intake.load(session, project_id).answered:
            sheet = sheets.preview(session, project_id, now=now)
    except InvalidInput as error:
        problem = error.message
    rail = rails.rail(session, project_id)
    view = _view(rail, sheet, None, sheets.issues(session, project_id), problem)
    return page(request, "sheets/show.html", view)


@router.post("/projects/{project_id}/sheet", name="sheets.issue")
def issue(request: Request, project_id: UUID, caller: CanIssue, form: Form, session: Write, now: Now) -> Response:
    """Issues the next number; it never changes afterwards."""
    offered = str(form.get("number", ""))
    wanted = int(offered) if offered.isdecimal() and len(offered) < 10 else None
    command = IssueSheet(project_id=project_id, by=caller.user.name, number=wanted, seen=str(form["seen"]) if "seen" in form else None)
    try:
        number = sheets.issue(session, command, now=now)
    except Conflict as error:
        rail, sheet = rails.rail(session, project_id), sheets.preview(session, project_id, now=now)
        view = _view(rail, sheet, None, sheets.issues(session, project_id), None, error.message)
        return page(request, "sheets/show.html", view, status_code=409)
    return htmx.see_other(request, str(request.app.url_path_for("sheets.issued", project_id=project_id, number=number)))


@router.get("/projects/{project_id}/sheet/{number}", name="sheets.issued")
def issued(request: Request, project_id: UUID, number: int, session: Read, caller: CanRead) -> Response:
    """One issue as it was signed."""
    rail = rails.rail(session, project_id)
    found = sheets.get(session, project_id, number)
    view = _view(rail, found.sheet, found.sha256, sheets.issues(session, project_id), None)
    return page(request, "sheets/show.html", view)


def _view(
    rail: ProjectRail,
    sheet: ConfigurationSheet | None,
    sha256: str | None,
    issues: tuple[IssueRow, ...],
    problem: Message | None,
    notice: Message | None = None,
) -> SheetView:
    cells = [cell for row in sheet.cost.rows for cell in row.cells if cell] if sheet else []
    steps = (*sheet.derivation, *(step for cell in cells for step in cell.derivation)) if sheet else ()
    return SheetView(
        rail=rail,
        sheet=sheet,
        sha256=sha256,
        steps=steps,
        issues=issues,
        formats=tuple(WRITERS),
        problem=problem,
        seen=sheets.seen(sheet) if sheet and sha256 is None else "",
        notice=notice,
    )
