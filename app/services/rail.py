"""The five steps of a project as its rail and the project list show them: a state and the answer in one line.

A step's function reads what its own service stored and says it: give it a body that calls your service, nothing else changes.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from app.db.engine import Session
from app.domain.errors import Message, message
from app.services import cost_summary, intake, plans, projects, sheets, telemetry
from app.services.access import Caller
from app.services.projects import ProjectRow


class StepState(StrEnum):
    """How far a step is. `WAITING`: an earlier step must be answered first."""

    WAITING = "waiting"
    OPEN = "open"
    STARTED = "started"
    DONE = "done"
    ATTENTION = "attention"


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """A step's state, its answer in one line, and a remark ("2 assumed", "3 uploads")."""

    state: StepState = StepState.OPEN
    answer: Message | None = None
    remark: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RailStep:
    """One entry of the rail; `key` is also the last part of the step's address."""

    number: int
    key: str
    answer: StepAnswer = field(default_factory=StepAnswer)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRail:
    """A project and where it stands. A page whose view has a field `rail` gets the project frame around it."""

    project: ProjectRow
    steps: tuple[RailStep, ...]


def workload(session: Session, project_id: UUID) -> StepAnswer:
    """What is to be computed."""
    progress = intake.progress(session, project_id)
    state = {"open": StepState.OPEN, "started": StepState.STARTED, "done": StepState.DONE, "broken": StepState.ATTENTION}[progress.state]
    return StepAnswer(state, progress.said, progress.remark)


def evidence(session: Session, project_id: UUID) -> StepAnswer:
    """What was measured, and the verdict."""
    said = telemetry.said(session, project_id)
    if said is None:
        return StepAnswer(StepState.OPEN)
    return StepAnswer(StepState.DONE if said.has_verdict else StepState.STARTED, said.answer, said.remark)


def options(session: Session, project_id: UUID) -> StepAnswer:
    """The configuration the project goes on with."""
    chosen = plans.choice_in_words(session, project_id)
    return StepAnswer(StepState.OPEN if chosen is None else StepState.DONE, chosen)


def cost(session: Session, project_id: UUID) -> StepAnswer:
    """What it costs, and whether to buy or to rent."""
    said = cost_summary.said(session, project_id)
    return StepAnswer(StepState.OPEN) if said is None else StepAnswer(StepState.DONE, *said)


def sheet(session: Session, project_id: UUID) -> StepAnswer:
    """The newest issued sheet."""
    newest = sheets.newest(session, project_id)
    if newest is None:
        return StepAnswer(StepState.OPEN)
    return StepAnswer(StepState.DONE, message("sheet.rail", number=newest.number, on=newest.issued_at.date().isoformat()))


STEPS = (workload, evidence, options, cost, sheet)


def rail(session: Session, project_id: UUID) -> ProjectRail:
    """Where a project stands. NotFound: there is no such project."""
    return _rail(session, projects.get_project(session, project_id))


def rails(session: Session, caller: Caller) -> tuple[ProjectRail, ...]:
    """The caller's projects, the one changed last first."""
    return tuple(_rail(session, row) for row in projects.list_projects(session, caller))


def _rail(session: Session, project: ProjectRow) -> ProjectRail:
    steps = (RailStep(number=number, key=step.__name__, answer=step(session, project.id)) for number, step in enumerate(STEPS, 1))
    return ProjectRail(project=project, steps=tuple(steps))
