"""The Options step: the plan's candidates, what was eliminated, and which candidate the project goes on with."""

from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, Response

from app.db.engine import Session
from app.domain.catalogue.policy import MERITS
from app.domain.errors import Conflict, InvalidInput, Message
from app.domain.estimate import Derivation
from app.domain.selection import Plan, Role
from app.services import intake, plans
from app.services import rail as rails
from app.services.plans import ChooseCandidate, ProjectPlan
from app.services.rail import ProjectRail
from app.web import htmx
from app.web.access import CanDescribe, CanRead
from app.web.binding import Form
from app.web.database import Now, Read, Write
from app.web.filtering import answered, known
from app.web.locale import current_locale
from app.web.shown_estimate import ShownEstimate
from app.web.shown_news import ShownNews, news_of
from app.web.shown_options import Row, ShownOptions, rows_of, shown_options, weights_form
from app.web.templating import page
from app.wire.plan import plan_json

router = APIRouter()
FRAGMENTS = {"candidates": ("candidates",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsView:
    """`found` is missing while there are no usable answers; `problem` says why."""

    rail: ProjectRail
    found: ProjectPlan | None
    problem: Message | None
    shown: ShownOptions | None
    roles: tuple[Role, ...]
    merits: tuple[str, ...]
    news: ShownNews | None
    wanted: Row | None = None  # what this reader chose while somebody else chose another one


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateView:
    """One candidate in full."""

    rail: ProjectRail
    row: Row
    plan: Plan
    seen: str
    shown: ShownEstimate
    cost_steps: Derivation


@router.get("/projects/{project_id}/options", name="options.show")
def show(request: Request, project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """Candidates by total cost, or by their score for a role; those that pass the filters of the address."""
    found, problem = None, None
    try:
        if intake.load(session, project_id).answered:
            found = plans.of_project(session, project_id, now.date())
    except InvalidInput as error:
        problem = error.message
    view = _view(request, session, project_id, found, problem)
    answer = {} if view.shown is None else answered(view.shown.filters) or answered(view.shown.weighed)
    return page(request, "options/show.html", view, fragments=FRAGMENTS, **answer)


@router.post("/projects/{project_id}/options", name="options.choose")
def choose(request: Request, project_id: UUID, caller: CanDescribe, form: Form, session: Write, now: Now) -> Response:
    """Goes on with a candidate. Where somebody chose another one meanwhile, the page shows both and asks again."""
    command = _command(project_id, form)
    try:
        plans.choose(session, command, now.date())
    except Conflict:
        view = _view(request, session, project_id, plans.of_project(session, project_id, now.date()), None, command)
        return page(request, "options/show.html", view, status_code=409)
    return htmx.see_other(request, str(request.app.url_path_for("options.show", project_id=project_id)))


@router.post("/projects/{project_id}/weights", name="options.weigh")
def weigh(request: Request, project_id: UUID, caller: CanDescribe, form: Form, session: Write) -> Response:
    """Lets a role weigh so on this project from now on, or as policy says again. Wrong weights are shown back by the page."""
    asked = known("role", _text(form, "role"), [role.value for role in Role])
    if not asked:
        raise InvalidInput("role", "form.unknown_value", typed="")
    here = str(request.app.url_path_for("options.show", project_id=project_id))
    weights = weights_form(form)
    if "reset" in form:
        plans.save_weights(session, project_id, Role(asked), None)
    elif weights.value is None:
        typed = {name: weights.raw.get(name, "") for name in MERITS}
        return htmx.see_other(request, f"{here}?{urlencode({'role': asked, **typed})}")
    else:
        plans.save_weights(session, project_id, Role(asked), weights.value.weights())
    return htmx.see_other(request, f"{here}?{urlencode({'role': asked})}")


@router.get("/projects/{project_id}/options.json", name="options.json")
def as_json(project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """The plan as the API answers it, with the project's own costs and weights."""
    made = plans.of_project(session, project_id, now.date()).plan
    return JSONResponse(plan_json(plans.rescored(made, plans.weights(session, project_id)), current_locale()))


@router.get("/projects/{project_id}/options/{index}", name="options.candidate")
def candidate(request: Request, project_id: UUID, index: int, session: Read, caller: CanRead, now: Now) -> Response:
    """One candidate with every number's derivation."""
    found = plans.of_project(session, project_id, now.date())
    row = next((row for row in rows_of(found.plan, found.chosen, None) if row.index == index), None)
    if row is None:
        raise plans.no_candidate()
    needs = found.plan.requirements
    view = CandidateView(
        rail=rails.rail(session, project_id),
        row=row,
        plan=found.plan,
        seen=found.seen,
        shown=ShownEstimate(
            estimate=row.candidate.estimate, deadline_s=needs.training.deadline_s if needs.training else None, serving=needs.inference
        ),
        cost_steps=tuple(step for line in row.candidate.tco.options[0].lines for step in line.derivation),
    )
    return page(request, "options/candidate.html", view)


def _view(
    request: Request,
    session: Session,
    project_id: UUID,
    found: ProjectPlan | None,
    problem: Message | None,
    refused: ChooseCandidate | None = None,
) -> OptionsView:
    shown = shown_options(request, session, project_id, found) if found else None
    rows = rows_of(found.plan, found.chosen, None) if found else ()
    return OptionsView(
        rail=rails.rail(session, project_id),
        found=found,
        problem=problem,
        shown=shown,
        roles=tuple(Role),
        merits=MERITS,
        news=news_of(session, found),
        wanted=next((row for row in rows if refused and plans.parts(row.candidate) == _parts(refused)), None),
    )


def _parts(asked: ChooseCandidate) -> tuple[str, str, int, int]:
    return asked.gpu, asked.server, asked.gpu_count, asked.node_count


def _command(project_id: UUID, form: FormData) -> ChooseCandidate:
    counts = {}
    for name in ("gpu_count", "node_count"):
        text = _text(form, name)
        if not text.isdecimal() or len(text) > len("100000"):
            raise InvalidInput(name, "options.not_a_count", typed=text[:80])
        counts[name] = int(text)
    return ChooseCandidate(project_id=project_id, gpu=_text(form, "gpu"), server=_text(form, "server"), seen=_text(form, "seen"), **counts)


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""
