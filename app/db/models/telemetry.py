"""Telemetry: uploads, and what was computed from them. Everything below an upload carries its id first, so that it can live beside it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, ForeignKey, Index, Integer, func, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, REAL
from sqlalchemy.orm import Mapped, deferred, mapped_column

from app.db.models.base import Base, BigInt, Id, Json


class TelemetryUploadModel(Base):
    """One log of a project, and its profile in few numbers once the job is done."""

    __tablename__ = "telemetry_uploads"
    __table_args__ = (
        Index("telemetry_uploads_content_key", "project_id", "content_hash", unique=True, postgresql_where=text("removed_at IS NULL")),
        Index("telemetry_uploads_idempotency_key", "project_id", "idempotency_key", unique=True),
    )

    id: Mapped[Id]
    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    content_hash: Mapped[str] = mapped_column(ForeignKey("stored_files.content_hash", ondelete="RESTRICT"), index=True)
    name: Mapped[str]
    gpu: Mapped[str | None]
    idempotency_key: Mapped[str | None]
    job_id: Mapped[UUID | None] = mapped_column(ForeignKey("jobs.id", ondelete="SET NULL"))
    size_bytes: Mapped[BigInt]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    removed_at: Mapped[datetime | None]

    agent: Mapped[str | None]  # who sends it piece by piece; None: it came whole
    node: Mapped[Json | None]  # what the agent knows of its machine
    heard_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]

    profiled_at: Mapped[datetime | None]
    format: Mapped[str | None]
    started_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=False))  # the host's clock, which names no zone
    duration_s: Mapped[float | None]
    interval_s: Mapped[float | None]
    interval_is_assumed: Mapped[bool | None]
    sample_count: Mapped[BigInt | None]
    cycle_count: Mapped[BigInt | None]
    gpu_count: Mapped[int | None]
    log_count: Mapped[int | None]
    steady_s: Mapped[float | None]
    dip_count: Mapped[int | None]
    bucket_s: Mapped[float | None]
    skipped_count: Mapped[BigInt | None]
    dropped_count: Mapped[BigInt | None]
    rule: Mapped[str | None]
    verdict: Mapped[str | None]
    confidence: Mapped[int | None]
    headline: Mapped[Json | None]
    evidence: Mapped[dict[str, Any] | None] = deferred(mapped_column(JSONB))  # phases, skipped lines, remarks


class TelemetryRollupModel(Base):
    """What a metric of a GPU did over the whole log or over its steady phase."""

    __tablename__ = "telemetry_rollups"

    upload_id: Mapped[UUID] = mapped_column(ForeignKey("telemetry_uploads.id", ondelete="CASCADE"), primary_key=True)
    gpu: Mapped[int] = mapped_column(primary_key=True)
    metric: Mapped[str] = mapped_column(primary_key=True)
    span: Mapped[str] = mapped_column(primary_key=True)  # all | steady
    position: Mapped[int]  # the order in which people read the metrics
    p05: Mapped[float]
    p50: Mapped[float]
    p95: Mapped[float]
    mean: Mapped[float]
    max: Mapped[float]
    sample_count: Mapped[BigInt]


class TelemetrySeriesModel(Base):
    """A metric of a GPU over time: bucket numbers with the minimum, mean and maximum of each."""

    __tablename__ = "telemetry_series"

    upload_id: Mapped[UUID] = mapped_column(ForeignKey("telemetry_uploads.id", ondelete="CASCADE"), primary_key=True)
    gpu: Mapped[int] = mapped_column(primary_key=True)
    metric: Mapped[str] = mapped_column(primary_key=True)
    bucket: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    minimum: Mapped[list[float]] = mapped_column(ARRAY(REAL))
    mean: Mapped[list[float]] = mapped_column(ARRAY(REAL))
    maximum: Mapped[list[float]] = mapped_column(ARRAY(REAL))
    sample_count: Mapped[list[int]] = mapped_column(ARRAY(Integer))
