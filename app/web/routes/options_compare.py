"""Two to five candidates side by side, and the plan with one answer changed. Both stand in the address, so that they can be passed on."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.db.engine import Session
from app.domain.catalogue.compare import LEAST_COUNT, MOST_COUNT
from app.domain.errors import InvalidInput, Message, message
from app.domain.money import Money
from app.domain.selection import Plan
from app.services import plans
from app.services import rail as rails
from app.services.plans import ProjectPlan
from app.services.rail import ProjectRail
from app.services.whatif import WhatIf, what_if
from app.web.access import CanRead
from app.web.database import Now, Read
from app.web.locale import current_locale
from app.web.shown_options import Row, rows_of
from app.web.templating import page
from app.wire.plan import candidates_json

router = APIRouter()
ASKED = "candidate"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareView:
    """`problem`: fewer or more than can be compared, or one that is not there; what is there is shown. `lines`: cost line → amount a candidate."""

    rail: ProjectRail
    plan: Plan
    rows: tuple[Row, ...]
    lines: tuple[tuple[str, tuple[Money | None, ...]], ...]
    seen: str
    problem: Message | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfView:
    """The plan as it is and as it would be."""

    rail: ProjectRail
    found: WhatIf


@router.get("/projects/{project_id}/compare", name="options.compare")
def compare(request: Request, project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """The figures of the ticked candidates, one line a figure."""
    found, rows, problem = _asked(request, session, project_id, now)
    view = CompareView(
        rail=rails.rail(session, project_id), plan=found.plan, rows=rows, lines=_lines(rows), seen=found.seen, problem=problem
    )
    return page(request, "options/compare.html", view, status_code=422 if problem else 200)


@router.get("/projects/{project_id}/compare.json", name="options.compare_json")
def compare_json(request: Request, project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """The same as data."""
    _, rows, problem = _asked(request, session, project_id, now)
    if problem:
        raise InvalidInput(ASKED, problem.code, **problem.params)
    return JSONResponse(candidates_json([row.candidate for row in rows], current_locale()))


@router.get("/projects/{project_id}/what-if", name="options.what_if")
def what(request: Request, project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """What would come of the nearest change that admits an eliminated kind of option."""
    query = request.query_params
    found = what_if(session, project_id, query.get("rule", ""), query.get("reason", ""), now.date())
    return page(request, "options/what_if.html", WhatIfView(rail=rails.rail(session, project_id), found=found))


def _asked(request: Request, session: Session, project_id: UUID, now: datetime) -> tuple[ProjectPlan, tuple[Row, ...], Message | None]:
    found = plans.of_project(session, project_id, now.date())
    by_key = {row.key: row for row in rows_of(found.plan, found.chosen, None)}
    keys = list(dict.fromkeys(request.query_params.getlist(ASKED)))
    problem = None
    if unknown := next((key for key in keys if key not in by_key), None):
        problem = message("options.unknown_candidate", key=unknown[:80])
    elif not LEAST_COUNT <= len(keys) <= MOST_COUNT:
        problem = message("compare.count", low=LEAST_COUNT, high=MOST_COUNT, chosen=len(keys))
    return found, tuple(by_key[key] for key in keys if key in by_key)[:MOST_COUNT], problem


def _lines(rows: tuple[Row, ...]) -> tuple[tuple[str, tuple[Money | None, ...]], ...]:
    """Every line of cost that one of them has."""
    costs = [{line.derivation[-1].key: line.total for line in row.candidate.tco.options[0].lines if line.derivation} for row in rows]
    keys = dict.fromkeys(key for cost in costs for key in cost)
    return tuple((key, tuple(cost.get(key) for cost in costs)) for key in keys)
