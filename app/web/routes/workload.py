"""The Workload step: five question pages over one stored draft, and “check your answers”."""

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import pairwise
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from app.db.engine import Session
from app.domain.errors import Conflict, Message, message
from app.domain.intake.draft import BY_KEY, KEYS, MODEL_CONFIG, Typed
from app.services import catalogue as catalogues
from app.services import intake
from app.services import rail as rails
from app.services.intake import AnswersRejected, Draft, SaveQuestion
from app.services.panel import Panel, typed_panel
from app.services.rail import ProjectRail
from app.web import htmx
from app.web.access import CanDescribe, CanRead
from app.web.binding import Form
from app.web.database import Now, Read, Write
from app.web.forms.intake import FieldView, field_views, read_config, read_form, read_query, seen, taken_over, version
from app.web.forms.intake_check import CheckView, check_view
from app.web.forms.intake_steps import QuestionStep, question_steps
from app.web.templating import page

router = APIRouter()
FRAGMENTS = {"question": ("question",), "live-panel": ("panel",)}
FROM_CHECK = "check"


class QuestionKey(StrEnum):
    """The addresses of the five pages."""

    DATA = "data"
    MODEL = "model"
    TRAINING = "training"
    SOFTWARE = "software"
    OPERATIONS = "operations"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """One page. `back_to` is "check" when the page was opened to change one answer; `config` a config.json that came with a form not stored yet."""

    rail: ProjectRail
    key: str
    name: Message
    title: Message
    lead: Message
    number: int
    steps: tuple[QuestionStep, ...]
    fields: tuple[FieldView, ...]
    more: tuple[FieldView, ...]
    panel: Panel
    row_version: int
    seen: str
    back_to: str
    notice: Message | None = None
    config: str = ""
    config_error: Message | None = None

    @property
    def errors(self) -> tuple[FieldView, ...]:
        """The fields that cannot stand, for the summary."""
        return tuple(field for field in self.fields + self.more if field.error)

    @property
    def opens_more(self) -> bool:
        """Whether something behind “more” wants to be seen."""
        return any(field.text or field.is_unknown or field.error for field in self.more)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadCheckView:
    """Every answer, what is assumed, and how much it matters."""

    rail: ProjectRail
    check: CheckView


@router.get("/projects/{project_id}/workload", name="workload.start")
def start(request: Request, project_id: UUID, session: Read, caller: CanRead) -> Response:
    """The first question nobody answered; when all are, the check page."""
    draft = intake.load(session, project_id)
    name, params = ("workload.question", {"key": draft.next_open}) if draft.next_open else ("workload.check", {})
    return RedirectResponse(str(request.app.url_path_for(name, project_id=project_id, **params)), status_code=303)


@router.get("/projects/{project_id}/workload/check", name="workload.check")
def check(request: Request, project_id: UUID, session: Read, caller: CanRead) -> Response:
    """Check your answers."""
    catalogue = catalogues.current(session)
    view = WorkloadCheckView(rail=rails.rail(session, project_id), check=check_view(intake.load(session, project_id), catalogue))
    return page(request, "workload/check.html", view)


@router.get("/projects/{project_id}/workload.json", name="workload.json")
def document(request: Request, project_id: UUID, session: Read, caller: CanRead) -> Response:
    """The answers as the contract's intake document; null is “don't know”."""
    return JSONResponse(intake.document(intake.load(session, project_id), catalogues.current(session)))


@router.get("/projects/{project_id}/workload/{key}", name="workload.question")
def question(request: Request, project_id: UUID, key: QuestionKey, session: Read, caller: CanRead, now: Now) -> Response:
    """One question as last saved; with answers in the address, as somebody types them: nothing is stored, the panel says what they would do."""
    draft = intake.load(session, project_id)
    back_to = FROM_CHECK if request.query_params.get("from") == FROM_CHECK else ""
    typed = read_query(key.value, request.query_params, draft.question(key.value).typed)
    if htmx.blocks(request, FRAGMENTS) == FRAGMENTS["live-panel"]:
        view = _view(session, draft, key.value, typed, back_to, now.date(), rail=ProjectRail(project=draft.project, steps=()))
    else:
        view = _view(session, draft, key.value, typed, back_to, now.date())
    return page(request, "workload/question.html", view, fragments=FRAGMENTS)


