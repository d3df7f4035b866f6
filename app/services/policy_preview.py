"""What a change of policy would do, before it is stored: the demo project's plan as it is and as it would be."""

from dataclasses import dataclass
from datetime import date

from app.db import projects
from app.db.engine import Session
from app.db.projects import ProjectRow
from app.domain.catalogue.catalogue import Catalogue
from app.domain.selection import Candidate, Plan, Role
from app.domain.selection.plan import TableAnswer
from app.services import plans


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What was recommended or led for a role ("best", "development" …) and what would be; None: nothing."""

    name: str
    before: Candidate | None
    after: Candidate | None

    @property
    def is_same(self) -> bool:
        """Whether it is the same configuration at the same cost."""
        return _said(self.before) == _said(self.after)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedTable:
    """A row of a decision table that applies, says or agrees otherwise than before; None: it does not apply."""

    key: str
    before: TableAnswer | None
    after: TableAnswer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Both plans of the demo project."""

    project: ProjectRow
    before: Plan
    after: Plan

    @property
    def recommended(self) -> tuple[Moved, ...]:
        """The three recommendations."""
        old, new = self.before.recommended, self.after.recommended
        names = ("best", "cheaper", "safer")
        return tuple(
            Moved(name=name, before=_at(self.before, getattr(old, name)), after=_at(self.after, getattr(new, name))) for name in names
        )

    @property
    def leaders(self) -> tuple[Moved, ...]:
        """Who leads for each role by the weights of policy, where that is somebody else."""
        moved = (Moved(name=role.value, before=_leader(self.before, role), after=_leader(self.after, role)) for role in Role)
        return tuple(each for each in moved if not each.is_same)

    @property
    def tables(self) -> tuple[MovedTable, ...]:
        """Decision tables that would answer otherwise."""
        old, new = ({answer.row.key: answer for answer in plan.tables} for plan in (self.before, self.after))
        keys = dict.fromkeys((*old, *new))
        moved = (MovedTable(key=key, before=old.get(key), after=new.get(key)) for key in keys)
        return tuple(each for each in moved if each.before != each.after)

    @property
    def is_same(self) -> bool:
        """Whether nothing that people see of the recommendation would change."""
        counts = [(len(plan.candidates), sum(entry.count for entry in plan.eliminated)) for plan in (self.before, self.after)]
        return all(each.is_same for each in self.recommended) and not self.leaders and not self.tables and counts[0] == counts[1]


def preview(session: Session, changed: Catalogue, today: date) -> Preview | None:
    """The demo project's plan now and with a changed catalogue. None: there is no demo project, or nothing to plan in it."""
    project = next((row for row in projects.rows(session) if row.published_case is not None), None)
    if project is None:
        return None
    before, after = (plans.of_project(session, project.id, today, catalogue).plan for catalogue in (None, changed))
    return Preview(project=project, before=before, after=after)


def _at(plan: Plan, index: int | None) -> Candidate | None:
    return None if index is None else plan.candidates[index]


def _leader(plan: Plan, role: Role) -> Candidate | None:
    return max(plan.candidates, key=lambda candidate: candidate.scores[role], default=None)


def _said(candidate: Candidate | None) -> tuple[object, ...]:
    return () if candidate is None else (candidate.configuration, candidate.tco.options[0].total, candidate.compromises)
