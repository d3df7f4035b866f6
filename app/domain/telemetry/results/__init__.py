"""Texts that are no time series but hold measured results: one module a kind, each a function from text to results."""

from collections.abc import Callable

from app.domain.telemetry.profile import Result
from app.domain.telemetry.results import collectives, memory_summary, out_of_memory, profiler

READERS: tuple[tuple[str, Callable[[str], tuple[Result, ...]]], ...] = (
    ("nccl-tests", collectives.read),
    ("out-of-memory", out_of_memory.read),
    ("memory-summary", memory_summary.read),
    ("profiler", profiler.read),
)


def results_of(text: str) -> tuple[str, tuple[Result, ...]] | None:
    """The kind whose results the text holds, and the results; None: it holds none."""
    return next(((kind, found) for kind, read in READERS if (found := read(text))), None)
