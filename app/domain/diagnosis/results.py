"""What follows from results that are no time series: an out-of-memory message is the proof that R-D3 asks for; the rest is evidence to read."""

from app.domain.diagnosis.case import COMMAND, PROFILE_COMMAND
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import Message, message
from app.domain.telemetry import Profile, Result
from app.domain.units import gb_per_s, gib

SHOWN = 8
HURTS_RATIO = 0.15  # of GPU time in collectives; document 001: from here on it starts to hurt


def of_results(profile: Profile) -> tuple[Diagnosis, ...]:
    """One verdict over all results of the text."""
    first = profile.results[0]
    if first.kind == "out-of-memory":
        return (_out_of_memory(profile.results),)
    if first.kind == "collective":
        return (_collectives(profile.results),)
    if first.kind == "profiler":
        return (_profiler(profile.results),)
    return (_memory_summary(profile.results),)


def _size(result: Result, name: str) -> float | None:
    value = result.facts.get(name)
    return float(gib(float(value))) if isinstance(value, int | float) else None


def _out_of_memory(results: tuple[Result, ...]) -> Diagnosis:
    """R-D3. Blocks that are reserved but not allocated, and other processes, are named first: freeing them costs nothing."""
    worst = max(results, key=lambda result: float(result.facts["requested_gib"]))
    requested, capacity = _size(worst, "requested_gib") or 0.0, _size(worst, "capacity_gib")
    spare, others = _size(worst, "unallocated_gib") or 0.0, _size(worst, "processes_gib") or 0.0
    advice = "advice.memory_capacity"
    if others >= requested > 0:
        advice = "advice.other_processes"
    elif spare >= requested > 0:
        advice = "advice.fragmented"
    headline = message("headline.out_of_memory", requested_bytes=requested)
    if capacity is not None:
        headline = message("headline.out_of_memory_of", requested_bytes=requested, capacity_bytes=capacity)
    return Diagnosis(
        rule="R-D3",
        verdict=Verdict.MEMORY_CAPACITY,
        confidence=Confidence.HIGH if advice == "advice.memory_capacity" else Confidence.MEDIUM,
        gpus=tuple(sorted({int(result.facts["gpu"]) for result in results if "gpu" in result.facts})),
        headline=headline,
        evidence=tuple(_oom_line(result) for result in results[:SHOWN]),
        advice=message(advice),
        command=COMMAND,
    )


def _oom_line(result: Result) -> Message:
    sizes = {
        f"{name}_bytes": _size(result, f"{name}_gib") or 0.0 for name in ("requested", "allocated", "unallocated", "free", "processes")
    }
    return message("evidence.out_of_memory", **sizes)


def _collectives(results: tuple[Result, ...]) -> Diagnosis:
    best = max(results, key=lambda result: float(result.facts["best_busbw_gbps"]))
    return Diagnosis(
        rule="R-D6",
        verdict=Verdict.INCONCLUSIVE,
        confidence=Confidence.LOW,
        gpus=(),
        headline=message(
            "headline.collectives",
            operation=str(best.facts["operation"]) or "?",
            ranks_count=int(best.facts["ranks"]),
            bus_bytes_per_s=float(gb_per_s(float(best.facts["best_busbw_gbps"]))),
        ),
        evidence=tuple(
            message(
                "evidence.collective",
                operation=str(result.facts["operation"]) or "?",
                size_bytes=float(result.facts["largest_size_bytes"]),
                bus_bytes_per_s=float(gb_per_s(float(result.facts["largest_busbw_gbps"]))),
                hosts_count=int(result.facts["hosts"]),
            )
            for result in results[:SHOWN]
        ),
        advice=message("advice.collectives"),
        command=PROFILE_COMMAND,
    )


def _profiler(results: tuple[Result, ...]) -> Diagnosis:
    """R-D6, as far as the time of kernels tells: what overlaps is counted as if it waited, so the verdict is not sure."""
    worst = max(results, key=lambda result: float(result.facts["collectives_ratio"]))
    share = float(worst.facts["collectives_ratio"])
    is_bound = share >= HURTS_RATIO
    return Diagnosis(
        rule="R-D6",
        verdict=Verdict.COMMUNICATION_BOUND if is_bound else Verdict.INCONCLUSIVE,
        confidence=Confidence.MEDIUM if is_bound else Confidence.LOW,
        gpus=(),
        headline=message("headline.kernels", collectives_ratio=share, products_ratio=float(worst.facts["products_ratio"])),
        evidence=tuple(
            message(
                "evidence.kernels",
                **{name: float(value) for name, value in result.facts.items() if name.endswith("_ratio") or name == "listed_gpu_time_s"},
            )
            for result in results[:SHOWN]
        ),
        advice=message("advice.communication" if is_bound else "advice.kernels"),
        command=PROFILE_COMMAND,
    )


def _memory_summary(results: tuple[Result, ...]) -> Diagnosis:
    peaks = [size for result in results if (size := _size(result, "reserved_peak_gib")) is not None]
    retries = sum(int(result.facts.get("retries", 0)) for result in results)
    return Diagnosis(
        rule="R-D3",
        verdict=Verdict.MEMORY_CAPACITY if retries else Verdict.INCONCLUSIVE,
        confidence=Confidence.MEDIUM if retries else Confidence.LOW,
        gpus=(),
        headline=message("headline.memory_summary", reserved_bytes=max(peaks, default=0.0), retries_count=retries),
        evidence=tuple(
            message(
                "evidence.memory_summary",
                allocated_bytes=_size(result, "allocated_peak_gib") or 0.0,
                reserved_bytes=_size(result, "reserved_peak_gib") or 0.0,
            )
            for result in results[:SHOWN]
        ),
        advice=message("advice.memory_capacity" if retries else "advice.memory_summary"),
        command=COMMAND,
    )
