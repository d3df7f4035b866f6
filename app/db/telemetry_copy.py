"""Rollups and series by COPY: a log of eight GPUs makes a few hundred rows, a fleet's archive millions."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from app.db.engine import Session
from app.domain.telemetry import GpuProfile, Series


def copy_rollups(session: Session, upload_id: UUID, gpus: Iterable[GpuProfile]) -> None:
    """Writes the distributions of an upload."""
    rows = (
        (upload_id, gpu.index, metric, span, position, one.p05, one.p50, one.p95, one.mean, one.max, one.n)
        for gpu in gpus
        for span, metrics in (("all", gpu.metrics), ("steady", gpu.steady))
        for position, (metric, one) in enumerate(metrics.items())
    )
    _copy(
        session, "COPY telemetry_rollups (upload_id, gpu, metric, span, position, p05, p50, p95, mean, max, sample_count) FROM STDIN", rows
    )


def copy_series(session: Session, upload_id: UUID, series: Iterable[Series]) -> None:
    """Writes the time series of an upload."""
    rows = (
        (upload_id, one.gpu, one.metric, list(one.bucket), list(one.minimum), list(one.mean), list(one.maximum), list(one.n))
        for one in series
    )
    _copy(session, "COPY telemetry_series (upload_id, gpu, metric, bucket, minimum, mean, maximum, sample_count) FROM STDIN", rows)


def _copy(session: Session, statement: str, rows: Iterable[Sequence[Any]]) -> None:
    session.flush()
    connection: Any = session.connection().connection.driver_connection
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
