"""Every kind of background job and the function that does it."""

from collections.abc import Callable, Mapping

from app.services import import_jobs, telemetry
from app.services.runs import Run

TASKS: Mapping[str, Callable[[Run], None]] = {telemetry.JOB: telemetry.profile_upload, import_jobs.JOB: import_jobs.run_import}
