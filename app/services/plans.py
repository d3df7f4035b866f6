"""The options of a project: its plan, computed from its answers and evidence, and the candidate it goes on with.

A plan follows from its inputs alone, so it is never stored: it is computed when first looked at and kept in memory while nothing changes."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from threading import Lock
from uuid import UUID

from app.db import choices, costs
from app.db.choices import Choice
from app.db.engine import Session
from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost.inputs import Override, Overrides, of_configuration
from app.domain.diagnosis import Diagnosis
from app.domain.errors import Conflict, InvalidInput, Message, NotFound, message
from app.domain.intake import Requirements
from app.domain.money import FxRate
from app.domain.selection import Candidate, Plan, Role, make_plan
from app.domain.selection.bottleneck import effect_of
from app.domain.selection.candidates import scored
from app.domain.selection.policy import weights_of
from app.domain.selection.repricing import repriced
from app.domain.selection.search import NO_OVERRIDES
from app.seeds import default_fx
from app.services import catalogue as catalogues
from app.services import cost_summary, intake, telemetry

KEPT_COUNT = 32
_kept: OrderedDict[str, Plan] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """A candidate with the inputs that were set for it, how many, and the same from sources alone."""

    candidate: Candidate
    before: Candidate
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectPlan:
    """A project's plan as its answers stand now, the stored choice, and where that choice is among the candidates (None: not any more)."""

    plan: Plan
    inputs_key: str
    choice: Choice | None
    chosen: int | None
    sourced: Plan  # the same without the inputs that were set for single configurations
    overrides: Overrides

    @property
    def priced(self) -> tuple[Priced, ...]:
        """The candidates that cost something else than their sources say, because somebody set inputs for them."""
        before = {candidate.configuration: candidate for candidate in self.sourced.candidates}
        return tuple(
            Priced(candidate=candidate, before=before[candidate.configuration], count=len(self.overrides[candidate.configuration]))
            for candidate in self.plan.candidates
            if candidate.configuration in self.overrides
        )

    @property
    def recommended_before(self) -> Candidate | None:
        """What would be recommended without the inputs set for single configurations, where that is another configuration."""
        before, after = best_of(self.sourced), best_of(self.plan)
        if before is None or (after is not None and before.configuration == after.configuration):
            return None
        return before

    @property
    def is_stale(self) -> bool:
        """Whether answers, evidence or catalogue changed since the choice was made."""
        return self.choice is not None and self.choice.inputs_key != self.inputs_key

    @property
    def is_lost(self) -> bool:
        """Whether what was chosen is no candidate any more."""
        return self.choice is not None and self.chosen is None

    @property
    def seen(self) -> str:
        """What a form made from this page saw as the choice: choosing elsewhere meanwhile makes another one."""
        return "" if self.choice is None else _seen(self.choice.gpu, self.choice.server, self.choice.gpu_count, self.choice.node_count)

    @property
    def candidate(self) -> Candidate | None:
        """The candidate to go on with: the chosen one, else the recommended one."""
        index = self.chosen if self.chosen is not None else self.plan.recommended.best
        return None if index is None else self.plan.candidates[index]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseCandidate:
    """A candidate by its parts, as the page names it; `seen` is the page's."""

    project_id: UUID
    gpu: str
    server: str
    gpu_count: int
    node_count: int
    seen: str = ""


def plan(
    needs: Requirements, catalogue: Catalogue, diagnosis: Diagnosis | None, fx: FxRate, overrides: Mapping[str, Override] = NO_OVERRIDES
) -> tuple[str, Plan]:
    """The plan for these inputs, and the key of its answers, evidence and facts. The same inputs are computed once."""
    key = sha256(repr((needs, catalogue.revision, diagnosis, fx)).encode()).hexdigest()
    own = key + repr(sorted(overrides.items()))
    with _lock:
        if own in _kept:
            _kept.move_to_end(own)
            return key, _kept[own]
    made = make_plan(needs, catalogue, diagnosis, fx, overrides)
    with _lock:
        _kept[own] = made
        while len(_kept) > KEPT_COUNT:
            _kept.popitem(last=False)
    return key, made


