"""The demo project: a published case with its answers, a telemetry log, and the published figures beside ours."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from io import BytesIO

from app.db.engine import Database, Session
from app.db.projects import ProjectRow
from app.domain.capacity import Figures, WorkloadEstimate, estimate, figures, resolve_hardware
from app.domain.catalogue.catalogue import Catalogue
from app.domain.estimate import Estimate, Step, by_key
from app.domain.intake import Requirements
from app.domain.intake.draft import BY_KEY, Typed
from app.domain.intake.workloads import training_workload
from app.domain.money import Currency
from app.domain.selection.layouts import NoLayout, best_training_layout
from app.domain.selection.policy import policy_of
from app.domain.units import days, gb
from app.domain.workload import LinkKind, Sharding
from app.seeds.demo import PublishedCase, published_case
from app.services import catalogue as catalogues
from app.services import intake, plans, projects, telemetry
from app.services.accounts import ensure_owner
from app.services.intake import SaveQuestion
from app.services.plans import ChooseCandidate
from app.services.projects import SaveProject
from app.services.telemetry import AcceptUpload
from app.storage import DatabaseStorage

CASE = "retail-13b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A published figure and ours. `step` opens how ours was reached; `remark` is a code where the two do not quite compare."""

    key: str
    unit: str
    published: float
    ours: Estimate | float
    step: Step | None = None
    remark: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedBeside:
    """The case with its figures beside ours, for the configuration that was bought."""

    case: PublishedCase
    gpu: str
    server: str
    figures: tuple[Beside, ...]


def start(session: Session, database: Database, now: datetime) -> None:
    """Adds the demo project: answers, evidence, and the configuration that was bought as the choice."""
    case = published_case(CASE)
    catalogue = catalogues.current(session)
    project_id = projects.start_project(
        session, SaveProject(name=case.name, currency=Currency(case.currency), published_case=case.key), ensure_owner(session).id
    )
    for key, question in BY_KEY.items():
        typed = Typed(texts=case.answers.get(key, {}), unknown=case.unknown & frozenset(question.paths))
        intake.save_question(session, SaveQuestion(project_id=project_id, question=key, typed=typed, row_version=0), catalogue)
    upload = AcceptUpload(project_id=project_id, name=case.telemetry_file, gpu=case.telemetry_gpu)
    telemetry.store_and_profile(session, DatabaseStorage(database), upload, BytesIO(case.telemetry()), now=now)
    plan = plans.of_project(session, project_id, now.date()).plan
    bought = (case.gpu, case.server, case.gpu_count, case.node_count)
    if any((found.gpu.slug, found.server.slug, found.gpu_count, found.node_count) == bought for found in plan.candidates):
        choice = ChooseCandidate(
            project_id=project_id, gpu=case.gpu, server=case.server, gpu_count=case.gpu_count, node_count=case.node_count
        )
        plans.choose(session, choice, now.date())


def beside(session: Session, project: ProjectRow) -> PublishedBeside | None:
    """The published figures of a project that is a published case, beside ours. None: it is not, or its answers say something else by now."""
    if project.published_case is None:
        return None
    case, catalogue = published_case(project.published_case), catalogues.current(session)
    needs = intake.requirements_of(session, project.id, catalogue)
    if needs.training is None:
        return None
    nvlink, estimated = _run(catalogue, case, needs, LinkKind.NVLINK)
    pcie, _ = _run(catalogue, case, needs, LinkKind.PCIE)
    if nvlink is None or pcie is None or estimated is None or estimated.memory is None or estimated.duration is None:
        return None
    steps: Mapping[str, Step] = by_key(estimated.derivation)
    ratio = (pcie.step_time_s or 0.0) / (nvlink.step_time_s or 1.0)
    return PublishedBeside(
        case=case,
        gpu=catalogue.gpu(case.gpu).name,
        server=catalogue.server(case.server).name,
        figures=(
            Beside(
                key="memory",
                unit="bytes",
                published=gb(case.peak_gb),
                ours=estimated.memory.device_bytes,
                step=steps.get("memory.device"),
                remark="batch",
            ),
            Beside(key="collectives", unit="ratio", published=case.collective_ratio, ours=nvlink.collective_ratio or 0.0, remark="batch"),
            Beside(key="pcie", unit="×", published=case.step_time_pcie_s / case.step_time_s, ours=ratio),
            Beside(
                key="run",
                unit="s",
                published=days(case.deadline_days),
                ours=estimated.duration.duration_s,
                step=steps.get("duration"),
                remark="target",
            ),
        ),
    )


def _run(catalogue: Catalogue, case: PublishedCase, needs: Requirements, link: LinkKind) -> tuple[Figures | None, WorkloadEstimate | None]:
    """The best layout over NVLink, and the same layout over another link."""
    asked = training_workload(needs, gpu=case.gpu, gpu_count=case.gpu_count, node_count=case.node_count, sharding=Sharding.NONE)
    hardware, _ = resolve_hardware(asked, catalogue, catalogue.server(case.server))
    found = best_training_layout(asked, hardware, case.gpu_count, policy_of(catalogue).room_ratio)
    if isinstance(found, NoLayout):
        return None, None
    workload = replace(found.workload, link=link)
    hardware, assumed = resolve_hardware(workload, catalogue)
    return figures(workload, hardware), estimate(workload, hardware, assumed)
