"""Telemetry in the database: uploads, and profiles in and out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import undefer

from app.db.engine import Session
from app.db.messages import dump, load
from app.db.models.telemetry import TelemetryRollupModel, TelemetrySeriesModel, TelemetryUploadModel
from app.db.telemetry_copy import copy_rollups, copy_series
from app.domain.diagnosis import Confidence, Diagnosis
from app.domain.errors import Message, NotFound
from app.domain.telemetry import (
    Distribution,
    DroppedValue,
    GpuProfile,
    Phase,
    PhaseName,
    Profile,
    Result,
    RunSummary,
    Series,
    SkippedLine,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadRow:
    """An upload as lists show it; the fields of the profile are None until it is there."""

    id: UUID
    project_id: UUID
    name: str
    content_hash: str
    size_bytes: int
    gpu: str | None
    job_id: UUID | None
    created_at: datetime
    removed_at: datetime | None
    agent: str | None
    node: Mapping[str, Any] | None
    heard_at: datetime | None
    ended_at: datetime | None
    profiled_at: datetime | None
    sample_count: int | None
    gpu_count: int | None
    duration_s: float | None
    skipped_count: int | None
    rule: str | None
    verdict: str | None
    confidence: Confidence | None
    headline: Message | None

    @property
    def is_profiled(self) -> bool:
        """Whether there is something to look at."""
        return self.profiled_at is not None

    @property
    def digest(self) -> str | None:
        """What a copy of the log is checked against; None for one that grows."""
        return None if self.agent is not None else f"sha256:{self.content_hash}"


def add(
    session: Session, *, project_id: UUID, content_hash: str, name: str, size_bytes: int, gpu: str | None, idempotency_key: str | None
) -> UUID:
    """Stores an upload; the caller handles the IntegrityError of a content or a key that is there already."""
    model = TelemetryUploadModel(
        project_id=project_id, content_hash=content_hash, name=name, size_bytes=size_bytes, gpu=gpu, idempotency_key=idempotency_key
    )
    session.add(model)
    session.flush()
    return model.id


def get(session: Session, project_id: UUID, upload_id: UUID) -> UploadRow:
    """An upload of a project, removed ones included. NotFound: the project has none of this id."""
    return to_row(_model(session, project_id, upload_id))


def find(session: Session, project_id: UUID, *, content_hash: str | None = None, idempotency_key: str | None = None) -> UploadRow | None:
    """The project's upload of this content, or under this key."""
    query = select(TelemetryUploadModel).where(TelemetryUploadModel.project_id == project_id)
    if content_hash is not None:
        query = query.where(TelemetryUploadModel.content_hash == content_hash, TelemetryUploadModel.removed_at.is_(None))
    if idempotency_key is not None:
        query = query.where(TelemetryUploadModel.idempotency_key == idempotency_key)
    model = session.scalar(query.limit(1))
    return None if model is None else to_row(model)


def of_project(session: Session, project_id: UUID) -> tuple[UploadRow, ...]:
    """A project's uploads, newest first."""
    query = (
        select(TelemetryUploadModel)
        .where(TelemetryUploadModel.project_id == project_id, TelemetryUploadModel.removed_at.is_(None))
        .order_by(TelemetryUploadModel.created_at.desc(), TelemetryUploadModel.id)
    )
    return tuple(map(to_row, session.scalars(query)))


def set_job(session: Session, upload_id: UUID, job_id: UUID) -> None:
    """Names the job that reads the upload."""
    model = session.get_one(TelemetryUploadModel, upload_id)
    model.job_id = job_id
    session.flush()


def set_gpu(session: Session, project_id: UUID, upload_id: UUID, gpu: str | None) -> None:
    """Names the board."""
    _model(session, project_id, upload_id).gpu = gpu
    session.flush()


def set_removed(session: Session, project_id: UUID, upload_id: UUID, at: datetime | None) -> None:
    """Takes an upload away, or brings it back; the caller handles the IntegrityError of a content that came again meanwhile."""
    _model(session, project_id, upload_id).removed_at = at
    session.flush()


def purge(session: Session, before: datetime) -> None:
    """Deletes what was taken away before that moment."""
    session.execute(delete(TelemetryUploadModel).where(TelemetryUploadModel.removed_at < before))


def store_profile(session: Session, upload_id: UUID, profile: Profile, diagnosis: Diagnosis, now: datetime) -> None:
    """Stores a profile in the place of an earlier one. NotFound: the upload was deleted meanwhile."""
    model = session.get(TelemetryUploadModel, upload_id, with_for_update=True)
    if model is None:
        raise NotFound("telemetry.no_upload")
    summary = profile.summary
    model.profiled_at = now
    model.format, model.started_at = summary.format, summary.started_at
    model.duration_s, model.interval_s, model.interval_is_assumed = summary.duration_s, summary.interval_s, summary.interval_is_assumed
    model.sample_count, model.cycle_count, model.gpu_count = summary.samples, summary.cycles, len(summary.gpus)
    model.steady_s, model.dip_count, model.bucket_s, model.log_count = (
        summary.steady_s,
        summary.dip_count,
        profile.bucket_s,
        profile.log_count,
    )
    model.skipped_count, model.dropped_count = profile.skipped_count, profile.dropped_count
    model.rule, model.verdict, model.confidence = diagnosis.rule, diagnosis.verdict.value, int(diagnosis.confidence)
    model.headline = dump(diagnosis.headline)
    model.evidence = _evidence_out(profile)
    session.flush()
    for table in (TelemetryRollupModel, TelemetrySeriesModel):
        session.execute(delete(table).where(table.upload_id == upload_id))
    copy_rollups(session, upload_id, summary.gpus)
    copy_series(session, upload_id, profile.series)


