"""Freezing, Muon, rings, uneven experts, activations and states that live elsewhere: what each costs and saves."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.capacity import Figures, MemoryFigures, TimeFigures
from app.domain.capacity.support import required_model
from app.domain.capacity.time import MUON_STEPS, newton_schulz_flop
from app.domain.workload.parameters import parameters
from tests.factories.workloads import a_training, figures_of, resolved


def both(figures: Figures) -> tuple[MemoryFigures, TimeFigures]:
    assert figures.memory is not None
    assert figures.time is not None
    return figures.memory, figures.time


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 31), st.sampled_from(["none", "fsdp", "zero2"]), st.sampled_from(["none", "full", "selective"]), st.sampled_from([1, 8])
)
def test_each_more_trained_layer_costs_memory_and_time(layers: int, sharding: str, act_ckpt: str, gpus: int) -> None:
    said: dict[str, Any] = {"method": "freeze", "sharding": sharding, "act_ckpt": act_ckpt, "n_gpus": gpus}
    fewer, faster = both(figures_of(a_training("llama-2-7b", trainable_layers=layers, **said)))
    more, slower = both(figures_of(a_training("llama-2-7b", trainable_layers=layers + 1, **said)))
    whole, slowest = both(figures_of(a_training("llama-2-7b", **(said | {"method": "full"}))))
    assert fewer.device_bytes < more.device_bytes <= whole.device_bytes
    assert faster.step_time_s < slower.step_time_s <= slowest.step_time_s
    assert 0 < faster.mfu_ratio < 1


def test_frozen_weights_are_kept_in_sixteen_bit_and_the_rest_as_in_full_training() -> None:
    """Two of 32 layers of Llama 2 7B: all weights in 2 bytes, 2 of gradient and 12 of optimizer for 2 · 202.4 million parameters."""
    memory, _ = both(figures_of(a_training("llama-2-7b", method="freeze", trainable_layers=2)))
    assert memory.weights_bytes == pytest.approx(2 * 6.738e9, rel=0.001)
    assert memory.optimizer_bytes == pytest.approx(12 * 2 * 202.4e6, rel=0.001)


def test_muon_keeps_one_number_of_a_matrix_and_two_of_the_rest() -> None:
    model = required_model(resolved(a_training("llama-2-7b"))[0])
    muon, slower = both(figures_of(a_training("llama-2-7b", optimizer="muon", n_gpus=8, sharding="zero1")))
    adam, faster = both(figures_of(a_training("llama-2-7b", optimizer="adamw", n_gpus=8, sharding="zero1")))
    made = parameters(model)
    matrices = made.layers * made.linear
    assert adam.optimizer_bytes - muon.optimizer_bytes == pytest.approx(4 * matrices / 8, rel=1e-6)
    assert slower.step_time_s > faster.step_time_s


def test_newton_schulz_of_a_square_matrix_is_thirty_cubes() -> None:
    """m = n: five iterations of 4·n³ + 2·n³."""
    assert MUON_STEPS * newton_schulz_flop(1024**2, 1024, 1024) == pytest.approx(30 * 1024**3)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([1, 2, 4]), st.sampled_from([8192, 32768]), st.sampled_from(["llama-3-8b", "mixtral-8x7b", "deepseek-v2-lite"]))
def test_context_parallelism_divides_activations_and_pays_the_ring(cp: int, seq_len: int, model: str) -> None:
    said: dict[str, Any] = {"n_gpus": 8, "sharding": "fsdp", "seq_len": seq_len, "act_ckpt": "none"}
    less, ringed = both(figures_of(a_training(model, cp=2 * cp, **said)))
    more, plain = both(figures_of(a_training(model, cp=cp, **said)))
    assert less.activations_bytes == pytest.approx(more.activations_bytes / 2, rel=0.01)
    assert ringed.tokens_per_s_per_gpu <= plain.tokens_per_s_per_gpu * (1 + 1e-9)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([1, 2, 4]), st.sampled_from(["mixtral-8x7b", "deepseek-v2-lite"]), st.sampled_from(["fsdp", "zero1"]))
def test_expert_parallelism_never_adds_weights_and_talks(ep: int, model: str, sharding: str) -> None:
    said: dict[str, Any] = {"n_gpus": 8, "sharding": sharding, "act_ckpt": "full"}
    spread, talking = both(figures_of(a_training(model, ep=2 * ep, **said)))
    whole, quiet = both(figures_of(a_training(model, ep=ep, **said)))
    assert spread.weights_bytes <= whole.weights_bytes * (1 + 1e-12)
    assert talking.collectives_s > 0
    assert quiet.collectives_s > 0


def test_offloaded_activations_cross_pcie() -> None:
    """Without recomputation the kept bytes of 32 layers are far more than PCIe carries meanwhile."""
    said: dict[str, Any] = {"act_ckpt": "none", "seq_len": 2048, "micro_batch": 1}
    away, slower = both(figures_of(a_training("llama-2-7b", knobs=["cpu-offload-activations"], **said)))
    here, faster = both(figures_of(a_training("llama-2-7b", **said)))
    assert away.activations_bytes < here.activations_bytes / 10
    assert slower.step_time_s > faster.step_time_s


def test_paged_states_leave_the_device_and_cross_pcie() -> None:
    paged, slower = both(figures_of(a_training("llama-2-7b", optimizer="paged_adamw8bit")))
    held, faster = both(figures_of(a_training("llama-2-7b", optimizer="adamw8bit")))
    assert paged.optimizer_bytes < held.optimizer_bytes
    assert slower.step_time_s > faster.step_time_s


def test_megatron_keeps_eight_bit_weights_and_their_transposes() -> None:
    """Transformer Engine: one byte each way beside two of bf16, over two tensor-parallel ranks."""
    low, _ = both(figures_of(a_training("llama-2-7b", n_gpus=2, tp=2, precision="fp8-mixed", gpu="h100-sxm5-80gb")))
    wide, _ = both(figures_of(a_training("llama-2-7b", n_gpus=2, tp=2, precision="bf16-mixed", gpu="h100-sxm5-80gb")))
    assert low.weights_bytes == pytest.approx(2 * wide.weights_bytes, rel=1e-6)


def test_packed_encoder_batches_have_no_padding() -> None:
    packed = both(figures_of(a_training("bert-large", seq_len=512, micro_batch=32, knobs=["packed"])))[1]
    padded = both(figures_of(a_training("bert-large", seq_len=512, micro_batch=32)))[1]
    assert 1.5 < packed.samples_per_s / padded.samples_per_s < 2.3
