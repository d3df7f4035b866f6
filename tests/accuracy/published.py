"""Published measurements beside our estimates.

`published.csv` holds every measurement with a full configuration that we found, good and bad, as it was transcribed; `corrections.csv` what the
source says otherwise, field by field with the evidence. Rows marked `watched` are a regression sample on which the method does well: a change that
spoils it is seen. What the method may be wrong by is what all rows show (`report`)."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from app.domain.capacity import WorkloadEstimate, estimate, resolve_hardware
from app.domain.capacity.hardware import Hardware
from app.domain.errors import DomainError
from app.domain.estimate import Estimate
from app.domain.units import as_gb_per_s, as_gib, as_hours, as_ms, as_tflops
from app.domain.workload.settings import Workload
from app.seeds import load_catalogue
from app.wire.workload import parse_workload

FILE = Path(__file__).parent / "published.csv"
CORRECTIONS = Path(__file__).parent / "corrections.csv"
EXPLANATIONS = Path(__file__).parent / "explained.csv"
DIMENSIONS = (
    "params_b",
    "n_layers",
    "hidden",
    "n_heads",
    "n_kv_heads",
    "ffn_hidden",
    "vocab",
    "moe_experts",
    "moe_topk",
    "active_params_b",
)
TRAIN_TEXTS = ("method", "precision", "optimizer", "sharding", "offload", "act_ckpt")
TRAIN_COUNTS = ("tp", "pp", "cp", "ep", "dp", "seq_len", "micro_batch", "global_batch", "lora_rank", "image_size", "interleave")
INFER_TEXTS = ("weight_precision", "weight_format", "kv_precision", "engine")
INFER_COUNTS = ("tp", "in_len", "out_len", "concurrency")
LOW_PRECISION = {"fp8": "fp8-mixed", "mxfp8": "mxfp8-mixed", "nvfp4": "nvfp4-mixed"}
Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One row: what was measured, what we say, and between which bounds."""

    row: Row
    measured: float
    said: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Signed relative error."""
        return self.said / self.measured - 1

    @property
    def is_inside(self) -> bool:
        """The measurement lies within our range."""
        return self.low <= self.measured <= self.high


def rows(*, is_watched: bool = False) -> list[Row]:
    """All rows that measure what they say, corrected; or of them those watched for regressions only."""
    return [row for row in _read() if row.get("use") != "exclude" and (row["watched"] or not is_watched)]


def excluded() -> list[Row]:
    """Rows that contradict themselves or measure a fault."""
    return [row for row in _read() if row.get("use") == "exclude"]


def _read() -> list[Row]:
    with FILE.open(encoding="utf-8", newline="") as stream:
        found = {row["id"]: row for row in csv.DictReader(stream)}
    for one in corrections():
        found[one["id"]][one["field"]] = one["value"]
    return list(found.values())


def explanations() -> dict[str, str]:
    """Row → what of it is not modelled."""
    with EXPLANATIONS.open(encoding="utf-8", newline="") as stream:
        return {row["id"]: row["why"] for row in csv.DictReader(stream)}


@cache
def corrections() -> tuple[Row, ...]:
    """Fields of rows that were transcribed otherwise than the source says."""
    with CORRECTIONS.open(encoding="utf-8", newline="") as stream:
        return tuple(csv.DictReader(stream))


def document(row: Row) -> dict[str, Any]:
    """The contract's workload of a row."""
    made: dict[str, Any] = {
        "task": row["task"],
        "n_gpus": int(float(row["n_gpus"] or 1)),
    }
    made |= {"gpu": row["gpu_slug"]} if row["gpu_slug"] else {"gpu_memory_gib": float(row["gpu_mem_gib"])}
    made |= {key: row[key] for key in ("link", "link_text") if row[key]}
    if row["network_gbps"]:
        made["network_gbps"] = float(row["network_gbps"])
    if row["task"] == "collective":
        made |= {"nodes": int(row["n_nodes"])} if row["n_nodes"] else {}
        made["collective"] = {"op": row["collective"], "msg_bytes": int(float(row["msg_bytes"] or 0))}
        return made
    made["model"] = {"name": row["model"]} | {key: _number(key, row[key]) for key in DIMENSIONS if row[key]}
    if row["task"] == "infer":
        made["infer"] = {key: row[key] for key in INFER_TEXTS if row[key]} | {key: int(float(row[key])) for key in INFER_COUNTS if row[key]}
        if row.get("memory_fraction"):
            made["infer"]["memory_fraction"] = float(row["memory_fraction"])
        if row.get("burst"):
            made["infer"]["burst"] = row["burst"] == "y"
        return made
    train: dict[str, Any] = {key: row[key] for key in TRAIN_TEXTS if row[key]}
    train |= {key: int(float(row[key])) for key in TRAIN_COUNTS if row.get(key)}
    if row["flash_attn"]:
        train["flash_attn"] = row["flash_attn"] == "y"
    if row["train_tokens_b"]:
        train["train_tokens_b"] = float(row["train_tokens_b"])
    if row["compute_precision"]:
        train["precision"] = LOW_PRECISION[row["compute_precision"]]
    train["knobs"] = [knob for knob in row["knobs"].split("|") if knob]
    return made | {"train": train}


