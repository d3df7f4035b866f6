"""Whether the process lives and whether it can serve."""

from fastapi import APIRouter, Request, Response

from app.services import health
from app.web.database import database

router = APIRouter()


@router.get("/healthz", name="health.process")
def process() -> Response:
    """The process answers."""
    return Response("ok", media_type="text/plain")


@router.get("/readyz", name="health.ready")
def ready(request: Request) -> Response:
    """The database answers and has the newest schema."""
    problem = health.obstacle(database(request))
    return Response(problem or "ready", status_code=503 if problem else 200, media_type="text/plain")
