"""The project list, a project's overview, and its own few fields."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.db.engine import Session
from app.domain.errors import Conflict, DomainError
from app.services import access, demo, intake, members, projects
from app.services import rail as rails
from app.services.access import Right
from app.services.demo import PublishedBeside
from app.services.members import MemberRow
from app.services.rail import ProjectRail
from app.text.render import render
from app.web import htmx
from app.web.access import CanManage, CanRead, CanRestore, SignedIn, WholeUser
from app.web.binding import BoundForm, Form, bind, blank
from app.web.database import Now, Read, Write
from app.web.forms.intake import read_config
from app.web.forms.projects import MemberForm, ProjectForm, stored
from app.web.locale import current_locale
from app.web.templating import page

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectListView:
    """One's projects, and the one that was just deleted, to bring it back."""

    projects: tuple[ProjectRail, ...]
    now: datetime
    deleted_id: UUID | None
    deleted_name: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFormView:
    """The form of a new project."""

    form: BoundForm[ProjectForm]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectView:
    """One project: its rail, its own fields to change, its people."""

    rail: ProjectRail
    form: BoundForm[ProjectForm]
    now: datetime
    members: tuple[MemberRow, ...]
    member_form: BoundForm[MemberForm]
    beside: PublishedBeside | None


@router.get("/", name="home")
def home() -> Response:
    """The projects are the first page."""
    return RedirectResponse("/projects", status_code=303)


@router.get("/projects", name="projects.list")
def list_(request: Request, session: Read, caller: SignedIn, now: Now, deleted: UUID | None = None) -> Response:
    """A table that reads like a sentence. `deleted` is the project that was just deleted."""
    name = None
    if deleted is not None and access.rights(session, caller, deleted) == {Right.RESTORE}:
        name = projects.find_deleted(session, deleted)
    view = ProjectListView(projects=rails.rails(session, caller), now=now, deleted_id=deleted, deleted_name=name)
    return page(request, "projects/list.html", view)


@router.get("/projects/new", name="projects.new")
def new(request: Request, caller: SignedIn) -> Response:
    """An empty form."""
    return page(request, "projects/new.html", ProjectFormView(form=blank(ProjectForm, {"currency": "USD"})))


@router.post("/projects/new", name="projects.add")
def add(request: Request, caller: WholeUser, form: Form, session: Write) -> Response:
    """Starts a project and goes to its first question."""
    bound = bind(ProjectForm, form)
    try:
        if bound.value is not None:
            project_id = intake.start_project(session, bound.value.command(), caller.user.id, read_config(form))
            return htmx.see_other(request, f"{request.app.url_path_for('projects.show', project_id=project_id)}/workload")
    except DomainError as error:
        bound = bound.rejected(error)
    return page(request, "projects/new.html", ProjectFormView(form=bound), status_code=422)


@router.get("/projects/{project_id}", name="projects.show")
def show(request: Request, project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """Where the project stands."""
    return _overview(request, session, project_id, now)


@router.post("/projects/{project_id}", name="projects.change")
def change(request: Request, project_id: UUID, caller: CanManage, form: Form, session: Write, now: Now) -> Response:
    """Renames the project or changes its currency."""
    bound = bind(ProjectForm, form)
    status = 422
    try:
        if bound.value is not None:
            projects.change_project(session, project_id, bound.value.command())
            return htmx.see_other(request, request.app.url_path_for("projects.show", project_id=project_id))
    except DomainError as error:
        if isinstance(error, Conflict) and error.field is None:
            status = 409
        bound = bound.rejected(error)
    if status == 409:
        bound = bound.beside(stored(projects.get_project(session, project_id)))
    return _overview(request, session, project_id, now, form=bound, status_code=status)


@router.post("/projects/{project_id}/members", name="projects.add_member")
def add_member(request: Request, project_id: UUID, caller: CanManage, form: Form, session: Write, now: Now) -> Response:
    """Lets somebody into the project, by name."""
    bound = bind(MemberForm, form)
    try:
        if bound.value is not None:
            members.add(session, project_id, bound.value.member)
            return htmx.see_other(request, request.app.url_path_for("projects.show", project_id=project_id))
    except DomainError as error:
        bound = replace(bound, errors={"member": render(error.message, current_locale())})
    return _overview(request, session, project_id, now, member_form=bound, status_code=422)


@router.post("/projects/{project_id}/members/{user_id}/remove", name="projects.remove_member")
def remove_member(request: Request, project_id: UUID, user_id: UUID, session: Write, caller: CanManage) -> Response:
    """Ends a membership."""
    members.remove(session, project_id, user_id)
    return htmx.see_other(request, request.app.url_path_for("projects.show", project_id=project_id))


@router.post("/projects/{project_id}/delete", name="projects.delete")
def delete(request: Request, project_id: UUID, session: Write, caller: CanManage, now: Now) -> Response:
    """Deletes the project and offers to undo it."""
    projects.delete_project(session, project_id, now=now)
    return htmx.see_other(request, f"{request.app.url_path_for('projects.list')}?deleted={project_id}")


@router.post("/projects/{project_id}/restore", name="projects.restore")
def restore(request: Request, project_id: UUID, session: Write, caller: CanRestore) -> Response:
    """Brings a deleted project back."""
    projects.restore_project(session, project_id)
    return htmx.see_other(request, request.app.url_path_for("projects.show", project_id=project_id))


def _overview(
    request: Request,
    session: Session,
    project_id: UUID,
    now: datetime,
    *,
    form: BoundForm[ProjectForm] | None = None,
    member_form: BoundForm[MemberForm] | None = None,
    status_code: int = 200,
) -> Response:
    rail = rails.rail(session, project_id)
    view = ProjectView(
        rail=rail,
        form=form or blank(ProjectForm, stored(rail.project)),
        now=now,
        members=members.of_project(session, project_id),
        member_form=member_form or blank(MemberForm),
        beside=demo.beside(session, rail.project),
    )
    return page(request, "projects/show.html", view, status_code=status_code)
