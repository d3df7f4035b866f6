"""The Options step: the plan's candidates, what was eliminated, and which candidate the project goes on with."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, Response

from app.db.engine import Session
from app.domain.errors import Conflict, InvalidInput, Message
from app.domain.estimate import Derivation
from app.domain.money import Money
from app.domain.selection import Candidate, Plan, Role
from app.domain.selection.policy import weights_of
from app.services import catalogue as catalogues
from app.services import intake, plans
from app.services import rail as rails
from app.services.plans import ChooseCandidate, ProjectPlan
from app.services.rail import ProjectRail
from app.web import htmx
from app.web.access import CanDescribe, CanRead
from app.web.binding import Form
from app.web.database import Now, Read, Write
from app.web.locale import current_locale
from app.web.shown_estimate import ShownEstimate
from app.web.shown_news import ShownNews, news_of
from app.web.templating import page
from app.wire.plan import plan_json

router = APIRouter()
FRAGMENTS = {"candidates": ("candidates",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A candidate with its place in the plan and what it is recommended as ("best", "cheaper", "safer"), if anything."""

    index: int
    candidate: Candidate
    recommended: str | None
    is_chosen: bool

    @property
    def owning_low(self) -> Money:
        """10th percentile of the cost of owning."""
        return _amount(self.candidate, self.candidate.tco.options[0].range.p10)

    @property
    def owning_high(self) -> Money:
        """90th percentile of the cost of owning."""
        return _amount(self.candidate, self.candidate.tco.options[0].range.p90)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsView:
    """`found` is missing while there are no usable answers; `problem` says why."""

    rail: ProjectRail
    found: ProjectPlan | None
    problem: Message | None
    rows: tuple[Row, ...]
    role: Role | None
    roles: tuple[Role, ...]
    weights: Mapping[Role, Mapping[str, float]]
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
    """Candidates by total cost, or by their score for a role."""
    found, problem = None, None
    try:
        if intake.load(session, project_id).answered:
            found = plans.of_project(session, project_id, now.date())
    except InvalidInput as error:
        problem = error.message
    return page(request, "options/show.html", _view(request, session, project_id, found, problem), fragments=FRAGMENTS)


@router.post("/projects/{project_id}/options", name="options.choose")
def choose(request: Request, project_id: UUID, form: Form, session: Write, caller: CanDescribe, now: Now) -> Response:
    """Goes on with a candidate. Where somebody chose another one meanwhile, the page shows both and asks again."""
    command = _command(project_id, form)
    try:
        plans.choose(session, command, now.date())
    except Conflict:
        view = _view(request, session, project_id, plans.of_project(session, project_id, now.date()), None, command)
        return page(request, "options/show.html", view, status_code=409)
    return htmx.see_other(request, str(request.app.url_path_for("options.show", project_id=project_id)))


@router.get("/projects/{project_id}/options.json", name="options.json")
def as_json(project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """The plan as the API answers it."""
    return JSONResponse(plan_json(plans.of_project(session, project_id, now.date()).plan, current_locale()))


@router.get("/projects/{project_id}/options/{index}", name="options.candidate")
def candidate(request: Request, project_id: UUID, index: int, session: Read, caller: CanRead, now: Now) -> Response:
    """One candidate with every number's derivation."""
    found = plans.of_project(session, project_id, now.date())
    row = next((row for row in _rows(found, None) if row.index == index), None)
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
    asked = request.query_params.get("role", "")
    role = Role(asked) if asked in set(Role) else None
    rows = _rows(found, role) if found else ()
    return OptionsView(
        rail=rails.rail(session, project_id),
        found=found,
        problem=problem,
        rows=rows,
        role=role,
        roles=tuple(Role),
        weights=weights_of(catalogues.current(session)),
        news=news_of(session, found),
        wanted=next((row for row in rows if refused and _is(row.candidate, refused)), None),
    )


def _is(candidate: Candidate, asked: ChooseCandidate) -> bool:
    parts = (candidate.gpu.slug, candidate.server.slug, candidate.gpu_count, candidate.node_count)
    return parts == (asked.gpu, asked.server, asked.gpu_count, asked.node_count)


def _rows(found: ProjectPlan, role: Role | None) -> tuple[Row, ...]:
    recommended = found.plan.recommended
    names = {recommended.safer: "safer", recommended.cheaper: "cheaper", recommended.best: "best"}
    rows = [
        Row(index=index, candidate=candidate, recommended=names.get(index), is_chosen=index == found.chosen)
        for index, candidate in enumerate(found.plan.candidates)
    ]
    if role is not None:
        rows.sort(key=lambda row: -row.candidate.scores[role])
    return tuple(rows)


def _amount(candidate: Candidate, amount: float) -> Money:
    return Money(Decimal(repr(amount)), candidate.tco.scenario.currency).rounded()


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
