"""What must hold whatever the numbers are."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.capacity import estimate, figures, resolve_hardware
from app.domain.estimate import Estimate
from app.domain.workload.settings import Recomputation
from app.seeds import load_catalogue
from app.wire.workload import parse_workload
from tests.factories.workloads import a_deployment, a_training, estimate_of, figures_of, resolved

MODELS = st.sampled_from(["llama-2-7b", "llama-3-8b", "mixtral-8x7b", "gpt-2", "bert-large", "falcon-7b", "gemma-2-9b", "deepseek-v2-lite"])
TRAININGS = st.fixed_dictionaries(
    {
        "model": MODELS,
        "method": st.sampled_from(["full", "lora", "qlora4", "qlora8"]),
        "precision": st.sampled_from(["fp32", "bf16-mixed", "pure-bf16", "fp16-mixed"]),
        "sharding": st.sampled_from(["none", "zero1", "zero2", "zero3", "fsdp"]),
        "act_ckpt": st.sampled_from(["none", "selective", "full"]),
        "flash_attn": st.booleans(),
        "n_gpus": st.sampled_from([1, 2, 4, 8, 16]),
        "seq_len": st.sampled_from([128, 512, 1024]),
        "micro_batch": st.integers(1, 8),
        "knobs": st.lists(st.sampled_from(["compile", "chunked-loss", "optimizer-in-backward", "foreach-optimizer"]), unique=True),
    }
)


def a_case(case: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return a_training(case["model"], **({key: value for key, value in case.items() if key != "model"} | changes))


@settings(max_examples=80, deadline=None)
@given(TRAININGS)
def test_more_tokens_never_need_less_memory(case: dict[str, Any]) -> None:
    longer = figures_of(a_case(case, seq_len=2 * case["seq_len"])).device_bytes
    wider = figures_of(a_case(case, micro_batch=case["micro_batch"] + 1)).device_bytes
    assert figures_of(a_case(case)).device_bytes <= min(longer, wider) * (1 + 1e-12)


@settings(max_examples=60, deadline=None)
@given(TRAININGS)
def test_parts_sum_to_the_peak_and_peaks_are_ordered(case: dict[str, Any]) -> None:
    memory = estimate_of(a_case(case)).memory
    assert memory is not None
    assert sum(part.size_bytes for part in memory.parts) == pytest.approx(memory.device_bytes.typical)
    assert all(part.size_bytes >= 0 for part in memory.parts)
    assert memory.allocated_bytes.typical <= memory.reserved_bytes.typical <= memory.device_bytes.typical
    weights = next(part.size_bytes for part in memory.parts if part.name == "weights")
    assert memory.device_bytes.low > weights


@settings(max_examples=60, deadline=None)
@given(TRAININGS, st.sampled_from(["none", "zero1", "zero2", "zero3"]))
def test_sharding_never_adds_to_the_sharded_part(case: dict[str, Any], stage: str) -> None:
    order = ["none", "zero1", "zero2", "zero3"]
    further = order[min(order.index(stage) + 1, 3)]
    less, more = (figures_of(a_case(case, sharding=name, knobs=[])).memory for name in (stage, further))
    assert less is not None
    assert more is not None
    assert more.optimizer_bytes <= less.optimizer_bytes * (1 + 1e-12)
    assert more.weights_bytes <= less.weights_bytes * (1 + 1e-12)


@settings(max_examples=60, deadline=None)
@given(TRAININGS)
def test_more_bandwidth_and_more_peak_are_never_slower(case: dict[str, Any]) -> None:
    workload, hardware = resolved(a_case(case))
    assert hardware.gpu is not None
    board = hardware.gpu
    faster = replace(board, memory_bandwidth_bytes_per_s=2 * (board.memory_bandwidth_bytes_per_s or 0))
    stronger = replace(board, peak_fp16_dense_flops=624e12, peak_bf16_dense_flops=624e12, peak_fp32_dense_flops=39e12)
    now = figures(workload, hardware).time
    assert now is not None
    for other in (replace(hardware, gpu=faster), replace(hardware, gpu=stronger), replace(hardware, link_bytes_per_s=6e11)):
        then = figures(workload, other).time
        assert then is not None
        assert then.step_time_s <= now.step_time_s * (1 + 1e-9)


def every_range(answer: Any) -> list[Estimate]:
    shapes = (answer.memory, answer.throughput, answer.duration, answer.energy, answer.collective)
    values = [getattr(shape, name) for shape in shapes if shape is not None for name in shape.__dataclass_fields__]
    return [value for value in values if isinstance(value, Estimate)]


@settings(max_examples=40, deadline=None)
@given(TRAININGS)
def test_figures_are_the_typical_values_of_the_estimate(case: dict[str, Any]) -> None:
    workload, hardware = resolved(a_case(case, train_tokens_b=1))
    typical, answer = figures(workload, hardware), estimate(workload, hardware)
    assert answer.memory is not None
    assert answer.throughput is not None
    assert answer.duration is not None
    assert answer.memory.device_bytes.typical == typical.device_bytes
    assert answer.throughput.step_time_s is not None
    assert answer.throughput.step_time_s.typical == typical.step_time_s
    assert answer.duration.duration_s.typical == typical.duration_s
    assert all(value.low <= value.typical <= value.high for value in every_range(answer))


@settings(max_examples=40, deadline=None)
@given(MODELS, st.integers(1, 64), st.integers(1, 4096), st.integers(1, 1024))
def test_serving_never_beats_its_memory(model: str, concurrency: int, prompt: int, answer: int) -> None:
    if model == "bert-large":
        return
    speed = figures_of(a_deployment(model, concurrency=concurrency, in_len=prompt, out_len=answer)).serving
    assert speed is not None
    assert not speed.is_above_ceiling
    assert speed.batch_per_replica <= concurrency
    assert speed.tpot_s >= speed.step_s


@pytest.mark.parametrize(("gpus", "assumed_recomputation"), [(1, Recomputation.FULL), (8, Recomputation.NONE)])
def test_speed_ranges_reach_what_an_unsaid_recomputation_would_change(gpus: int, assumed_recomputation: Recomputation) -> None:
    """Recomputation that nobody asked for may be off: a third of the forward products less; or on, where none was assumed (R-M6)."""
    catalogue = load_catalogue()
    workload, assumed = parse_workload({"model": {"name": "llama-2-7b"}, "train": {}, "gpu": "a100-sxm4-80gb", "n_gpus": gpus}, catalogue)
    hardware, _ = resolve_hardware(workload, catalogue)
    said, unsaid = estimate(workload, hardware), estimate(workload, hardware, assumed)
    assert workload.train is not None
    assert workload.train.act_ckpt is assumed_recomputation
    assert said.throughput is not None
    assert unsaid.throughput is not None
    narrow, wide = said.throughput.step_time_s, unsaid.throughput.step_time_s
    assert narrow is not None
    assert wide is not None
    assert wide.typical == narrow.typical
    if assumed_recomputation is Recomputation.FULL:
        assert wide.low < 0.97 * narrow.low
        assert wide.high == narrow.high
    else:
        assert wide.high > 1.03 * narrow.high
        assert wide.low == narrow.low


LAYOUTS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["llama-2-7b", "llama-3-8b", "mixtral-8x7b"]),
        "tp": st.sampled_from([1, 2, 4]),
        "pp": st.sampled_from([1, 2, 4]),
        "cp": st.sampled_from([1, 2]),
        "n_gpus": st.sampled_from([32, 64]),
        "nodes": st.sampled_from([4, 8]),
        "sharding": st.sampled_from(["none", "zero1", "fsdp"]),
        "act_ckpt": st.sampled_from(["none", "selective", "full"]),
        "sequence_parallel": st.booleans(),
        "seq_len": st.sampled_from([512, 1024]),
        "gpu": st.sampled_from(["a100-sxm4-80gb", "h100-sxm5-80gb", "l40s"]),
    }
)


@settings(max_examples=80, deadline=None)
@given(LAYOUTS)
def test_parts_of_a_parallel_layout_sum_to_the_peak_and_to_the_step(case: dict[str, Any]) -> None:
    made = figures_of(a_case(case))
    assert made.memory is not None
    assert made.time is not None
    parts = [getattr(made.memory, name) for name in made.memory.__dataclass_fields__ if name.endswith("_bytes")]
    assert sum(parts) == pytest.approx(made.device_bytes)
    times = (made.time.compute_s, made.time.memory_s, made.time.collectives_s, made.time.bubble_s)
    assert all(value >= 0 for value in (*parts, *times))
    assert sum(times) == pytest.approx(made.time.step_time_s)


@settings(max_examples=60, deadline=None)
@given(LAYOUTS)
def test_faster_links_and_networks_never_slow_a_parallel_layout(case: dict[str, Any]) -> None:
    workload, hardware = resolved(a_case(case))
    now = figures(workload, hardware).step_time_s
    for faster in (
        replace(hardware, link_bytes_per_s=2 * hardware.link_bytes_per_s),
        replace(hardware, network_bytes_per_s=2 * hardware.network_bytes_per_s),
        replace(hardware, pcie_bytes_per_s=2 * hardware.pcie_bytes_per_s),
    ):
        assert figures(workload, faster).step_time_s <= now * (1 + 1e-9)


@settings(max_examples=40, deadline=None)
@given(LAYOUTS, st.sampled_from([2, 4]))
def test_interleaved_stages_shorten_the_bubble_and_keep_more_activations(case: dict[str, Any], chunks: int) -> None:
    """R-M6: the bubble is divided by the groups, (p − 1)/v micro-batches more wait (arXiv:2205.05198 §4.2.3)."""
    plain, turns = (figures_of(a_case(case, pp=4, sharding="none", interleave=groups)) for groups in (1, chunks))
    assert plain.time is not None
    assert turns.time is not None
    assert turns.time.bubble_s < plain.time.bubble_s
    assert turns.allocated_bytes >= plain.allocated_bytes


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["allreduce", "allgather", "reducescatter", "alltoall"]),
    st.integers(10, 33),
    st.sampled_from([(8, 1), (16, 2), (64, 8)]),
)
def test_a_larger_message_takes_longer_and_uses_the_links_no_worse(op: str, size: int, machines: tuple[int, int]) -> None:
    def asked(message: int) -> Any:
        gpus, nodes = machines
        document = {"task": "collective", "gpu": "h100-sxm5-80gb", "n_gpus": gpus, "nodes": nodes}
        return figures_of(document | {"collective": {"op": op, "msg_bytes": message}}).collective

    small, large = asked(2**size), asked(2 ** (size + 1))
    assert large.time_s > small.time_s
    assert large.bus_bytes_per_s >= small.bus_bytes_per_s * (1 - 1e-9)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["llama-3-8b", "llama-3-70b", "mixtral-8x7b"]), st.integers(1, 256), st.integers(1, 2048), st.integers(1, 512))
def test_serving_is_never_slower_with_more_bandwidth(model: str, concurrency: int, prompt: int, answer: int) -> None:
    document = a_deployment(model, gpu="h100-sxm5-80gb", n_gpus=8, concurrency=concurrency, in_len=prompt, out_len=answer)
    workload, hardware = resolved(document)
    assert hardware.gpu is not None
    faster = replace(hardware.gpu, memory_bandwidth_bytes_per_s=2 * (hardware.gpu.memory_bandwidth_bytes_per_s or 0))
    now, then = figures(workload, hardware).serving, figures(workload, replace(hardware, gpu=faster)).serving
    assert now is not None
    assert then is not None
    assert then.tpot_s <= now.tpot_s * (1 + 1e-9)
    assert then.requests_per_s >= now.requests_per_s * (1 - 1e-9)


def test_interleaved_stages_are_megatrons_whose_optimizer_keeps_one_gradient() -> None:
    """ZeRO-1 beside pipeline stages: DeepSpeed keeps 2 + 4 bytes of gradients a parameter; interleaved stages only Megatron has, which keeps 4."""
    layout = {"n_gpus": 32, "nodes": 4, "tp": 2, "pp": 4, "sharding": "zero1", "precision": "bf16-mixed", "act_ckpt": "full"}
    deepspeed, megatron = (figures_of(a_training("llama-2-7b", **layout, interleave=turns)).memory for turns in (1, 2))
    assert deepspeed is not None
    assert megatron is not None
    assert megatron.gradients_bytes == pytest.approx(deepspeed.gradients_bytes * 4 / 6)
    assert megatron.buckets_bytes == 0.0
    assert deepspeed.buckets_bytes > 0.0
