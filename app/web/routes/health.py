"""Whether the process lives, whether it can serve, and what it does."""

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

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


@router.get("/metrics", name="health.metrics")
def metrics(request: Request) -> Response:
    """Numbers for Prometheus: times by route, requests that run, memory and processor time of the process. They name no project and nobody."""
    return Response(request.app.state.metrics.text(), media_type=CONTENT_TYPE_LATEST)
