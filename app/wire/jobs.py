"""A background job as the API shows it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.errors import Message
from app.text.render import render


def job_json(
    *,
    job_id: UUID,
    kind: str,
    state: str,
    progress_ratio: float | None,
    result: object,
    failure: Message | None,
    created_at: datetime,
    started_at: datetime | None,
    finished_at: datetime | None,
    locale: str = "en",
) -> dict[str, Any]:
    """State, progress, and the result or the problem."""
    problem = None if failure is None else {"type": f"/problems/{failure.code}", "detail": render(failure, locale)}
    return {
        "id": str(job_id),
        "kind": kind,
        "state": state,
        "progress_ratio": progress_ratio,
        "result": result,
        "problem": problem,
        "created_at": created_at.isoformat(),
        "started_at": None if started_at is None else started_at.isoformat(),
        "finished_at": None if finished_at is None else finished_at.isoformat(),
    }