def of_project(session: Session, project_id: UUID, today: date, catalogue: Catalogue | None = None) -> ProjectPlan:
    """The plan of a project as its answers stand, by the catalogue as it is or by another one. NotFound, InvalidInput: no such project, or
    answers that no plan can be made of."""
    catalogue = catalogue or catalogues.current(session)
    needs = intake.requirements_of(session, project_id, catalogue)
    overrides = costs.of_project(session, project_id)
    diagnosis = telemetry.leading_diagnosis(session, project_id)
    key, sourced = plan(needs, catalogue, diagnosis, default_fx(today), of_configuration(overrides, None))
    made = repriced(sourced, overrides, catalogue)
    choice = choices.find(session, project_id)
    return ProjectPlan(plan=made, inputs_key=key, choice=choice, chosen=_position(made, choice), sourced=sourced, overrides=overrides)


def best_of(made: Plan) -> Candidate | None:
    """What a plan recommends."""
    return None if made.recommended.best is None else made.candidates[made.recommended.best]


def choice_in_words(session: Session, project_id: UUID) -> Message | None:
    """What was chosen, as it was when it was chosen, in one line."""
    choice = choices.find(session, project_id)
    if choice is None:
        return None
    names = catalogues.names(session)
    gpu, server = names.get(choice.gpu, choice.gpu), names.get(choice.server, choice.server)
    if choice.duration_s is None:
        return message("options.rail", gpu_count=choice.gpu_count, gpu=gpu, server=server)
    return message("options.rail_run", gpu_count=choice.gpu_count, gpu=gpu, server=server, run_s=choice.duration_s)


def choose(session: Session, command: ChooseCandidate, today: date) -> None:
    """Goes on with another candidate. NotFound: the plan has no such candidate; Conflict: somebody chose another one after the page was made."""
    found = of_project(session, command.project_id, today)
    wanted = (command.gpu, command.server, command.gpu_count, command.node_count)
    for candidate in found.plan.candidates:
        if parts(candidate) == wanted:
            if command.seen != found.seen != _seen(*wanted):
                raise Conflict("options.stale")
            keep(session, command.project_id, candidate, found)
            cost_summary.remember(session, command.project_id, candidate)
            return
    raise no_candidate()


def keep(session: Session, project_id: UUID, candidate: Candidate, found: ProjectPlan) -> None:
    """Stores a candidate as what the project goes on with."""
    choices.store(session, project_id, _choice(candidate, found))


def _seen(gpu: str, server: str, gpu_count: int, node_count: int) -> str:
    return f"{gpu} {server} {gpu_count} {node_count}"


def no_candidate() -> NotFound:
    """The plan changed, or never had it."""
    return NotFound("options.no_candidate")


def _position(made: Plan, choice: Choice | None) -> int | None:
    if choice is None:
        return None
    wanted = (choice.gpu, choice.server, choice.gpu_count, choice.node_count)
    return next((index for index, candidate in enumerate(made.candidates) if parts(candidate) == wanted), None)


def parts(candidate: Candidate) -> tuple[str, str, int, int]:
    """What tells a candidate from the others of its plan."""
    return candidate.gpu.slug, candidate.server.slug, candidate.gpu_count, candidate.node_count


def _choice(candidate: Candidate, found: ProjectPlan) -> Choice:
    gpu, server, gpu_count, node_count = parts(candidate)
    run = candidate.duration_s
    return Choice(
        gpu=gpu,
        server=server,
        gpu_count=gpu_count,
        node_count=node_count,
        duration_s=run.typical if run else None,
        inputs_key=found.inputs_key,
        catalogue_revision=found.plan.catalogue_revision,
    )


def weights(session: Session, project_id: UUID) -> dict[Role, dict[str, float]]:
    """What each role weighs on this project: as its people saved, else as policy says."""
    found = {role: dict(parts) for role, parts in weights_of(catalogues.current(session)).items()}
    saved = choices.find_weights(session, project_id)
    return found | {Role(role): dict(parts) for role, parts in saved.items()}


def save_weights(session: Session, project_id: UUID, role: Role, parts: Mapping[str, float] | None) -> None:
    """Lets a role weigh so on this project from now on; None: as policy says again. InvalidInput: nothing weighs anything."""
    if parts is not None and not any(parts.values()):
        raise InvalidInput("cost", "options.weights_zero")
    kept = {name: held for name, held in choices.find_weights(session, project_id).items() if name != role.value}
    choices.store_weights(session, project_id, kept | ({role.value: parts} if parts is not None else {}))


def rescored(made: Plan, weights: Mapping[Role, Mapping[str, float]]) -> Plan:
    """The plan with scores by these weights and the evidence."""
    return replace(made, candidates=scored(made.candidates, weights, effect_of(made.bottleneck)))