def load_profile(session: Session, project_id: UUID, upload_id: UUID, *, with_series: bool = True) -> Profile | None:
    """The profile of an upload, on wish without its time series, which are most of it; None while there is none."""
    model = _model(session, project_id, upload_id, with_evidence=True)
    if model.profiled_at is None or model.evidence is None:
        return None
    rollups = session.scalars(
        select(TelemetryRollupModel)
        .where(TelemetryRollupModel.upload_id == upload_id)
        .order_by(TelemetryRollupModel.gpu, TelemetryRollupModel.position)
    ).all()
    wanted = (
        select(TelemetrySeriesModel)
        .where(TelemetrySeriesModel.upload_id == upload_id)
        .order_by(TelemetrySeriesModel.gpu, TelemetrySeriesModel.metric)
    )
    series = session.scalars(wanted).all() if with_series else ()
    summary = RunSummary(
        format=model.format or "",
        started_at=model.started_at,
        duration_s=model.duration_s or 0.0,
        interval_s=model.interval_s or 0.0,
        interval_is_assumed=bool(model.interval_is_assumed),
        samples=model.sample_count or 0,
        cycles=model.cycle_count or 0,
        steady_s=model.steady_s or 0.0,
        dip_count=model.dip_count or 0,
        gpus=_gpus(rollups),
    )
    return _evidence_in(
        model.evidence,
        Profile(
            summary=summary,
            unreported=(),
            phases=(),
            bucket_s=model.bucket_s or 1.0,
            series=tuple(_series(row) for row in series),
            skipped=(),
            skipped_count=model.skipped_count or 0,
            dropped=(),
            dropped_count=model.dropped_count or 0,
            remarks=(),
            log_count=model.log_count or 1,
        ),
    )


def _gpus(rollups: Sequence[TelemetryRollupModel]) -> tuple[GpuProfile, ...]:
    found: dict[int, dict[str, dict[str, Distribution]]] = {}
    for row in rollups:
        summary = Distribution(p05=row.p05, p50=row.p50, p95=row.p95, mean=row.mean, max=row.max, n=row.sample_count)
        found.setdefault(row.gpu, {"all": {}, "steady": {}})[row.span][row.metric] = summary
    return tuple(GpuProfile(index=gpu, name=None, metrics=spans["all"], steady=spans["steady"]) for gpu, spans in found.items())


def _series(row: TelemetrySeriesModel) -> Series:
    return Series(
        gpu=row.gpu,
        metric=row.metric,
        bucket=tuple(row.bucket),
        minimum=tuple(row.minimum),
        mean=tuple(row.mean),
        maximum=tuple(row.maximum),
        n=tuple(row.sample_count),
    )


def _evidence_out(profile: Profile) -> dict[str, Any]:
    return {
        "unreported": list(profile.unreported),
        "phases": [[phase.name.value, phase.from_s, phase.to_s] for phase in profile.phases],
        "skipped": [[one.line, dump(one.reason)] for one in profile.skipped],
        "dropped": [[one.line, one.gpu, one.metric, one.value, dump(one.reason)] for one in profile.dropped],
        "remarks": [dump(remark) for remark in profile.remarks],
        "results": [[one.kind, dict(one.facts), [dict(row) for row in one.rows]] for one in profile.results],
    }


def _evidence_in(stored: Mapping[str, Any], profile: Profile) -> Profile:
    dropped: Iterable[list[Any]] = stored["dropped"]
    return replace(
        profile,
        unreported=tuple(stored["unreported"]),
        phases=tuple(Phase(name=PhaseName(name), from_s=begin, to_s=end) for name, begin, end in stored["phases"]),
        skipped=tuple(SkippedLine(line, load(reason)) for line, reason in stored["skipped"]),
        dropped=tuple(
            DroppedValue(line=line, gpu=gpu, metric=metric, value=value, reason=load(reason))
            for line, gpu, metric, value, reason in dropped
        ),
        remarks=tuple(map(load, stored["remarks"])),
        results=tuple(Result(kind=kind, facts=facts, rows=tuple(rows)) for kind, facts, rows in stored.get("results", ())),
    )


def _model(session: Session, project_id: UUID, upload_id: UUID, *, with_evidence: bool = False) -> TelemetryUploadModel:
    query = select(TelemetryUploadModel).where(TelemetryUploadModel.id == upload_id, TelemetryUploadModel.project_id == project_id)
    model = session.scalar(query.options(undefer(TelemetryUploadModel.evidence)) if with_evidence else query)
    if model is None:
        raise NotFound("telemetry.no_upload")
    return model


def to_row(model: TelemetryUploadModel) -> UploadRow:
    """The row as lists show it."""
    return UploadRow(
        id=model.id,
        project_id=model.project_id,
        name=model.name,
        content_hash=model.content_hash,
        size_bytes=model.size_bytes,
        gpu=model.gpu,
        job_id=model.job_id,
        created_at=model.created_at,
        removed_at=model.removed_at,
        agent=model.agent,
        node=model.node,
        heard_at=model.heard_at,
        ended_at=model.ended_at,
        profiled_at=model.profiled_at,
        sample_count=model.sample_count,
        gpu_count=model.gpu_count,
        duration_s=model.duration_s,
        skipped_count=model.skipped_count,
        rule=model.rule,
        verdict=model.verdict,
        confidence=None if model.confidence is None else Confidence(model.confidence),
        headline=None if model.headline is None else load(model.headline),
    )
