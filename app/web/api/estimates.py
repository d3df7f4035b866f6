"""Estimates for scripts: the contract's workload in, memory, speed, duration and energy out."""

from typing import Annotated, Any

from fastapi import APIRouter, Body

from app.domain.capacity import estimate, resolve_hardware
from app.services import catalogue
from app.web.access import SignedIn
from app.web.database import Read
from app.web.locale import current_locale
from app.wire.estimate import estimate_json
from app.wire.workload import parse_workload

router = APIRouter(prefix="/estimates", tags=["estimates"])


@router.post("", name="api.estimates.make")
def make(document: Annotated[Any, Body()], session: Read, caller: SignedIn) -> dict[str, Any]:
    """What a workload needs on a GPU: part by part, with ranges, assumptions and derivation."""
    facts = catalogue.current(session)
    workload, assumptions = parse_workload(document, facts)
    hardware, more = resolve_hardware(workload, facts)
    return estimate_json(estimate(workload, hardware, (*assumptions, *more)), current_locale())
