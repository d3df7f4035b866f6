"""The project list, a project's overview, and its own few fields."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.domain.errors import Conflict, DomainError
from app.services import demo, projects
from app.services import rail as rails
from app.services.demo import PublishedBeside
from app.services.rail import ProjectRail
from app.web import htmx
from app.web.binding import BoundForm, Form, bind, blank
from app.web.database import Now, Read, Write
from app.web.forms.projects import ProjectForm, stored
from app.web.sessions import SignedIn
from app.web.templating import page

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectListView:
    """All projects."""

    projects: tuple[ProjectRail, ...]
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFormView:
    """The form of a new project."""

    form: BoundForm[ProjectForm]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectView:
    """One project: its rail, and its own fields to change."""

    rail: ProjectRail
    form: BoundForm[ProjectForm]
    now: datetime
    beside: PublishedBeside | None = None


@router.get("/", name="home")
def home() -> Response:
    """The projects are the first page."""
    return RedirectResponse("/projects", status_code=303)


@router.get("/projects", name="projects.list")
def list_(request: Request, session: Read, user: SignedIn, now: Now) -> Response:
    """A table that reads like a sentence."""
    return page(request, "projects/list.html", ProjectListView(projects=rails.rails(session), now=now))


@router.get("/projects/new", name="projects.new")
def new(request: Request, user: SignedIn) -> Response:
    """An empty form."""
    return page(request, "projects/new.html", ProjectFormView(form=blank(ProjectForm, {"currency": "USD"})))


@router.post("/projects/new", name="projects.add")
def add(request: Request, form: Form, session: Write, user: SignedIn) -> Response:
    """Starts a project and goes to its first question."""
    bound = bind(ProjectForm, form)
    try:
        if bound.value is not None:
            project_id = projects.start_project(session, bound.value.command())
            return htmx.see_other(request, f"{request.app.url_path_for('projects.show', project_id=project_id)}/workload")
    except DomainError as error:
        bound = bound.rejected(error)
    return page(request, "projects/new.html", ProjectFormView(form=bound), status_code=422)


@router.get("/projects/{project_id}", name="projects.show")
def show(request: Request, project_id: UUID, session: Read, user: SignedIn, now: Now) -> Response:
    """Where the project stands."""
    rail = rails.rail(session, project_id)
    return page(
        request,
        "projects/show.html",
        ProjectView(rail=rail, form=blank(ProjectForm, stored(rail.project)), now=now, beside=demo.beside(session, rail.project)),
    )


@router.post("/projects/{project_id}", name="projects.change")
def change(request: Request, project_id: UUID, form: Form, session: Write, user: SignedIn, now: Now) -> Response:
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
    rail = rails.rail(session, project_id)
    if status == 409:
        bound = bound.beside(stored(rail.project))
    return page(request, "projects/show.html", ProjectView(rail=rail, form=bound, now=now), status_code=status)


@router.get("/projects/{project_id}/delete", name="projects.delete_page")
def delete_page(request: Request, project_id: UUID, session: Read, user: SignedIn, now: Now) -> Response:
    """What would be lost."""
    rail = rails.rail(session, project_id)
    return page(request, "projects/delete.html", ProjectView(rail=rail, form=blank(ProjectForm), now=now))


@router.post("/projects/{project_id}/delete", name="projects.delete")
def delete(request: Request, project_id: UUID, session: Write, user: SignedIn) -> Response:
    """Deletes the project."""
    projects.delete_project(session, project_id)
    return htmx.see_other(request, request.app.url_path_for("projects.list"))
