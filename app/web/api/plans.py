"""Plans for scripts: the contract's intake in, ranked candidates and eliminated options out."""

from typing import Annotated, Any

from fastapi import APIRouter, Body

from app.seeds import default_fx
from app.services import catalogue, plans
from app.web.access import SignedIn
from app.web.database import Now, Read
from app.web.locale import current_locale
from app.wire.intake import parse_intake
from app.wire.plan import plan_json

router = APIRouter(prefix="/plans", tags=["plans"])


@router.post("", name="api.plans.make")
def make(document: Annotated[Any, Body()], session: Read, caller: SignedIn, now: Now) -> dict[str, Any]:
    """Which GPUs in which servers do the work, and what does not, with the reasons."""
    facts = catalogue.current(session)
    _, plan = plans.plan(parse_intake(document, facts), facts, None, default_fx(now.date()))
    return plan_json(plan, current_locale())
