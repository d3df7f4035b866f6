"""What an engine's cache gets, by its own definition, and how long a prompt of a burst waits."""

from dataclasses import replace

import pytest

from app.domain.capacity import figures
from app.domain.capacity.engines import ENGINES, engine
from app.domain.capacity.formats import weight_format
from app.domain.capacity.memory.serving import cache_bytes, prefill_bytes, serving_weights_bytes
from app.domain.capacity.physics import TYPICAL
from app.domain.capacity.support import required_model
from app.domain.units import gib
from tests.factories.workloads import a_deployment, resolved


def _pool(name: str, share: float) -> tuple[float, float, float]:
    """Cache, weights and working memory of a Llama 3 8B on an 80 GiB card."""
    workload, _ = resolved(a_deployment(engine=name, memory_fraction=share))
    model, infer, weights = required_model(workload), workload.infer, weight_format("bf16", None)
    assert infer is not None
    runs = ENGINES[name]
    cache = cache_bytes(model, infer, weights, runs, gib(80), TYPICAL)
    return cache, serving_weights_bytes(model, weights, infer), sum(prefill_bytes(model, infer, runs, float(runs.most_sequences)))


def test_vllm_takes_its_share_of_the_card_for_everything() -> None:
    cache, weights, working = _pool("vllm", 0.9)
    assert cache + weights + working + TYPICAL.context_bytes == pytest.approx(0.9 * gib(80))


def test_sglang_works_outside_its_share() -> None:
    cache, weights, _ = _pool("sglang", 0.9)
    assert cache + weights == pytest.approx(0.9 * (gib(80) - TYPICAL.context_bytes))


def test_tensorrt_shares_what_weights_and_work_leave() -> None:
    cache, weights, working = _pool("tensorrt-llm", 0.9)
    graphs = ENGINES["tensorrt-llm"].graph_bytes
    assert cache == pytest.approx(0.9 * (gib(80) - TYPICAL.context_bytes - weights - working - graphs))


@pytest.mark.parametrize(("architecture", "size", "most"), [("Hopper", 79.6, 1024), ("Ampere", 79.6, 256), ("Ada Lovelace", 24.0, 256)])
def test_vllm_runs_more_sequences_on_large_new_cards(architecture: str, size: float, most: int) -> None:
    runs = engine("vLLM 0.9", gib(size), architecture)
    assert runs is not None
    assert runs.most_sequences == most


def test_a_burst_waits_for_the_mean_of_its_prefills() -> None:
    """Sixteen prompts of 2048 tokens, four to a prefill step of 8192: tokens after 1, 2, 3, 4 steps, 2.5 on average."""
    workload, hardware = resolved(a_deployment(in_len=2048, out_len=128, concurrency=16))
    burst = figures(workload, hardware).serving
    assert workload.infer is not None
    assert workload.infer.is_burst
    spread = figures(replace(workload, infer=replace(workload.infer, is_burst=False)), hardware).serving
    assert burst is not None
    assert spread is not None
    assert burst.ttft_s == pytest.approx(4 * burst.prefill_share_s * 2.5)
    assert spread.ttft_s == pytest.approx(spread.prefill_s + spread.tpot_s)  # a step of which others' prompts take their share
    assert burst.requests_per_s == spread.requests_per_s


def test_arrivals_spread_where_lengths_are_unknown_or_it_is_said() -> None:
    assert not resolved(a_deployment(concurrency=16))[0].infer.is_burst  # type: ignore[union-attr] # a deployment has settings
    said = resolved(a_deployment(concurrency=16, in_len=128, out_len=128, burst=False))[0].infer
    assert said is not None
    assert not said.is_burst
