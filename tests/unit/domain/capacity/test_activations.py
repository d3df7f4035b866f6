"""Activations against the published formula and table."""

import pytest

from app.domain.capacity import MemoryFigures
from app.domain.units import as_gib
from tests.factories.workloads import a_training, figures_of

GPT_22B = {"params_b": 22.1, "n_layers": 48, "hidden": 6144, "n_heads": 64, "n_kv_heads": 64, "ffn_hidden": 24576, "vocab": 51200}


def memory_of(**changes: object) -> MemoryFigures:
    settings = {"n_gpus": 8, "tp": 8, "precision": "fp16-mixed", "seq_len": 2048, "micro_batch": 4, "sharding": "none", "flash_attn": False}
    memory = figures_of(a_training(GPT_22B, **(settings | changes))).memory
    assert memory is not None
    return memory


def test_tensor_parallel_layer_is_korthikantis_formula() -> None:
    """s·b·h·(10 + 24/t + 5·a·s/(h·t)) bytes a layer (Korthikanti et al. 2022, equation 2): 59.25 GiB in the paper's 22B case."""
    s, b, h, a, t, layers = 2048, 4, 6144, 64, 8, 48
    expected = layers * s * b * h * (10 + 24 / t + 5 * a * s / (h * t))
    assert memory_of(act_ckpt="none").activations_bytes == pytest.approx(expected, rel=0.001)
    assert as_gib(expected) == pytest.approx(59.25, abs=0.01)


def test_selective_recomputation_with_sequence_parallelism_is_the_papers() -> None:
    """34·s·b·h/t bytes a layer (table 2): 9.56 GiB in the 22B case."""
    memory = memory_of(act_ckpt="selective", sequence_parallel=True)
    assert as_gib(34 * 2048 * 4 * 6144 / 8 * 48) == pytest.approx(9.56, abs=0.01)
    assert as_gib(memory.activations_bytes) == pytest.approx(9.56, rel=0.002)


def test_fused_attention_keeps_no_scores() -> None:
    saved = memory_of(act_ckpt="none").activations_bytes - memory_of(act_ckpt="none", flash_attn=True).activations_bytes
    assert saved == pytest.approx(48 * 5 * 64 * 2048 * 2048 * 4 / 8, rel=0.01)


def test_first_stage_holds_a_micro_batch_for_every_stage() -> None:
    one = memory_of(act_ckpt="none", n_gpus=8, micro_batch=1).activations_bytes
    staged = memory_of(act_ckpt="none", n_gpus=32, pp=4, micro_batch=1).activations_bytes
    assert one <= staged < 1.1 * one
