"""What the configuration will do, with ranges."""

from collections.abc import Iterator

from app.domain.capacity import MemoryEstimate, ThroughputEstimate
from app.domain.errors import message
from app.domain.estimate import Basis, Derivation, Estimate
from app.domain.selection import Candidate
from app.domain.sheet.rows import amount, find_step, ranged, row
from app.domain.sheet.types import Row


def estimate_rows(chosen: Candidate) -> tuple[Row, ...]:
    """Memory, speed, time and energy of the chosen layout."""
    return (*_memory(chosen), *_speed(chosen), *_run(chosen))


def collective_ratio(chosen: Candidate) -> float | None:
    """Share of the step that waits for collectives (R-D6)."""
    return chosen.collective_ratio


def _memory(chosen: Candidate) -> Iterator[Row]:
    memory: MemoryEstimate | None = chosen.estimate.memory
    if memory is None:
        return
    steps = chosen.estimate.derivation
    yield row("memory_device", ranged(memory.device_bytes, "bytes"), step=find_step(steps, "memory.device"))
    yield row("memory_reserved", ranged(memory.reserved_bytes, "bytes"), step=find_step(steps, "memory.reserved"))
    yield row("memory_allocated", ranged(memory.allocated_bytes, "bytes"), step=find_step(steps, "memory.allocated"))
    if memory.capacity_bytes is not None:
        yield row("memory_capacity", amount(memory.capacity_bytes, "bytes"), source=chosen.gpu.source.title)
    if memory.fits is not None:
        yield row("fits", message(f"sheet.fits.{memory.fits.value}"))


def _speed(chosen: Candidate) -> Iterator[Row]:
    throughput: ThroughputEstimate | None = chosen.estimate.throughput
    if throughput is None:
        return
    steps = chosen.estimate.derivation
    figures: tuple[tuple[str, Estimate | None, str, tuple[str, ...]], ...] = (
        ("step_time", throughput.step_time_s, "s", ("throughput.step_time_s",)),
        ("tokens_per_gpu", throughput.tokens_per_s_per_gpu, "tokens/s", ("throughput.tokens_per_s_per_gpu",)),
        ("samples_rate", throughput.samples_per_s, "samples/s", ("throughput.samples_per_s",)),
        ("mfu", throughput.mfu_ratio, "ratio", ("throughput.mfu",)),
        ("ttft" if throughput.tpot_s else "latency", throughput.ttft_s, "s", ("throughput.ttft_ms",)),
        ("tpot", throughput.tpot_s, "s", ("throughput.tpot_ms",)),
        ("decode_rate", throughput.decode_tokens_per_s, "tokens/s", ("throughput.decode_tok_s_total",)),
        ("requests_rate", throughput.requests_per_s, "requests/s", ("throughput.req_s",)),
        ("max_concurrency", throughput.max_concurrency, "", ("throughput.max_concurrency",)),
    )
    for key, estimate, unit, step_keys in figures:
        if estimate is not None:
            yield row(key, ranged(estimate, unit), step=find_step(steps, *step_keys))
    ratio = collective_ratio(chosen)
    if ratio is not None and chosen.gpu_count > 1:
        yield row("collective_share", amount(ratio, "ratio", Basis.MODELLED), source="R-D6, R-T3")


def _run(chosen: Candidate) -> Iterator[Row]:
    steps: Derivation = chosen.estimate.derivation
    if chosen.duration_s is not None:
        yield row("duration", ranged(chosen.duration_s, "s"), step=find_step(steps, "duration"))
    energy = chosen.estimate.energy
    if energy is not None:
        yield row("average_power", ranged(energy.average_w, "w"), step=find_step(steps, "power"))
        if energy.energy_kwh is not None:
            yield row("run_energy", ranged(energy.energy_kwh, "kwh"), step=find_step(steps, "energy"))
