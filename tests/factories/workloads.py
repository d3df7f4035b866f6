"""Workloads as the contract writes them, and what becomes of them."""

from typing import Any

from app.domain.capacity import Figures, Hardware, WorkloadEstimate, estimate, figures, resolve_hardware
from app.domain.workload import Workload
from app.seeds import load_catalogue
from app.wire.workload import parse_workload


def a_training(model: str | dict[str, Any] = "llama-2-7b", **changes: Any) -> dict[str, Any]:
    """A full fine-tuning on one 80 GB card; keys of `train` and of the document alike may be given."""
    named = {"name": model} if isinstance(model, str) else model
    document: dict[str, Any] = {"model": named, "task": "train", "gpu": "a100-sxm4-80gb", "n_gpus": 1, "train": {}}
    for key, value in changes.items():
        (document if key in ("gpu", "gpu_memory_gib", "n_gpus", "nodes", "link", "network_gbps") else document["train"])[key] = value
    if "gpu_memory_gib" in changes and "gpu" not in changes:
        del document["gpu"]
    return document


def a_deployment(model: str | dict[str, Any] = "llama-3-8b", **changes: Any) -> dict[str, Any]:
    """A model served by vLLM on one 80 GB card."""
    named = {"name": model} if isinstance(model, str) else model
    document: dict[str, Any] = {"model": named, "task": "infer", "gpu": "a100-sxm4-80gb", "n_gpus": 1, "infer": {}}
    for key, value in changes.items():
        (document if key in ("gpu", "n_gpus", "nodes", "link", "network_gbps") else document["infer"])[key] = value
    return document


def resolved(document: dict[str, Any]) -> tuple[Workload, Hardware]:
    """The domain's reading of a document."""
    workload, _ = parse_workload(document, load_catalogue())
    hardware, _ = resolve_hardware(workload, load_catalogue())
    return workload, hardware


def figures_of(document: dict[str, Any]) -> Figures:
    """Typical numbers of a document."""
    return figures(*resolved(document))


def estimate_of(document: dict[str, Any]) -> WorkloadEstimate:
    """The whole estimate of a document, with its assumptions."""
    workload, assumptions = parse_workload(document, load_catalogue())
    hardware, more = resolve_hardware(workload, load_catalogue())
    return estimate(workload, hardware, (*assumptions, *more))
