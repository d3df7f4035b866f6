"""Policy: what people decided rather than measured. Decision tables of the documents, and the numbers by which a plan judges and recommends.

Physics stays in code; what another company would set otherwise stands here, each row with its document."""

from dataclasses import dataclass

from app.domain.catalogue.source import Source
from app.domain.units import Bytes

ROLES = ("development", "single-node-training", "low-power-inference", "cluster-training")
MERITS = ("cost", "memory", "speed", "link", "power", "speed_per_watt")
LIMITS = (
    "room.training",
    "room.serving",
    "near",
    "link_bound",
    "same_cost",
    "nvlink_from",
    "host_memory",
    "spare_sizes",
    "power_factor",
    "rack_assumed",
    "rack_height",
)
VALUE_KEYS = frozenset((*LIMITS, *(f"weight.{role}.{merit}" for role in ROLES for merit in MERITS)))
"""Limits are all needed; a merit without a row weighs nothing in its role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRow:
    """A row of a decision table: which GPUs a document suggests for which work. An empty condition holds for everything."""

    key: str
    decision_table: str  # document and section, as "003 §4.2"
    scene: str
    scene_zh: str
    work: str  # training | inference | any
    stage: str | None  # pretrain | finetune
    method: str | None  # full | adapter
    reads: str | None  # language | other
    parameters_over_count: float | None
    parameters_up_to_count: float | None
    seq_len_least_count: float | None
    requests_over_per_s: float | None
    data_over_bytes: Bytes | None
    environment: str | None  # development | production
    gpu_slugs: tuple[str, ...]
    gpu_least_count: int | None
    budget: str | None  # as the document writes it
    suggestion: str
    suggestion_zh: str
    notes: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyValue:
    """A number by which plans judge, with the bounds within which it makes sense."""

    key: str
    meaning: str
    meaning_zh: str
    value: float
    least: float
    most: float
    measure: str
    rule: str
    notes: str
    source: Source
