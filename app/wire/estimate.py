"""`WorkloadEstimate` to the contract's Estimate JSON."""

from typing import Any

from app.domain.capacity.results import (
    CollectiveEstimate,
    DurationEstimate,
    EnergyEstimate,
    MemoryEstimate,
    ThroughputEstimate,
    WorkloadEstimate,
)
from app.domain.estimate import Estimate, Finding
from app.domain.units import as_gb_per_s, as_gib, as_hours, as_ms, as_tflops
from app.text.render import render
from app.wire.derivations import assumption_json, derivation_json


def estimate_json(estimate: WorkloadEstimate, locale: str = "en") -> dict[str, Any]:
    """The contract's Estimate; parts that the task or the missing GPU leaves open are absent."""
    answer: dict[str, Any] = {}
    if estimate.memory:
        answer["memory"] = _memory(estimate.memory)
    if estimate.throughput:
        answer["throughput"] = _throughput(estimate.throughput)
    if estimate.collective:
        answer["collective"] = _collective(estimate.collective)
    if estimate.duration:
        answer["duration"] = _duration(estimate.duration)
    if estimate.energy:
        answer["energy"] = _energy(estimate.energy)
    answer["findings"] = [finding_json(finding, locale) for finding in estimate.findings]
    answer["assumptions"] = [assumption_json(assumption, locale) for assumption in estimate.assumptions]
    answer["derivation"] = derivation_json(estimate.derivation)
    return answer


def finding_json(finding: Finding, locale: str) -> dict[str, Any]:
    """One finding in words."""
    evidence = render(finding.evidence, locale) if finding.evidence else ""
    return {"rule": finding.rule, "severity": finding.severity, "text": render(finding.text, locale), "evidence": evidence}


def _range(value: Estimate, convert: Any = float) -> dict[str, float]:
    return {"low": convert(value.low), "typical": convert(value.typical), "high": convert(value.high)}


def _memory(memory: MemoryEstimate) -> dict[str, Any]:
    return {
        "peak_gib_per_gpu": _range(memory.device_bytes, as_gib),
        "reserved_gib_per_gpu": _range(memory.reserved_bytes, as_gib),
        "allocated_gib_per_gpu": _range(memory.allocated_bytes, as_gib),
        "capacity_gib": as_gib(memory.capacity_bytes) if memory.capacity_bytes is not None else None,
        "usable_gib": as_gib(memory.usable_bytes) if memory.usable_bytes is not None else None,
        "parts": [{"name": part.name, "gib": as_gib(part.size_bytes), "rule": part.rule} for part in memory.parts],
        "fits": memory.fits.value if memory.fits else None,
    }


CONVERSIONS = {
    "step_time_s": ("step_time_s", float),
    "tokens_per_s_per_gpu": ("tokens_per_s_per_gpu", float),
    "samples_per_s": ("samples_per_s", float),
    "mfu": ("mfu_ratio", float),
    "model_tflops_per_gpu": ("model_flops_per_gpu", as_tflops),
    "hw_tflops_per_gpu": ("hardware_flops_per_gpu", as_tflops),
    "ttft_ms": ("ttft_s", as_ms),
    "tpot_ms": ("tpot_s", as_ms),
    "decode_tok_s_total": ("decode_tokens_per_s", float),
    "prefill_tok_s": ("prefill_tokens_per_s", float),
    "req_s": ("requests_per_s", float),
}


def _throughput(speed: ThroughputEstimate) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    for key, (attribute, convert) in CONVERSIONS.items():
        value = getattr(speed, attribute)
        if value is not None:
            answer[key] = _range(value, convert)
    if speed.parts:
        answer["parts"] = [{"name": part.name, "seconds": part.duration_s} for part in speed.parts]
    if speed.kv_cache_tokens is not None:
        answer["kv_cache_tokens"] = int(speed.kv_cache_tokens.typical)
    if speed.max_concurrency is not None:
        answer["max_concurrency"] = int(speed.max_concurrency.typical)
    return answer


def _collective(moved: CollectiveEstimate) -> dict[str, Any]:
    return {
        "busbw_gbps": _range(moved.bus_bytes_per_s, as_gb_per_s),
        "algbw_gbps": _range(moved.algorithm_bytes_per_s, as_gb_per_s),
        "time_s": _range(moved.time_s),
    }


def _duration(duration: DurationEstimate) -> dict[str, Any]:
    return {"hours": _range(duration.duration_s, as_hours), "gpu_hours": _range(duration.gpu_s, as_hours)}


def _energy(energy: EnergyEstimate) -> dict[str, Any]:
    return {"average_w": _range(energy.average_w), "kwh": _range(energy.energy_kwh) if energy.energy_kwh else None}
