"""Total cost of ownership for scripts: the contract's scenario in, cash flows and comparison out."""

from typing import Annotated, Any

from fastapi import APIRouter, Body

from app.domain.cost import evaluate
from app.seeds import default_fx
from app.services import catalogue
from app.web.access import SignedIn
from app.web.database import Now, Read
from app.web.locale import current_locale
from app.wire.tco import parse_scenario, tco_json

router = APIRouter(prefix="/tco", tags=["tco"])


@router.post("", name="api.tco.evaluate")
def evaluate_scenario(document: Annotated[Any, Body()], session: Read, caller: SignedIn, now: Now) -> dict[str, Any]:
    """Totals, present values, break-even and ranges of every option; default factors come from the catalogue in use."""
    scenario = parse_scenario(document, default_fx(now.date()), catalogue.current(session))
    return tco_json(evaluate(scenario), current_locale())
