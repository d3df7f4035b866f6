"""What the Evidence pages show, made ready: templates only set it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from app.charts.labels import metric_name
from app.charts.telemetry import Line, heat_map, points, time_series
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu
from app.domain.diagnosis import Diagnosis
from app.domain.diagnosis.policy import POLICY
from app.domain.errors import Message, message
from app.domain.telemetry import Distribution, DroppedValue, GpuProfile, Phase, Profile, Series, metrics
from app.domain.telemetry.pcie import known_link_rate
from app.domain.units import as_mb, as_mib, as_percent
from app.services import agents
from app.services.jobs import JobRow
from app.services.rail import ProjectRail
from app.services.telemetry import ProfiledUpload, UploadRow
from app.services.tokens import NewToken
from app.web.binding import BoundForm
from app.web.forms.evidence import UploadForm

TABLE_ROWS = 24
LISTED_LINES = 100
VERDICT_STATUS = {
    "compute-bound": "good",
    "healthy": "good",
    "memory-bandwidth-bound": "info",
    "memory-capacity": "warning",
    "pcie-bound": "warning",
    "input-starved": "warning",
    "communication-bound": "warning",
    "throttled": "bad",
    "imbalanced": "warning",
    "busy-waiting": "warning",
    "low-mfu": "warning",
    "idle": "neutral",
    "inconclusive": "neutral",
}
OVERVIEW = (
    metrics.SM,
    metrics.MEMORY_BUSY,
    metrics.POWER,
    metrics.GPU_TEMPERATURE,
    metrics.FRAME_BUFFER,
    metrics.PCIE_RX,
    metrics.PCIE_TX,
    metrics.SM_CLOCK,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadLine:
    """An upload in the list, with its job while that matters."""

    upload: UploadRow
    job: JobRow | None
    status: str
    verdict: Message | None
    confidence: Message | None
    leads: bool
    is_live: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceView:
    """The Evidence step. `made` is a token that was just made for the command and is shown this once; `removed` can be brought back."""

    rail: ProjectRail
    uploads: tuple[UploadLine, ...]
    form: BoundForm[UploadForm]
    boards: tuple[tuple[str, str], ...]
    command: str
    agent_command: str
    made: NewToken | None
    removed: UploadRow | None
    poll_delay_s: int  # when the list asks for itself again; 0: nothing is being read
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """A verdict as it is shown."""

    diagnosis: Diagnosis
    status: str
    name: Message
    confidence: Message
    command_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Numbers as a table."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuLine:
    """A GPU of the overview: a distribution for each of its columns, None where the log has none."""

    index: int
    cells: tuple[Distribution | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseLine:
    """A phase in words."""

    name: Message
    phase: Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceProfileView:
    """A profile, or the state of the job that makes it."""

    rail: ProjectRail
    upload: UploadRow
    job: JobRow | None
    found: ProfiledUpload | None
    verdicts: tuple[VerdictView, ...]
    overview: tuple[tuple[str, ...], tuple[GpuLine, ...]]
    every: tuple[tuple[int, str, Distribution], ...]
    phases: tuple[PhaseLine, ...]
    heat: dict[str, Any] | None
    heat_table: Grid | None
    series: dict[str, Any] | None
    series_table: Grid | None
    dropped: tuple[tuple[str, DroppedValue], ...]
    unreported: tuple[str, ...]
    boards: tuple[tuple[str, str], ...]
    listed_lines: int
    poll_delay_s: int
    now: datetime
    board: str | None  # what the field shows: as stored, or what was chosen while somebody else chose another
    notice: Message | None = None


def upload_line(upload: UploadRow, jobs: Mapping[UUID, JobRow], leading: UUID | None, now: datetime) -> UploadLine:
    """An upload of the list. A job that is done is not shown; `leading` is the upload whose verdict stands for the project."""
    job = jobs.get(upload.job_id) if upload.job_id else None
    return UploadLine(
        upload=upload,
        job=None if job is None or job.state == "succeeded" else job,
        status=VERDICT_STATUS.get(upload.verdict or "", "neutral"),
        verdict=None if upload.verdict is None else message(f"verdict.{upload.verdict}"),
        confidence=None if upload.confidence is None else message(f"confidence.{upload.confidence.word}"),
        leads=upload.id == leading,
        is_live=agents.is_live(upload, now),
    )


def poll_delay(shown: Iterable[JobRow | None], now: datetime) -> int:
    """When to look again; 0 when no job is on its way."""
    return min((job.poll_delay_s(now) for job in shown if job is not None and not job.is_finished), default=0)


def boards(catalogue: Catalogue) -> tuple[tuple[str, str], ...]:
    """The boards that dmon can have measured, by name."""
    return tuple(sorted(((gpu.slug, gpu.name) for gpu in catalogue.gpus if gpu.vendor == "NVIDIA"), key=lambda pair: pair[1]))


def profile_view(
    rail: ProjectRail, upload: UploadRow, job: JobRow | None, found: ProfiledUpload | None, catalogue: Catalogue, now: datetime, locale: str
) -> EvidenceProfileView:
    """The profile page."""
    profile = None if found is None else found.profile
    return EvidenceProfileView(
        rail=rail,
        upload=upload,
        job=job,
        found=found,
        verdicts=() if found is None else tuple(_verdict(one, number) for number, one in enumerate(found.diagnoses)),
        overview=((), ()) if profile is None else _overview(profile.summary.gpus, locale),
        every=() if profile is None else _every(profile.summary.gpus, locale),
        phases=() if profile is None else tuple(PhaseLine(name=message(f"phase.{one.name.value}"), phase=one) for one in profile.phases),
        heat=None if profile is None else heat_map(profile, locale),
        heat_table=None if profile is None else _heat_table(profile),
        series=None if profile is None or found is None else time_series(profile, thresholds(found.gpu), locale),
        series_table=None if profile is None else _series_table(profile, locale),
        dropped=() if profile is None else tuple((metric_name(one.metric, locale), one) for one in profile.dropped[:LISTED_LINES]),
        unreported=() if profile is None else tuple(metric_name(metric, locale) for metric in profile.unreported),
        boards=boards(catalogue),
        listed_lines=LISTED_LINES,
        poll_delay_s=poll_delay([job], now),
        now=now,
        board=upload.gpu,
    )


def thresholds(gpu: Gpu | None) -> tuple[Line, ...]:
    """The limits that the rules read, where they can be drawn."""
    lines = [
        Line(metrics.SM, as_percent(POLICY["busy_sm_ratio"].value), "R-D1"),
        Line(metrics.SM, as_percent(POLICY["starved_sm_ratio"].value), "R-D5"),
        Line(metrics.MEMORY_BUSY, as_percent(POLICY["compute_memory_ratio"].value), "R-D1"),
        Line(metrics.MEMORY_BUSY, as_percent(POLICY["bandwidth_memory_ratio"].value), "R-D2"),
        Line(metrics.GPU_TEMPERATURE, POLICY["hot_c"].value, "R-D7"),
    ]
    if gpu is not None and gpu.tdp_w:
        lines.append(Line(metrics.POWER, gpu.tdp_w * POLICY["low_power_ratio"].value, "R-D9"))
    if gpu is not None and gpu.memory_usable_bytes:
        lines.append(Line(metrics.FRAME_BUFFER, round(as_mib(gpu.memory_usable_bytes) * POLICY["memory_wall_ratio"].value), "R-D3"))
    link = known_link_rate(gpu)
    if link:
        full = link * POLICY["pcie_achievable_ratio"].value * POLICY["pcie_full_ratio"].value
        lines.append(Line(metrics.PCIE_RX, round(as_mb(full)), "R-D4"))
    return tuple(lines)


def _verdict(diagnosis: Diagnosis, number: int) -> VerdictView:
    return VerdictView(
        diagnosis=diagnosis,
        status=VERDICT_STATUS[diagnosis.verdict.value],
        name=message(f"verdict.{diagnosis.verdict.value}"),
        confidence=message(f"confidence.{diagnosis.confidence.word}"),
        command_id=f"command-{number}",
    )


def _overview(gpus: Sequence[GpuProfile], locale: str) -> tuple[tuple[str, ...], tuple[GpuLine, ...]]:
    shown = [metric for metric in OVERVIEW if any(metric in gpu.metrics for gpu in gpus)]
    lines = tuple(
        GpuLine(index=gpu.index, cells=tuple((gpu.steady or gpu.metrics).get(metric, gpu.metrics.get(metric)) for metric in shown))
        for gpu in gpus
    )
    return tuple(metric_name(metric, locale) for metric in shown), lines


def _every(gpus: Sequence[GpuProfile], locale: str) -> tuple[tuple[int, str, Distribution], ...]:
    return tuple((gpu.index, metric_name(metric, locale), one) for gpu in gpus for metric, one in gpu.metrics.items())


def _heat_table(profile: Profile) -> Grid | None:
    found = [series for series in profile.series if series.metric == metrics.SM]
    return _grid(profile, [(f"GPU {series.gpu}", [series]) for series in found])


def _series_table(profile: Profile, locale: str) -> Grid | None:
    columns = [
        (metric_name(metric, locale), found)
        for metric in OVERVIEW
        if (found := [series for series in profile.series if series.metric == metric])
    ]
    return _grid(profile, columns)


def _grid(profile: Profile, columns: Sequence[tuple[str, Sequence[Series]]]) -> Grid | None:
    """A row a stretch of time; where a column has several series, their mean."""
    if not columns:
        return None
    begins: dict[float, list[list[float]]] = {}
    for at, (_, found) in enumerate(columns):
        for series in found:
            for point in points(series, profile.bucket_s, TABLE_ROWS):
                begins.setdefault(point.begin_s, [[] for _ in columns])[at].append(point.mean)
    rows = tuple((_clock(begin), tuple(sum(cell) / len(cell) if cell else None for cell in begins[begin])) for begin in sorted(begins))
    return Grid(heads=tuple(name for name, _ in columns), rows=rows)


def _clock(value_s: float) -> str:
    whole = int(value_s)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
