"""What is taken where a workload says nothing, each with its reason (U4)."""

from collections.abc import Mapping
from dataclasses import fields
from itertools import product
from math import prod
from typing import Any

from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import message
from app.domain.estimate import Assumption
from app.domain.units import billions, gb
from app.domain.workload.settings import (
    InferSettings,
    Method,
    Recomputation,
    Sharding,
    TrainPrecision,
    TrainSettings,
)

CHECKPOINTED_FROM = billions(1)  # parameters from which recomputation is usual in fine-tuning recipes
TENSOR_PARALLEL_FROM = billions(20)  # parameters from which pre-training recipes split layers (Megatron-LM examples)
STATE_BYTES, HALF_BYTES = 6.0, 2.0  # a parameter's weight and gradient that ZeRO-1 leaves whole; a frozen weight
IMAGE_BATCH = 32  # samples of a micro-batch where samples are not token sequences
CARRIED_BYTES = gb(50)  # of them that an 80 GB card carries beside activations
FILLING_TOKEN_COUNT = 4096  # tokens of a micro-batch that fill the matrix units
WHEN_ASKED = ("train_tokens", "train_samples", "image_size", "knobs", "global_batch", "dp")  # absent means absent
CONTRACT_NAMES = {"memory_fraction_ratio": "memory_fraction", "is_burst": "burst"}
ENGINE_SHARES = {
    "vllm": 0.9,
    "sglang": 0.88,
    "tensorrt": 0.9,
    "trt": 0.9,
    "lmdeploy": 0.8,
}  # of the card, by the engines' documentation; others take all
WEIGHT_BYTES = {"fp32": 4.0, "fp8": 1.0, "int8": 1.0, "int4": 0.55, "fp4": 0.55}  # of a parameter, for choosing a layout; else 2
SIXTEEN_BIT = ("fp32", "fp16", "bf16")


def train_settings(
    said: Mapping[str, Any], model: LanguageModel | OtherModel | None, gpu_count: int, *, has_bf16: bool
) -> tuple[TrainSettings, tuple[Assumption, ...]]:
    """Training settings with what was said, and usual choices for the rest."""
    chosen: dict[str, Any] = dict(said)
    if isinstance(model, LanguageModel):
        chosen |= _model_parallel(chosen, model, gpu_count)
    split = int(chosen.get("tp", 1)) * int(chosen.get("pp", 1))
    chosen.setdefault("precision", TrainPrecision.BF16_MIXED if has_bf16 else TrainPrecision.FP16_MIXED)
    method = chosen.setdefault("method", Method.FULL)
    if isinstance(model, OtherModel):
        chosen = {"act_ckpt": Recomputation.NONE, "sharding": Sharding.NONE, "micro_batch": IMAGE_BATCH} | chosen
    small = model is not None and (model.parameter_count or 0.0) < CHECKPOINTED_FROM
    whole = gpu_count <= split or small or method is not Method.FULL
    chosen.setdefault("sharding", Sharding.NONE if whole else Sharding.ZERO1 if split > 1 else Sharding.FSDP)
    usual = Recomputation.NONE if small else Recomputation.SELECTIVE if split > 1 else Recomputation.FULL
    chosen.setdefault("act_ckpt", usual)
    chosen.setdefault("seq_len", _usual_length(model))
    chosen.setdefault("micro_batch", _micro_batch(chosen, gpu_count))
    splits_sequence = chosen["act_ckpt"] is Recomputation.SELECTIVE or chosen["sharding"] is Sharding.FSDP
    chosen.setdefault("sequence_parallel", int(chosen.get("tp", 1)) > 1 and splits_sequence)
    settings = TrainSettings(**chosen)
    skipped = set(WHEN_ASKED) | (set() if method in (Method.LORA, Method.QLORA4, Method.QLORA8) else {"lora_rank"})
    return settings, _assumed("train", settings, said, skipped)


