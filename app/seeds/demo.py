"""The published case that a new installation shows as its first project."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from app.seeds.loading import SEED_DATA

FOLDER = SEED_DATA / "demo"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCase:
    """A case with its answers as a person would type them, its telemetry, what was bought, and the figures its source reports."""

    key: str
    name: str
    currency: str
    answers: Mapping[str, Mapping[str, str]]
    unknown: frozenset[str]
    telemetry_file: str
    telemetry_gpu: str
    gpu: str
    gpu_count: int
    server: str
    node_count: int
    source: str
    peak_gb: float
    step_time_s: float
    step_time_pcie_s: float
    collective_ratio: float
    deadline_days: float

    def telemetry(self) -> bytes:
        """The telemetry log that comes with the case; written for it, not measured."""
        return (FOLDER / self.telemetry_file).read_bytes()


@lru_cache(maxsize=4)
def published_case(key: str) -> PublishedCase:
    """The case of this key. KeyError: there is none."""
    path = FOLDER / f"{key}.json"
    if key not in {found.stem for found in FOLDER.glob("*.json")}:
        raise KeyError(key)
    data = json.loads(path.read_text(encoding="utf-8"))
    return PublishedCase(
        key=key,
        name=data["name"],
        currency=data["currency"],
        answers=data["answers"],
        unknown=frozenset(data["unknown"]),
        telemetry_file=data["telemetry"]["file"],
        telemetry_gpu=data["telemetry"]["gpu"],
        **data["configuration"],
        **data["published"],
    )
