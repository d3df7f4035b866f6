"""What an answer costs: the plan as it would be with one answer changed, beside the plan as it is. Nothing is stored."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from app.db import costs
from app.db.engine import Session
from app.domain.cost.inputs import of_configuration
from app.domain.errors import Message, NotFound
from app.domain.selection import Candidate, Eliminated, Plan
from app.domain.selection.relaxing import relaxation
from app.domain.selection.repricing import repriced
from app.seeds import default_fx
from app.services import catalogue as catalogues
from app.services import plans, telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """An eliminated kind of option, the change that would admit it, and both plans. `gained` are candidates that were none before."""

    entry: Eliminated
    change: Message
    before: Plan
    after: Plan
    gained: tuple[Candidate, ...]


def what_if(session: Session, project_id: UUID, rule: str, code: str, today: date) -> WhatIf:
    """The plan with the nearest change for one reason. NotFound: the plan has no such reason, or no answer would change it."""
    catalogue = catalogues.current(session)
    before = plans.of_project(session, project_id, today).plan
    entry = next((entry for entry in before.eliminated if (entry.rule, entry.reason.code) == (rule, code)), None)
    relaxed = None if entry is None else relaxation(entry, before.requirements, catalogue)
    if entry is None or relaxed is None:
        raise NotFound("options.no_relaxation")
    overrides = costs.of_project(session, project_id)
    diagnosis, everywhere = telemetry.leading_diagnosis(session, project_id), of_configuration(overrides, None)
    after = repriced(plans.plan(relaxed.needs, catalogue, diagnosis, default_fx(today), everywhere)[1], overrides, catalogue)
    known = {plans.parts(candidate) for candidate in before.candidates}
    gained = tuple(candidate for candidate in after.candidates if plans.parts(candidate) not in known)
    return WhatIf(entry=entry, change=relaxed.change, before=before, after=after, gained=gained)