def infer_settings(
    said: Mapping[str, Any], model: LanguageModel | OtherModel | None, gpu_count: int, *, capacity_bytes: float | None
) -> tuple[InferSettings, tuple[Assumption, ...]]:
    """Serving settings with what was said, and usual choices for the rest."""
    chosen: dict[str, Any] = dict(said)
    if isinstance(model, OtherModel):
        chosen.setdefault("engine", "pytorch")
    engine = str(chosen.get("engine", "vllm")).casefold()
    weights = str(chosen.get("weight_precision", "bf16"))
    if "tp" not in chosen:
        chosen["tp"] = 1 if "layer split" in engine else _tensor_parallel(model, gpu_count)
    if "pp" not in chosen:
        size = (model.parameter_count or 0.0) * WEIGHT_BYTES.get(weights, 2.0) / int(chosen["tp"]) if model else 0.0
        overflows = capacity_bytes is not None and size > capacity_bytes
        chosen["pp"] = max(1, gpu_count // int(chosen["tp"])) if "layer split" in engine or overflows else 1
    chosen.setdefault("kv_precision", weights if weights in SIXTEEN_BIT else "bf16")
    chosen.setdefault("memory_fraction_ratio", next((share for name, share in ENGINE_SHARES.items() if name in engine), 1.0))
    chosen.setdefault("is_burst", {"concurrency", "in_len", "out_len"} <= chosen.keys())  # equal requests end, and come again, together
    settings = InferSettings(**chosen)
    skipped = (
        {"weight_format", "image_size"}
        | (set() if settings.is_burst else {"is_burst"})
        | ({"concurrency"} if "concurrency" in said else set())
    )
    return settings, _assumed("infer", settings, said, skipped if settings.pp > 1 else skipped | {"pp"})


def _model_parallel(chosen: Mapping[str, Any], model: LanguageModel, gpu_count: int) -> dict[str, int]:
    """Tensor, then pipeline, then context parallelism where nobody named a layout: enough for the states that data parallelism leaves on
    each GPU, and for the global batch to be divided."""
    if gpu_count == 1 or any(name in chosen for name in ("tp", "pp", "cp", "dp", "sharding")):
        return {}
    count, is_full = model.parameter_count or 0.0, chosen.get("method", Method.FULL) is Method.FULL
    held = count * (STATE_BYTES if is_full and count >= TENSOR_PARALLEL_FROM else 0.0 if is_full else HALF_BYTES)
    batch = int(chosen.get("global_batch") or gpu_count)
    for tp, pp, cp in sorted(product((1, 2, 4, 8), (1, 2, 4, 8, 16), (1, 2, 4, 8)), key=lambda sizes: (prod(sizes), -sizes[0], sizes[2])):
        parallel = tp * pp * cp
        fits = held <= CARRIED_BYTES * tp * pp and model.head_count % tp == 0 and model.layer_count >= pp
        if fits and gpu_count % parallel == 0 and batch % (gpu_count // parallel) == 0:
            return {"tp": tp, "pp": pp, "cp": cp} if parallel > 1 else {}
    return {}


def _micro_batch(chosen: Mapping[str, Any], gpu_count: int) -> int:
    """Sequences that make up some thousand tokens, in a number that divides the global batch of a data-parallel rank."""
    most = max(1, FILLING_TOKEN_COUNT // int(chosen["seq_len"]))
    if chosen.get("global_batch") is None:
        return most
    dp = max(1, gpu_count // (int(chosen.get("tp", 1)) * int(chosen.get("pp", 1)) * int(chosen.get("cp", 1))))
    share = int(chosen["global_batch"]) // dp
    return max((size for size in range(1, min(most, share) + 1) if share % size == 0), default=1)


def _usual_length(model: LanguageModel | OtherModel | None) -> int:
    if isinstance(model, LanguageModel):
        usual = 512 if model.kind == "encoder" else 2048
        return min(usual, model.max_context or usual)
    return 2048


def _tensor_parallel(model: LanguageModel | OtherModel | None, gpu_count: int) -> int:
    """All GPUs of a machine together, as far as the heads divide."""
    if not isinstance(model, LanguageModel):
        return 1
    return max(size for size in range(1, min(gpu_count, 8) + 1) if gpu_count % size == 0 and model.head_count % size == 0)


def _assumed(group: str, settings: TrainSettings | InferSettings, said: Mapping[str, Any], skipped: set[str]) -> tuple[Assumption, ...]:
    return tuple(
        Assumption(
            field=f"{group}.{CONTRACT_NAMES.get(field.name, field.name)}",
            value=getattr(settings, field.name),
            why=message(f"assume.{group}.{field.name}"),
        )
        for field in fields(settings)
        if field.name not in said and field.name not in skipped
    )
