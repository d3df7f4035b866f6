"""The intake of a project for scripts: the contract's document, read and replaced as a whole."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Body

from app.services import catalogue, intake
from app.web.access import CanDescribe, CanRead
from app.web.database import Read, Write

router = APIRouter(prefix="/projects/{project_id}/intake", tags=["projects"])


@router.get("", name="api.intake.show")
def show(project_id: UUID, session: Read, caller: CanRead) -> dict[str, Any]:
    """The answers; null is "don't know"."""
    return intake.document(intake.load(session, project_id), catalogue.current(session))


@router.put("", name="api.intake.replace")
def replace(project_id: UUID, document: Annotated[Any, Body()], session: Write, caller: CanDescribe) -> dict[str, Any]:
    """Replaces all answers. Name and currency belong to the project and stay as they are."""
    facts = catalogue.current(session)
    intake.save_document(session, project_id, document, facts)
    return intake.document(intake.load(session, project_id), facts)
