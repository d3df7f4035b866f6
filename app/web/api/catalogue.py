"""The catalogue as JSON."""

from typing import Any

from fastapi import APIRouter, Query

from app.domain.catalogue.search import GpuWanted, find_gpus
from app.services import catalogue as catalogues
from app.web.database import Read
from app.web.sessions import ApiUser
from app.wire.catalogue import gpu_json

router = APIRouter(tags=["catalogue"])


@router.get("/catalogue/gpus", name="api.catalogue.gpus")
def gpus(session: Read, user: ApiUser, q: str = Query("", max_length=100), vendor: str = Query("", max_length=60)) -> dict[str, Any]:
    """All GPUs of the catalogue's revision, each figure with its unit in the key, each row with its source."""
    catalogue = catalogues.current(session)
    found = find_gpus(catalogue, GpuWanted(words=q, vendor=vendor))
    return {"revision": catalogue.revision, "gpus": [gpu_json(gpu) for gpu in found]}
