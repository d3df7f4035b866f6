"""Telemetry: bytes of a log in, a profile out, no I/O and no words.

`reading.read` runs the whole way: `decompress` and `decode` make text of any bytes, `registry` names the formats, a format in `formats/` turns
blocks of text into columns, `timeline` places rows in time, `rollup` adds pages up into distributions (`histogram`), time buckets (`buckets`) and
phases (`phases`). `profile` holds the result, `rejection` everything that could not be used, `metrics` the common names of what is measured."""

from app.domain.telemetry.histogram import Distribution
from app.domain.telemetry.profile import GpuProfile, Phase, PhaseName, Profile, Result, RunSummary, Series
from app.domain.telemetry.reading import check, read
from app.domain.telemetry.rejection import DroppedValue, Rejected, SkippedLine

__all__ = [
    "Distribution",
    "DroppedValue",
    "GpuProfile",
    "Phase",
    "PhaseName",
    "Profile",
    "Rejected",
    "Result",
    "RunSummary",
    "Series",
    "SkippedLine",
    "check",
    "read",
]
