"""The catalogue as JSON."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.compare import LEAST_COUNT, MOST_COUNT, compare
from app.domain.catalogue.search import find_gpus
from app.domain.errors import InvalidInput, NotFound
from app.services import catalogue as catalogues
from app.web.access import SignedIn
from app.web.database import Read
from app.web.filtering import known
from app.web.forms.catalogue import GpuFilter
from app.web.listing import COMPARED
from app.web.nouns import NOUNS, choices
from app.wire.catalogue import gpu_json, json_key, row_json

router = APIRouter(tags=["catalogue"])
Revision = Annotated[str, Query(max_length=40, description="An old revision of the catalogue; the current one unless set.")]


@router.get("/catalogue/gpus", name="api.catalogue.gpus")
def gpus(session: Read, caller: SignedIn, wanted: Annotated[GpuFilter, Query()], revision: Revision = "") -> dict[str, Any]:
    """All GPUs of the catalogue's revision, each figure with its unit in the key, each row with its source."""
    catalogue = asked(session, revision)
    known("vendor", wanted.vendor, choices(catalogue.gpus, "vendor"))
    known("form_factor", wanted.form_factor, choices(catalogue.gpus, "form_factor"))
    return {"revision": catalogue.revision, "gpus": [gpu_json(gpu) for gpu in find_gpus(catalogue, wanted.wanted())]}


@router.get("/catalogue/{noun}/compare", name="api.catalogue.compare")
def comparison(session: Read, caller: SignedIn, noun: str, row: Annotated[list[str], Query()], revision: Revision = "") -> dict[str, Any]:
    """Rows side by side: their figures, the keys in which they differ, and which rows are best in a figure where that has a meaning."""
    if noun not in COMPARED:
        raise NotFound("request.not_found")
    catalogue, found = asked(session, revision), NOUNS[noun]
    by_key = {found.identify(fact): fact for fact in found.rows(catalogue)}
    keys = list(dict.fromkeys(row))
    for key in keys:
        known("row", key, by_key)
    if not LEAST_COUNT <= len(keys) <= MOST_COUNT:
        raise InvalidInput("row", "compare.count", low=LEAST_COUNT, high=MOST_COUNT, chosen=len(keys))
    rows = [by_key[key] for key in keys]
    compared = [compare(rows, name, found.better.get(name)) for names in found.groups.values() for name in names]
    return {
        "revision": catalogue.revision,
        "rows": [row_json(fact) for fact in rows],
        "differs": [json_key(line.field) for line in compared if line.differs],
        "best": {json_key(line.field): [keys[place] for place in sorted(line.best)] for line in compared if line.best},
    }


def asked(session: Read, revision: str) -> Catalogue:
    """The current catalogue, or that of a revision. NotFound: there was none."""
    return catalogues.at(session, revision) if revision else catalogues.current(session)
