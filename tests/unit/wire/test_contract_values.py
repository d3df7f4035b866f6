"""Every value that the contract's workload names is answered or refused by its name, with the field that carries it."""

from typing import Any

import pytest

from app.domain.errors import InvalidInput
from app.domain.workload.settings import Knob, Method, Offload, Optimizer, Recomputation, Sharding, TrainPrecision
from tests.factories.workloads import a_deployment, a_training, estimate_of

TRAIN: dict[str, tuple[Any, ...]] = {
    "method": tuple(Method),
    "precision": tuple(TrainPrecision),
    "optimizer": tuple(Optimizer),
    "sharding": tuple(Sharding),
    "offload": tuple(Offload),
    "act_ckpt": tuple(Recomputation),
    "flash_attn": (True, False),
    "sequence_parallel": (True, False),
    "tp": (1, 2, 8),
    "pp": (1, 2, 4),
    "cp": (1, 2, 8),
    "dp": (8,),
    "ep": (1, 2, 8),
    "lora_rank": (8, 64),
    "trainable_layers": (1, 4),
    "train_tokens_b": (1.0,),
    "knobs": tuple([knob] for knob in Knob),
}
INFER: dict[str, tuple[Any, ...]] = {
    "weight_precision": ("fp32", "fp16", "bf16", "fp8", "int8", "fp4", "int4"),
    "weight_format": ("gptq", "awq", "bnb.nf4", "q4_k_m"),
    "memory_fraction": (0.5, 0.9, 1.0),
    "kv_precision": ("fp32", "fp16", "bf16", "fp8", "int8", "int4"),
    "engine": ("vllm", "sglang", "tensorrt-llm", "lmdeploy", "llama.cpp", "transformers"),
    "tp": (1, 2, 4, 8),
    "concurrency": (1, 32),
}
SAMPLES: dict[str, tuple[Any, ...]] = {
    "optimizer": tuple(value for value in Optimizer if value is not Optimizer.MUON),
    "sharding": tuple(Sharding),
    "precision": (TrainPrecision.FP32, TrainPrecision.FP16_MIXED, TrainPrecision.BF16_MIXED),
    "image_size": (128, 512),
    "knobs": (["compile"], ["fp32-gradients"]),
}
REFUSED_OF_SAMPLES: dict[str, tuple[Any, ...]] = {
    "method": tuple(value for value in Method if value is not Method.FULL),
    "optimizer": (Optimizer.MUON,),
    "offload": (Offload.OPTIMIZER, Offload.ALL),
    "act_ckpt": (Recomputation.FULL, Recomputation.SELECTIVE),
    "tp": (2,),
    "pp": (2,),
    "cp": (2,),
    "ep": (2,),
    "knobs": tuple([knob] for knob in Knob if knob not in (Knob.COMPILE, Knob.FP32_GRADIENTS)),
}


def each(values: dict[str, tuple[Any, ...]]) -> list[Any]:
    return [pytest.param(key, value, id=f"{key}={value}") for key, choices in values.items() for value in choices]


@pytest.mark.parametrize(("key", "value"), each(TRAIN))
@pytest.mark.parametrize("model", ["llama-3-8b", "mixtral-8x7b"])
def test_training_values_are_answered(model: str, key: str, value: Any) -> None:
    if key == "ep" and value > 1 and model == "llama-3-8b":
        pytest.skip("no experts: refused by name, see the workload's contradictions")
    answer = estimate_of(a_training(model, gpu="b200-sxm-180gb", n_gpus=8, seq_len=2048, **{key: value}))
    assert answer.memory is not None
    assert answer.throughput is not None
    assert answer.throughput.tokens_per_s_per_gpu is not None
    assert answer.throughput.tokens_per_s_per_gpu.low > 0


@pytest.mark.parametrize(("key", "value"), each(INFER))
@pytest.mark.parametrize("model", ["llama-3-8b", "deepseek-v2-lite", "qwen3-next-80b-a3b"])
def test_serving_values_are_answered(model: str, key: str, value: Any) -> None:
    answer = estimate_of(a_deployment(model, gpu="b200-sxm-180gb", n_gpus=8, **{key: value}))
    assert answer.memory is not None
    assert answer.throughput is not None
    assert answer.throughput.decode_tokens_per_s is not None
    assert answer.throughput.decode_tokens_per_s.low > 0


@pytest.mark.parametrize(("key", "value"), each(SAMPLES))
@pytest.mark.parametrize("model", ["resnet-50", "nnunet-3d"])
def test_values_are_answered_of_models_known_by_samples(model: str, key: str, value: Any) -> None:
    answer = estimate_of(a_training(model, n_gpus=8, micro_batch=4, **{key: value}))
    assert answer.memory is not None
    assert answer.throughput is not None


@pytest.mark.parametrize(("key", "value"), each(REFUSED_OF_SAMPLES))
def test_the_rest_is_refused_by_name(key: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        estimate_of(a_training("resnet-50", n_gpus=8, **{key: value}))
    assert refused.value.field == f"train.{key}"
    named = str(value[0] if isinstance(value, list) else value)
    assert named in str(refused.value.message.params["knob"])


@pytest.mark.parametrize("op", ["allreduce", "allgather", "reducescatter", "alltoall", "broadcast", "reduce", "sendrecv"])
def test_collectives_are_answered(op: str) -> None:
    document = {"task": "collective", "gpu": "h100-sxm5-80gb", "n_gpus": 16, "nodes": 2, "collective": {"op": op, "msg_bytes": 2**28}}
    assert estimate_of(document).collective is not None
