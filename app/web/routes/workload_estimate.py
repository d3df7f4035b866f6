"""What the engine says about the project's workload on a GPU of choice."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.db.engine import Session
from app.domain.capacity import WorkloadEstimate
from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import DomainError, InvalidInput, Message
from app.domain.intake import Requirements
from app.domain.intake.summary import summary
from app.domain.workload.settings import Task
from app.services import catalogue as catalogues
from app.services import intake
from app.services import rail as rails
from app.services.estimates import estimate_of
from app.services.rail import ProjectRail
from app.web.access import CanRead
from app.web.database import Read
from app.web.forms.estimate import ReadChoice, read_choice
from app.web.forms.intake import AssumptionView, assumption_view, label_of
from app.web.forms.intake_steps import QuestionStep, question_steps
from app.web.locale import current_locale
from app.web.shown_estimate import ShownEstimate
from app.web.templating import page
from app.wire.estimate import estimate_json

router = APIRouter()
UNRELATED = ("software.", "operations.", "years", "currency", "training.runs_per_year", "training.deadline_days")
FRAGMENTS = {"estimate": ("estimate",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateView:
    """The estimate, or why there is none (`refusal`)."""

    rail: ProjectRail
    steps: tuple[QuestionStep, ...]
    said: Message | None
    gpus: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    tasks: tuple[str, ...]
    asked: ReadChoice | None
    shown: ShownEstimate | None
    refusal: Message | None
    refused_field: str
    assumptions: tuple[tuple[str, AssumptionView], ...]
    query: str


@router.get("/projects/{project_id}/workload/estimate", name="workload.estimate")
def estimate(request: Request, project_id: UUID, session: Read, caller: CanRead) -> Response:
    """The page."""
    view = _view(request, session, project_id)
    return page(request, "workload/estimate.html", view, fragments=FRAGMENTS, status_code=422 if view.asked and view.asked.errors else 200)


@router.get("/projects/{project_id}/workload/estimate.json", name="workload.estimate_json")
def estimate_document(request: Request, project_id: UUID, session: Read, caller: CanRead) -> Response:
    """The same as the contract's Estimate. InvalidInput: the layout contradicts itself."""
    catalogue = catalogues.current(session)
    needs = intake.requirements_of(session, project_id, catalogue)
    asked = read_choice(request.query_params, needs, catalogue)
    for field, said in asked.errors.items():
        raise InvalidInput(field, said.code, **said.params)
    return JSONResponse(_document(estimate_of(needs, asked.choice, catalogue)))


def _document(made: WorkloadEstimate) -> dict[str, Any]:
    return estimate_json(made, current_locale())


def _view(request: Request, session: Session, project_id: UUID) -> EstimateView:
    catalogue, draft = catalogues.current(session), intake.load(session, project_id)
    needs: Requirements | None = None
    asked: ReadChoice | None = None
    made: WorkloadEstimate | None = None
    refused: DomainError | None = None
    try:
        needs = intake.needs(draft.typed, draft.project, catalogue)
        asked = read_choice(request.query_params, needs, catalogue)
        made = estimate_of(needs, asked.choice, catalogue)
    except DomainError as error:
        refused = error
    deadline_s = needs.training.deadline_s if needs and needs.training else None
    return EstimateView(
        rail=rails.rail(session, project_id),
        steps=question_steps(draft.answered),
        said=summary(needs) if needs else None,
        gpus=_gpus(catalogue),
        tasks=_tasks(needs),
        asked=asked,
        shown=ShownEstimate(estimate=made, deadline_s=deadline_s, serving=needs.inference if needs else None) if made else None,
        refusal=refused.message if refused else None,
        refused_field=label_of(refused.field) if refused and refused.field else "",
        assumptions=_assumptions(made, needs),
        query=urlencode(asked.raw) if asked else "",
    )


def _assumptions(made: WorkloadEstimate | None, needs: Requirements | None) -> tuple[tuple[str, AssumptionView], ...]:
    """What these numbers rest on; what they do not depend on is on the check page only."""
    listed = made.assumptions if made else needs.assumptions if needs else ()
    other_task = "inference." if made and made.workload.task is Task.TRAIN else "training."
    return tuple(
        (label_of(assumption.field), assumption_view(assumption))
        for assumption in listed
        if assumption.value is not None and not assumption.field.startswith((*UNRELATED, other_task))
    )


def _gpus(catalogue: Catalogue) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """All GPUs by vendor, for the selection."""
    vendors = sorted({gpu.vendor for gpu in catalogue.gpus}, key=lambda vendor: (vendor != "NVIDIA", vendor))
    return tuple(
        (vendor, tuple(sorted(((gpu.slug, gpu.name) for gpu in catalogue.gpus if gpu.vendor == vendor), key=lambda pair: pair[1])))
        for vendor in vendors
    )


def _tasks(needs: Requirements | None) -> tuple[str, ...]:
    if needs is None:
        return ()
    return tuple(task for task, asked in (("train", needs.training), ("infer", needs.inference)) if asked)
