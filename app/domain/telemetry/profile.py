"""What a log says, as values: the summary that diagnosis and planning read, and the profile that people look at."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.domain.errors import Message
from app.domain.telemetry.histogram import Distribution
from app.domain.telemetry.rejection import DroppedValue, SkippedLine

Number = float | None


class PhaseName(StrEnum):
    """What the GPUs were doing."""

    WARM_UP = "warm-up"
    STEADY = "steady"
    CHECKPOINT_STALL = "checkpoint-stall"
    IDLE = "idle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A stretch of time, from the start of the log."""

    name: PhaseName
    from_s: float
    to_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuProfile:
    """One GPU: every metric over the whole log (`metrics`) and over the steady phase alone (`steady`)."""

    index: int
    name: str | None
    metrics: Mapping[str, Distribution]
    steady: Mapping[str, Distribution]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """What a run was like, in few numbers: enough to diagnose it and to plan from it."""

    format: str
    started_at: datetime | None  # the host's local clock, when the log has a date
    duration_s: float
    interval_s: float
    interval_is_assumed: bool
    samples: int  # rows used
    cycles: int
    steady_s: float
    dip_count: int  # falls of the mean activity below half its level within the steady phase
    gpus: tuple[GpuProfile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One metric of one GPU over time: `bucket` numbers, each with the minimum, mean and maximum of its samples. Empty buckets are left out."""

    gpu: int
    metric: str
    bucket: tuple[int, ...]
    minimum: tuple[float, ...]
    mean: tuple[float, ...]
    maximum: tuple[float, ...]
    n: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a tool or a message measured, by its kind: `collective` (nccl-tests), `out-of-memory`,
    `memory-summary`, `profiler`. Names end in their unit."""

    kind: str
    facts: Mapping[str, float | int | str]
    rows: tuple[Mapping[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Everything that is kept of a log."""

    summary: RunSummary
    unreported: tuple[str, ...]  # metrics whose every cell was a placeholder, as under MIG
    phases: tuple[Phase, ...]
    bucket_s: float
    series: tuple[Series, ...]
    skipped: tuple[SkippedLine, ...]
    skipped_count: int
    dropped: tuple[DroppedValue, ...]
    dropped_count: int
    remarks: tuple[Message, ...]
    log_count: int
    results: tuple[Result, ...] = ()
