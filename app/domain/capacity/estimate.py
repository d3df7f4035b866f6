"""The whole answer for people: ranges, fit, findings, assumptions, derivation, from the formulas of `figures`."""

from dataclasses import replace

from app.domain.capacity.derivation import derive
from app.domain.capacity.findings import findings
from app.domain.capacity.fit import fits
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.ranges import Ranges
from app.domain.capacity.results import (
    CollectiveEstimate,
    CollectiveFigures,
    DurationEstimate,
    EnergyEstimate,
    Figures,
    MemoryEstimate,
    MemoryFigures,
    MemoryPart,
    ServingFigures,
    ThroughputEstimate,
    TimeFigures,
    TimePart,
    WorkloadEstimate,
)
from app.domain.capacity.support import refuse
from app.domain.errors import DataMissing
from app.domain.estimate import Assumption, Basis, Estimate
from app.domain.workload.settings import InferSettings, Task, Workload

SAFE_RATIO = 0.8  # what the handbook calls the safe limit: 15–20 % of the card stays free (R-M4, R-M5)
PART_RULES = {
    "weights": "R-M3",
    "gradients": "R-M3",
    "optimizer": "R-M3",
    "activations": "R-M6",
    "logits": "R-M6",
    "kv_cache": "R-M2",
    "buckets": "R-M5",
    "temporary": "R-M5",
    "fragmentation": "R-M5",
    "context": "R-M5",
}


def estimate(workload: Workload, hardware: Hardware, assumptions: tuple[Assumption, ...] = ()) -> WorkloadEstimate:
    """Everything the contract's Estimate says about a workload on a hardware. InvalidInput, DataMissing as `figures`."""
    refuse(workload)
    ranges, missing = _ranges(workload, hardware, frozenset(item.field for item in assumptions))
    basis = Basis.ASSUMED if any(item.field.startswith("model.") for item in assumptions) else Basis.MODELLED
    memory = _memory(ranges, workload, hardware, basis)
    throughput = _throughput(ranges, basis)
    return WorkloadEstimate(
        workload=workload,
        memory=memory,
        throughput=throughput,
        collective=_collective(ranges),
        duration=_duration(ranges, workload, basis),
        energy=_energy(ranges, basis),
        findings=findings(workload, hardware, ranges.typical, memory, missing),
        assumptions=assumptions,
        derivation=derive(workload, hardware, ranges.typical),
    )


def _ranges(workload: Workload, hardware: Hardware, assumed: frozenset[str]) -> tuple[Ranges, DataMissing | None]:
    """All figures; without the speed, and with the reason, where a fact about the board is unknown and memory can be told all the same."""
    try:
        return Ranges(workload, hardware, assumed), None
    except DataMissing as missing:
        if workload.task is Task.COLLECTIVE:
            raise
        return Ranges(workload, replace(hardware, gpu=None)), missing


def memory_parts(figures: MemoryFigures) -> tuple[MemoryPart, ...]:
    """The lines of the memory table, in the contract's order."""
    return tuple(MemoryPart(name=name, size_bytes=getattr(figures, f"{name}_bytes"), rule=rule) for name, rule in PART_RULES.items())


def _memory(ranges: Ranges, workload: Workload, hardware: Hardware, basis: Basis) -> MemoryEstimate | None:
    made = ranges.typical.memory
    if made is None:
        return None
    device = ranges.memory(lambda one: one.device_bytes, basis)
    share = SAFE_RATIO
    if workload.task is Task.INFER:
        share = (workload.infer or InferSettings()).memory_fraction_ratio
    capacity = hardware.capacity_bytes
    return MemoryEstimate(
        device_bytes=device,
        reserved_bytes=ranges.memory(lambda one: one.reserved_bytes, basis),
        allocated_bytes=ranges.memory(lambda one: one.allocated_bytes, basis),
        capacity_bytes=capacity,
        usable_bytes=capacity * share if capacity is not None else None,
        parts=memory_parts(made),
        fits=fits(device, capacity),
    )


