"""Projects for scripts."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Body, Request, Response

from app.domain.errors import InvalidInput
from app.domain.money import Currency
from app.services import projects
from app.services import rail as rails
from app.services.projects import SaveProject
from app.services.rail import ProjectRail
from app.web.access import CanManage, CanRead, SignedIn, WholeUser
from app.web.database import Read, Write
from app.web.locale import current_locale
from app.wire.projects import parse_project, project_json

router = APIRouter(prefix="/projects", tags=["projects"])


@router.get("", name="api.projects.list")
def list_(session: Read, caller: SignedIn) -> dict[str, Any]:
    """All projects, the one changed last first."""
    return {"projects": [_json(rail) for rail in rails.rails(session, caller)]}


@router.post("", name="api.projects.add", status_code=201)
def add(request: Request, response: Response, document: Annotated[Any, Body()], session: Write, caller: WholeUser) -> Mapping[str, Any]:
    """Starts a project; the currency is USD unless said."""
    fields = parse_project(document)
    if fields.name is None:
        raise InvalidInput("name", "document.missing")
    project_id = projects.start_project(session, SaveProject(name=fields.name, currency=fields.currency or Currency.USD), caller.user.id)
    response.headers["Location"] = str(request.app.url_path_for("api.projects.show", project_id=project_id))
    return _json(rails.rail(session, project_id))


@router.get("/{project_id}", name="api.projects.show")
def show(project_id: UUID, session: Read, caller: CanRead) -> Mapping[str, Any]:
    """A project and where it stands."""
    return _json(rails.rail(session, project_id))


@router.patch("/{project_id}", name="api.projects.change")
def change(project_id: UUID, document: Annotated[Any, Body()], session: Write, caller: CanManage) -> Mapping[str, Any]:
    """Changes what the document names. With a `row_version` that is no longer the stored one the answer is 409."""
    fields = parse_project(document)
    stored = projects.get_project(session, project_id)
    command = SaveProject(name=fields.name or stored.name, currency=fields.currency or stored.currency, row_version=fields.row_version)
    projects.change_project(session, project_id, command)
    return _json(rails.rail(session, project_id))


def _json(rail: ProjectRail) -> Mapping[str, Any]:
    project = rail.project
    return project_json(
        project_id=project.id,
        name=project.name,
        currency=project.currency,
        row_version=project.row_version,
        created_at=project.created_at,
        updated_at=project.updated_at,
        steps=[(step.key, step.answer.state.value, step.answer.answer, step.answer.remark) for step in rail.steps],
        locale=current_locale(),
    )
