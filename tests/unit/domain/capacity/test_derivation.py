"""Every formula of a derivation, evaluated with its inputs, gives its result."""

import ast
import operator
from collections.abc import Callable
from typing import Any

import pytest

from app.domain.estimate import Step
from tests.factories.workloads import a_deployment, a_training, estimate_of

UNITS = {
    "1": 1.0,
    "": 1.0,
    "B": 1.0,
    "GiB": 2.0**30,
    "TFLOPS": 1e12,
    "GB/s": 1e9,
    "s": 1.0,
    "ms": 1e-3,
    "1/s": 1.0,
    "h": 3600.0,
    "W": 1.0,
    "kWh": 3.6e6,
}
OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
CASES: dict[str, dict[str, Any]] = {
    "full on one card": a_training(precision="pure-bf16", train_tokens_b=1),
    "fsdp": a_training("llama-3-8b", n_gpus=8, sharding="fsdp", train_tokens_b=1),
    "zero2, no recomputation": a_training("llama-3-8b", n_gpus=8, sharding="zero2", act_ckpt="none", micro_batch=2),
    "pipeline": a_training("gpt3-175b", n_gpus=64, tp=8, pp=8, sharding="none", global_batch=64, micro_batch=1, train_samples=1e6),
    "qlora": a_training("llama-2-13b", gpu="rtx-4090", method="qlora4"),
    "experts": a_training("mixtral-8x7b", n_gpus=16, ep=8, sharding="fsdp"),
    "offloaded": a_training(n_gpus=2, sharding="zero3", offload="all"),
    "paged states": a_training(optimizer="paged_adamw8bit"),
    "frozen": a_training(method="freeze", trainable_layers=4, n_gpus=8, sharding="fsdp", act_ckpt="none", train_tokens_b=1),
    "muon": a_training(n_gpus=8, optimizer="muon", sharding="zero1"),
    "ring": a_training("llama-3-8b", n_gpus=8, cp=4, sharding="fsdp", seq_len=32768),
    "eight bits under megatron": a_training("llama-3-8b", n_gpus=8, tp=2, precision="fp8-mixed", gpu="h100-sxm5-80gb"),
    "packed encoder": a_training("bert-large", seq_len=512, micro_batch=32, knobs=["packed"], train_tokens_b=1),
    "offloaded activations": a_training(knobs=["cpu-offload-activations"], act_ckpt="none"),
    "hybrid served": a_deployment("qwen3-next-80b-a3b", n_gpus=4, gpu="h100-sxm5-80gb"),
    "volumes": a_training("nnunet-3d", image_size=96, micro_batch=2),
    "recommender": a_training("dlrm-dcnv2", n_gpus=8, optimizer="sgd"),
    "memory only": a_training(gpu_memory_gib=40),
    "served": a_deployment(concurrency=16),
    "served over four": a_deployment("llama-3-70b", n_gpus=4, weight_precision="fp8", gpu="h100-sxm5-80gb"),
    "images": a_training("resnet-50", micro_batch=128, n_gpus=8, train_samples=1e8, precision="fp16-mixed"),
    "images served": {"model": {"name": "vit-l-16"}, "task": "infer", "gpu": "l4", "infer": {"concurrency": 64}},
    "collective": {"task": "collective", "n_gpus": 8, "gpu": "h100-sxm5-80gb", "collective": {"op": "allreduce"}},
}


def value(node: ast.expr, symbols: dict[str, float]) -> float:
    match node:
        case ast.BinOp(left, operation, right):
            return OPERATORS[type(operation)](value(left, symbols), value(right, symbols))
        case ast.Name(name):
            return symbols[name]
        case ast.Constant(number) if isinstance(number, int | float):
            return float(number)
        case ast.Call(ast.Name(name), arguments):
            return {"min": min, "max": max}[name](*(value(argument, symbols) for argument in arguments))
    raise AssertionError(ast.dump(node))


def evaluated(step: Step) -> float:
    right = step.formula.split("=", 1)[1].replace("·", "*").replace("−", "-")
    symbols = {entry.symbol: float(entry.value) * UNITS[entry.unit] for entry in step.inputs}
    return value(ast.parse(right.strip(), mode="eval").body, symbols) / UNITS[step.unit]


@pytest.mark.parametrize("name", CASES)
def test_formulas_give_their_results(name: str) -> None:
    derivation = estimate_of(CASES[name]).derivation
    assert derivation
    for step in derivation:
        assert evaluated(step) == pytest.approx(step.result, rel=1e-6, abs=1e-9), step


@pytest.mark.parametrize("name", CASES)
def test_steps_have_sources_and_name_steps_that_exist(name: str) -> None:
    derivation = estimate_of(CASES[name]).derivation
    keys = [step.key for step in derivation]
    assert len(set(keys)) == len(keys)
    assert all(step.source for step in derivation)
    assert {entry.step for step in derivation for entry in step.inputs if entry.step} <= set(keys)


@pytest.mark.parametrize("name", CASES)
def test_every_part_of_the_memory_table_has_a_step(name: str) -> None:
    answer = estimate_of(CASES[name])
    keys = {step.key for step in answer.derivation}
    parts = () if answer.memory is None else answer.memory.parts
    assert {f"memory.{part.name}" for part in parts if part.size_bytes and part.name != "context"} <= keys
