"""The agent as one file, for nodes where nothing may be installed."""

from pathlib import Path

from fastapi import APIRouter
from starlette.responses import FileResponse

from app import agent

router = APIRouter()


@router.get("/agent.py", name="agent.file")
def file() -> FileResponse:
    """Python without dependencies; it holds no secret."""
    return FileResponse(Path(agent.__file__), media_type="text/x-python", filename="agent.py")
