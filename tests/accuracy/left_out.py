"""Leaving one source out: the constants that were settled while looking at rows are settled again without it, then asked about it.

Each quantity has a few of them (`SETTLED`). One after the other they are moved, within their published range, to where the remaining sources
have the lowest headline; the error of the source that had no say is what counts."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from statistics import mean, median

from app.domain.capacity.figures import computed
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.physics import MEMORY_SPREAD, TIME_SPREAD, TYPICAL, Physics
from app.domain.capacity.results import Figures
from app.domain.units import as_gb_per_s, as_gib, as_hours, as_ms, as_tflops
from app.domain.workload.settings import Workload
from tests.accuracy.published import Row, resolved

MEMORY, STEP = ("fragmentation_ratio", "activation_ratio", "logits_ratio"), ("gemm_ratio", "elementwise_ratio", "overlap_ratio", "kernel_s")
SERVING = ("gemm_ratio", "bandwidth_ratio", "host_ratio", "prefill_ratio")
SETTLED: dict[str, tuple[str, ...]] = {
    "peak_gib_per_gpu": MEMORY,
    "activations_gib_per_gpu": ("activation_ratio",),
    "tokens_per_s_per_gpu": STEP,
    "samples_per_s": STEP,
    "step_time_s": STEP,
    "hw_tflops_per_gpu": STEP,
    "mfu": STEP,
    "gpu_hours": STEP,
    "decode_tok_s_total": SERVING,
    "prefill_tok_s": SERVING,
    "req_s": SERVING,
    "ttft_ms": SERVING,
    "kv_cache_tokens": ("activation_ratio", "logits_ratio"),
    "busbw_gbps": ("link_ratio", "network_ratio", "hop_ratio"),
}
ABOUT_MEMORY = ("peak_gib_per_gpu", "activations_gib_per_gpu")
FACTORS = (1.0, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25)  # of the value in use, tried as far as the range goes
SAID: dict[str, tuple[Callable[[Figures], float], float]] = {
    "activations_gib_per_gpu": (lambda made: made.memory.activations_bytes if made.memory else 0.0, as_gib(1)),
    "tokens_per_s_per_gpu": (lambda made: made.time.tokens_per_s_per_gpu if made.time else 0.0, 1.0),
    "samples_per_s": (lambda made: made.time.samples_per_s if made.time else 0.0, 1.0),
    "step_time_s": (lambda made: made.time.step_time_s if made.time else 0.0, 1.0),
    "hw_tflops_per_gpu": (lambda made: made.time.hardware_flops_per_gpu if made.time else 0.0, as_tflops(1)),
    "mfu": (lambda made: made.time.mfu_ratio if made.time else 0.0, 1.0),
    "decode_tok_s_total": (lambda made: made.serving.decode_tokens_per_s if made.serving else 0.0, 1.0),
    "prefill_tok_s": (lambda made: made.serving.prefill_tokens_per_s if made.serving else 0.0, 1.0),
    "req_s": (lambda made: made.serving.requests_per_s if made.serving else 0.0, 1.0),
    "ttft_ms": (lambda made: made.serving.ttft_s if made.serving else 0.0, as_ms(1)),
    "kv_cache_tokens": (lambda made: made.serving.kv_cache_tokens if made.serving else 0.0, 1.0),
    "busbw_gbps": (lambda made: made.collective.bus_bytes_per_s if made.collective else 0.0, as_gb_per_s(1)),
}


def left_out(metric: str, sources: Mapping[str, list[Row]]) -> dict[str, float]:
    """The median error of each source under constants that were settled without it; empty where nothing was settled or one source is all."""
    if metric not in SETTLED or len(sources) < 2:
        return {}
    prepared = {source: [(row, *resolved(row)) for row in rows] for source, rows in sources.items()}

    @cache
    def error(source: str, factors: tuple[float, ...]) -> float:
        physics = _moved(metric, factors)
        return median(
            abs(_said(metric, row, workload, hardware, physics) / float(row["value"]) - 1) for row, workload, hardware in prepared[source]
        )

    def without(source: str) -> float:
        others = [other for other in sources if other != source]
        return error(source, _settle(metric, lambda factors: mean(error(other, factors) for other in others)))

    return {source: without(source) for source in sources}


def _settle(metric: str, headline: Callable[[tuple[float, ...]], float]) -> tuple[float, ...]:
    """The factors with the lowest headline, one constant after the other."""
    best = tuple(1.0 for _ in SETTLED[metric])
    for place, name in enumerate(SETTLED[metric]):
        ends = (MEMORY_SPREAD | TIME_SPREAD)[name]
        tried = ((*best[:place], factor, *best[place + 1 :]) for factor in FACTORS if ends.low <= factor <= ends.high)
        best = min(tried, key=headline)
    return best


def _moved(metric: str, factors: tuple[float, ...]) -> Physics:
    return replace(TYPICAL, **{name: getattr(TYPICAL, name) * factor for name, factor in zip(SETTLED[metric], factors, strict=True)})


def _said(metric: str, row: Row, workload: Workload, hardware: Hardware, physics: Physics) -> float:
    made = computed(workload, hardware, physics, has_speed=metric not in ABOUT_MEMORY)
    if metric == "gpu_hours":
        return (made.duration_s or 0.0) * workload.gpu_count * as_hours(1)
    if metric == "peak_gib_per_gpu":
        peaks = {"allocated": made.allocated_bytes, "reserved": made.reserved_bytes}
        return peaks.get(row["peak_kind"], made.device_bytes) * as_gib(1)
    said, scale = SAID[metric]
    return said(made) * scale