def _number(key: str, text: str) -> float | int:
    return float(text) if key.endswith("_b") else int(float(text))


def answer(row: Row) -> WorkloadEstimate:
    """Our estimate of a row."""
    workload, assumptions = parse_workload(document(row), load_catalogue())
    hardware, more = resolve_hardware(workload, load_catalogue())
    return estimate(workload, hardware, (*assumptions, *more))


def resolved(row: Row) -> tuple[Workload, Hardware]:
    """What a row asks about."""
    workload, _ = parse_workload(document(row), load_catalogue())
    hardware, _ = resolve_hardware(workload, load_catalogue())
    return workload, hardware


def compared(*, is_watched: bool = True) -> list[Comparison]:
    """Rows that measure a figure; rows that say whether something fitted stand apart, rows that are refused are left out."""
    made = (_compare(row) for row in rows(is_watched=is_watched) if row["metric"] != "fits")
    return [one for one in made if one is not None]


def _compare(row: Row) -> Comparison | None:
    try:
        said, scale = _said(row["metric"], row["peak_kind"], answer(row))
    except (DomainError, Unsaid):
        return None
    return Comparison(row, float(row["value"]), said.typical * scale, said.low * scale, said.high * scale)


class Unsaid(Exception):
    """The estimate has no such figure: it was answered without speed."""


def _said(metric: str, kind: str, made: WorkloadEstimate) -> tuple[Estimate, float]:
    """The figure that the row measures, and the factor to its unit."""
    if made.memory is not None and metric.endswith("gib_per_gpu"):
        parts = {part.name: part.size_bytes for part in made.memory.parts}
        states = parts["weights"] + parts["gradients"] + parts["optimizer"]
        peaks = {"allocated": made.memory.allocated_bytes, "reserved": made.memory.reserved_bytes}
        exact = {"model_states_gib_per_gpu": states, "activations_gib_per_gpu": parts["activations"]}.get(metric)
        value = peaks.get(kind, made.memory.device_bytes) if exact is None else Estimate(exact, exact, exact)
        return value, as_gib(1)
    if made.collective is not None:
        return made.collective.bus_bytes_per_s, as_gb_per_s(1)
    if metric == "gpu_hours":
        if made.duration is None:
            raise Unsaid
        return made.duration.gpu_s, as_hours(1)
    if made.throughput is None:
        raise Unsaid
    names = {
        "mfu": ("mfu_ratio", 1.0),
        "hw_tflops_per_gpu": ("hardware_flops_per_gpu", as_tflops(1)),
        "decode_tok_s_total": ("decode_tokens_per_s", 1.0),
        "req_s": ("requests_per_s", 1.0),
        "prefill_tok_s": ("prefill_tokens_per_s", 1.0),
        "ttft_ms": ("ttft_s", as_ms(1)),
    }
    name, scale = names.get(metric, (metric, 1.0))
    value = getattr(made.throughput, name)
    if value is None:
        raise Unsaid
    assert isinstance(value, Estimate)
    return value, scale