@router.post("/projects/{project_id}/workload/{key}", name="workload.save")
def save(request: Request, project_id: UUID, key: QuestionKey, caller: CanDescribe, form: Form, session: Write, now: Now) -> Response:
    """Saves one question and goes on. What cannot stand comes back with everything typed."""
    typed = read_form(key.value, form)
    back_to = FROM_CHECK if form.get("from") == FROM_CHECK else ""
    config = read_config(form) if key is not QuestionKey.MODEL else ""
    command = SaveQuestion(project_id=project_id, question=key.value, typed=typed, row_version=version(form), config=config)
    try:
        intake.save_question(session, command, catalogues.current(session))
        return htmx.see_other(request, _next(request, project_id, key.value, back_to))
    except AnswersRejected as error:
        view, status = _view(session, intake.load(session, project_id), key.value, typed, back_to, now.date(), refused=error), 422
        # what was saved meanwhile is still to be told
        view = replace(
            view, row_version=version(form), seen=str(form.get("seen", "")), config_error=error.errors.get(MODEL_CONFIG) if config else None
        )
    except Conflict as error:
        # htmx swaps nothing on a 409; the page without JavaScript says what it is
        status = 422 if htmx.wants_fragment(request) else 409
        draft = intake.load(session, project_id)
        merged, taken = taken_over(key.value, form, typed, draft.question(key.value).typed)
        view = _view(session, draft, key.value, merged, back_to, now.date(), notice=error.message, taken=taken)
    return page(request, "workload/question.html", replace(view, config=config), fragments=FRAGMENTS, status_code=status)


def _next(request: Request, project_id: UUID, key: str, back_to: str) -> str:
    following = dict(pairwise(KEYS)).get(key)
    if back_to or following is None:
        return str(request.app.url_path_for("workload.check", project_id=project_id))
    return str(request.app.url_path_for("workload.question", project_id=project_id, key=following))


def _view(
    session: Session,
    draft: Draft,
    key: str,
    typed: Typed,
    back_to: str,
    today: date,
    *,
    refused: AnswersRejected | None = None,
    notice: Message | None = None,
    taken: frozenset[str] = frozenset(),
    rail: ProjectRail | None = None,
) -> QuestionView:
    """A page with what stands in its fields; `notice` says that somebody else saved it, then theirs stands beside. With a `rail` it is for the panel
    alone, which is wanted at every pause in typing: fields and steps are left out."""
    catalogue, saved = catalogues.current(session), draft.question(key)
    fields = (
        ()
        if rail
        else field_views(
            key,
            typed,
            catalogue,
            intake.assumed_if_unknown(draft, key, catalogue),
            currency=draft.project.currency,
            is_saved=saved.row_version > 0,
            errors=refused.errors if refused else None,
            theirs=saved.typed if notice else None,
            taken=taken,
        )
    )
    visible = len(BY_KEY[key].fields)
    return QuestionView(
        rail=rail or rails.rail(session, draft.project.id),
        key=key,
        name=message(f"intake.question.{key}"),
        title=message(f"intake.title.{key}"),
        lead=message(f"intake.lead.{key}"),
        number=KEYS.index(key) + 1,
        steps=question_steps(draft.answered),
        fields=fields[:visible],
        more=fields[visible:],
        panel=typed_panel(draft, key, typed, catalogue, today),
        row_version=saved.row_version,
        seen=seen(key, saved.typed),
        back_to=back_to,
        notice=notice,
    )