def _throughput(ranges: Ranges, basis: Basis) -> ThroughputEstimate | None:
    made = ranges.typical
    if made.time is not None:
        return ThroughputEstimate(
            step_time_s=ranges.time(lambda one: _time(one).step_time_s, basis),
            tokens_per_s_per_gpu=ranges.time(lambda one: _time(one).tokens_per_s_per_gpu, basis)
            if made.time.tokens_per_s_per_gpu
            else None,
            samples_per_s=ranges.time(lambda one: _time(one).samples_per_s, basis),
            mfu_ratio=ranges.time(lambda one: _time(one).mfu_ratio, basis),
            model_flops_per_gpu=ranges.time(lambda one: _time(one).model_flops_per_gpu, basis),
            hardware_flops_per_gpu=ranges.time(lambda one: _time(one).hardware_flops_per_gpu, basis),
            parts=time_parts(made.time),
        )
    if made.serving is not None and not made.serving.decode_tokens_per_s:
        return ThroughputEstimate(
            samples_per_s=ranges.time(lambda one: _serving(one).requests_per_s, basis),
            requests_per_s=ranges.time(lambda one: _serving(one).requests_per_s, basis),
            ttft_s=ranges.time(lambda one: _serving(one).ttft_s, basis),
        )
    if made.serving is not None:
        return ThroughputEstimate(
            ttft_s=ranges.time(lambda one: _serving(one).ttft_s, basis),
            tpot_s=ranges.time(lambda one: _serving(one).tpot_s, basis),
            decode_tokens_per_s=ranges.time(lambda one: _serving(one).decode_tokens_per_s, basis),
            prefill_tokens_per_s=ranges.time(lambda one: _serving(one).prefill_tokens_per_s, basis),
            requests_per_s=ranges.time(lambda one: _serving(one).requests_per_s, basis),
            kv_cache_tokens=ranges.memory(lambda one: _serving(one).kv_cache_tokens, basis),
            max_concurrency=ranges.memory(lambda one: _serving(one).max_concurrency, basis),
        )
    return None


def time_parts(time: TimeFigures) -> tuple[TimePart, ...]:
    """The lines of the step's time table. Input and checkpoint stalls are zero until data and storage are known (R-T6, R-T7)."""
    return (
        TimePart(name="compute", duration_s=time.compute_s),
        TimePart(name="memory", duration_s=time.memory_s),
        TimePart(name="collectives", duration_s=time.collectives_s),
        TimePart(name="bubble", duration_s=time.bubble_s),
        TimePart(name="input", duration_s=0.0),
        TimePart(name="checkpoint", duration_s=0.0),
    )


def _collective(ranges: Ranges) -> CollectiveEstimate | None:
    if ranges.typical.collective is None:
        return None
    return CollectiveEstimate(
        bus_bytes_per_s=ranges.time(lambda one: _moved(one).bus_bytes_per_s),
        algorithm_bytes_per_s=ranges.time(lambda one: _moved(one).algorithm_bytes_per_s),
        time_s=ranges.time(lambda one: _moved(one).time_s),
    )


def _duration(ranges: Ranges, workload: Workload, basis: Basis) -> DurationEstimate | None:
    if ranges.typical.duration_s is None:
        return None
    whole = ranges.time(lambda one: one.duration_s or 0.0, basis)
    return DurationEstimate(duration_s=whole, gpu_s=whole.scaled(workload.gpu_count))


def _energy(ranges: Ranges, basis: Basis) -> EnergyEstimate | None:
    if ranges.typical.average_w is None:
        return None
    energy: Estimate | None = None
    if ranges.typical.energy_kwh is not None:
        energy = ranges.time(lambda one: one.energy_kwh or 0.0, basis)
    return EnergyEstimate(average_w=ranges.time(lambda one: one.average_w or 0.0, basis), energy_kwh=energy)


def _time(figures: Figures) -> TimeFigures:
    assert figures.time is not None
    return figures.time


def _serving(figures: Figures) -> ServingFigures:
    assert figures.serving is not None
    return figures.serving


def _moved(figures: Figures) -> CollectiveFigures:
    assert figures.collective is not None
    return figures.collective
