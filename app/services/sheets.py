"""Issuing configuration sheets: a preview as everything stands, an issue that never changes, and its files."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy.exc import IntegrityError

import app.domain
from app.db import choices, projects, sheets
from app.db.engine import Session
from app.db.sheets import IssuedSheet, IssueRow
from app.domain.capacity import CollectiveEstimate, estimate, resolve_hardware
from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost.inputs import Override
from app.domain.errors import Conflict, DomainError, NotFound
from app.domain.money import FxRate
from app.domain.selection import Candidate
from app.domain.sheet import ConfigurationSheet, Revisions, SheetOrder, build_sheet
from app.domain.workload import CollectiveSettings, Task, Workload
from app.export.issue import Issue
from app.export.writers import WRITERS
from app.services import catalogue as catalogues
from app.services import cost_summary, costs, intake
from app.services.costs import ProjectCost
from app.wire.sheet import canonical, fingerprint, read_sheet, with_fixed_words

__all__ = ["IssueRow", "IssuedSheet"]
SHORT = 12  # characters of a hash that tell revisions apart


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueSheet:
    """Who issues the sheet of which project. `number` is the one the page offered: asked for twice, it is issued once. `seen` is what its reader saw."""

    project_id: UUID
    by: str
    number: int | None = None
    seen: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFile:
    """A sheet in one of its formats."""

    name: str
    media_type: str
    content: bytes
    sha256: str


def preview(session: Session, project_id: UUID, *, now: datetime) -> ConfigurationSheet | None:
    """The sheet as it would be issued now; None: no configuration does the work."""
    cost = costs.of_project(session, project_id, now.date())
    number = sheets.newest_number(session, project_id) + 1
    return _sheet(session, project_id, cost, number, by="", now=now)


def issue(session: Session, command: IssueSheet, *, now: datetime) -> int:
    """Issues the next number. NotFound: nothing to put on it; Conflict: somebody else issued it, or it is not what its reader saw any more."""
    newest_number = sheets.newest_number(session, command.project_id)
    if command.number is not None and 1 <= command.number <= newest_number:
        by = sheets.get(session, command.project_id, command.number).issued_by
        if by != command.by:
            raise Conflict("sheet.issued_meanwhile", number=command.number, by=by)
        return command.number
    cost, number = costs.of_project(session, command.project_id, now.date()), newest_number + 1
    sheet = _sheet(session, command.project_id, cost, number, by=command.by, now=now)
    if sheet is None or cost.candidate is None:
        raise NotFound("sheet.no_candidate")
    if command.seen is not None and command.seen != seen(sheet):
        raise Conflict("sheet.changed_meanwhile")
    document = canonical(with_fixed_words(sheet))
    issued = IssuedSheet(
        project_id=command.project_id,
        number=number,
        document=document,
        sha256=fingerprint(document),
        issued_at=now,
        issued_by=command.by,
    )
    try:
        with session.begin_nested():
            sheets.add(session, issued)
            cost_summary.remember(session, command.project_id, cost.candidate)
    except IntegrityError:
        raise Conflict("sheet.stale_number") from None
    return number


def seen(sheet: ConfigurationSheet) -> str:
    """A mark of what a preview says: another one when answers, choice, inputs or facts changed."""
    return sha256(repr(replace(sheet, issued_at="", issued_by="")).encode()).hexdigest()


def issues(session: Session, project_id: UUID) -> tuple[IssueRow, ...]:
    """Every issue, the newest first. NotFound: no such project."""
    projects.get(session, project_id)
    return sheets.issues(session, project_id)


def newest(session: Session, project_id: UUID) -> IssueRow | None:
    """The last issue."""
    return next(iter(sheets.issues(session, project_id)), None)


def get(session: Session, project_id: UUID, number: int) -> Issue:
    """One issue. NotFound: there is none."""
    issued = sheets.get(session, project_id, number)
    return Issue(sheet=read_sheet(issued.document), document=issued.document, sha256=issued.sha256)


def file(session: Session, project_id: UUID, number: int, kind: str, locale: str) -> SheetFile:
    """An issue as a file. NotFound: no such issue, or no such format."""
    writer = WRITERS.get(kind)
    if writer is None:
        raise NotFound("sheet.no_format", field="format", formats=", ".join(WRITERS), asked=kind[:20])
    found = get(session, project_id, number)
    name = f"sheet-{number}.{kind}"
    return SheetFile(name=name, media_type=writer.media_type, content=writer.write(found, locale), sha256=found.sha256)


def _sheet(session: Session, project_id: UUID, cost: ProjectCost, number: int, *, by: str, now: datetime) -> ConfigurationSheet | None:
    if cost.candidate is None or cost.tco is None:
        return None
    catalogue = catalogues.current(session)
    order = SheetOrder(
        project=projects.get(session, project_id).name,
        number=number,
        issued_at=now.isoformat(timespec="seconds"),
        issued_by=by,
        revisions=Revisions(catalogue=catalogue.revision, policy=catalogue.policy_revision, method=method_revision()),
        catalogue=catalogue,
        plan=cost.found.plan,
        candidate=cost.candidate,
        tco=cost.tco,
        collective=_collective(cost.candidate, catalogue),
        inputs=_inputs(session, project_id, cost.overrides, cost.tco.scenario.fx),
        overrides=tuple(row.entry.key for row in cost.inputs if row.is_overridden),
    )
    return build_sheet(order)


def _inputs(session: Session, project_id: UUID, overrides: Mapping[str, Override], fx: FxRate) -> dict[str, Any]:
    """Everything that people answered and chose: with the revisions it makes the sheet again."""
    typed = intake.load(session, project_id).typed
    choice = choices.find(session, project_id)
    return {
        "answers": dict(typed.texts),
        "unknown": sorted(typed.unknown),
        "choice": None
        if choice is None
        else {"gpu": choice.gpu, "server": choice.server, "gpu_count": choice.gpu_count, "node_count": choice.node_count},
        "overrides": {
            key: {"value": f"{override.value.normalize():f}", "currency": override.currency.value if override.currency else None}
            for key, override in overrides.items()
        },
        "fx": {f"{fx.base.value}/{fx.quote.value}": f"{fx.rate:f}", "on": fx.on.isoformat(), "source": fx.source},
    }


def _collective(candidate: Candidate, catalogue: Catalogue) -> CollectiveEstimate | None:
    """What nccl-tests should print on this configuration; None where the link is not known well enough."""
    if candidate.gpu_count < 2:
        return None
    workload = Workload(
        model=None,
        task=Task.COLLECTIVE,
        collective=CollectiveSettings(),
        gpu=candidate.gpu.slug,
        gpu_count=candidate.gpu_count,
        node_count=candidate.node_count,
        link=candidate.workload.link,
    )
    try:
        hardware, _ = resolve_hardware(workload, catalogue, candidate.server)
        return estimate(workload, hardware).collective
    except DomainError:
        return None


@cache
def method_revision() -> str:
    """The product's version and the hash of the formulas' source: equal ones compute the same."""
    folder = Path(str(app.domain.__file__)).parent
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    try:
        number = version("gpuplan")
    except PackageNotFoundError:
        number = "source"
    return f"{number}+{digest.hexdigest()[:SHORT]}"
