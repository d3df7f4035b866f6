"""What is taken where a workload says nothing, each with its reason (U4)."""

from collections.abc import Mapping
from dataclasses import fields
from itertools import product
from math import prod
from typing import Any

from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import message
from app.domain.estimate import Assumption
from app.domain.units import billions, gib
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
CARRIED_RATIO = 0.6  # of a card, what layouts give to them: the rest is for activations (50 GB of 80, Megatron-LM examples)
FILLED_RATIO = 0.9  # of a card, with the activations that adapters need and nothing recomputes
USUAL_CAPACITY_BYTES = gib(80)  # where nobody named a card
FILLING_TOKEN_COUNT = 4096  # tokens of a micro-batch that fill the matrix units at this hidden size and hide the launches of kernels
FILLING_HIDDEN_COUNT = 4096  # narrower layers need more, by the square: work a token is proportional to hidden²
LAYER_BYTES, SCORE_BYTES, LOGIT_BYTES = 34.0, 5.0, 12.0  # of activations: per hidden size, per head and length, per vocabulary entry
STEP_BYTES = 18.0  # of a parameter: all model states and their temporaries
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
    said: Mapping[str, Any],
    model: LanguageModel | OtherModel | None,
    gpu_count: int,
    *,
    has_bf16: bool,
    capacity_bytes: float | None = None,
) -> tuple[TrainSettings, tuple[Assumption, ...]]:
    """Training settings with what was said, and usual choices for the rest."""
    chosen: dict[str, Any] = dict(said)
    if isinstance(model, LanguageModel):
        chosen |= _model_parallel(chosen, model, gpu_count, capacity_bytes or USUAL_CAPACITY_BYTES)
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
    chosen.setdefault("micro_batch", _micro_batch(chosen, gpu_count, _filling_tokens(chosen, model, capacity_bytes)))
    splits_sequence = chosen["act_ckpt"] is Recomputation.SELECTIVE or chosen["sharding"] is Sharding.FSDP
    chosen.setdefault("sequence_parallel", int(chosen.get("tp", 1)) > 1 and splits_sequence)
    settings = TrainSettings(**chosen)
    skipped = set(WHEN_ASKED) | (set() if method in (Method.LORA, Method.QLORA4, Method.QLORA8) else {"lora_rank"})
    skipped |= set() if method is Method.FREEZE else {"trainable_layers"}
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


def _model_parallel(chosen: Mapping[str, Any], model: LanguageModel, gpu_count: int, capacity_bytes: float) -> dict[str, int]:
    """Tensor, then pipeline, then context parallelism where nobody named a layout: enough for the states that data parallelism leaves on
    each GPU, and for the global batch to be divided."""
    if gpu_count == 1 or any(name in chosen for name in ("tp", "pp", "cp", "dp", "sharding")):
        return {}
    count, is_full = model.parameter_count or 0.0, chosen.get("method", Method.FULL) is Method.FULL
    held = count * (STATE_BYTES if is_full and count >= TENSOR_PARALLEL_FROM else 0.0 if is_full else HALF_BYTES)
    kept = 0.0
    if not is_full and chosen.get("act_ckpt") is not Recomputation.FULL:
        kept = LAYER_BYTES * model.hidden * model.layer_count * int(chosen.get("seq_len") or _usual_length(model))
    batch = int(chosen.get("global_batch") or gpu_count)
    for tp, pp, cp in sorted(product((1, 2, 4, 8), (1, 2, 4, 8, 16), (1, 2, 4, 8)), key=lambda sizes: (prod(sizes), -sizes[0], sizes[2])):
        parallel = tp * pp * cp
        fits = (
            held <= CARRIED_RATIO * capacity_bytes * tp * pp
            and held + kept <= FILLED_RATIO * capacity_bytes * tp * pp
            and model.head_count % tp == 0
            and model.layer_count >= pp
        )
        if fits and gpu_count % parallel == 0 and batch % (gpu_count // parallel) == 0:
            return {"tp": tp, "pp": pp, "cp": cp} if parallel > 1 else {}
    return {}


def _filling_tokens(chosen: Mapping[str, Any], model: LanguageModel | OtherModel | None, capacity_bytes: float | None) -> float:
    """Tokens of a micro-batch that keep the card busy: more for narrow models without recomputation, as far as its memory goes.

    Activations: Korthikanti et al. 2022 (arXiv:2205.05198) §4, s·b·h·(34 + 5·a·s/h) a layer, and the logits."""
    plain = chosen["act_ckpt"] is Recomputation.NONE and not chosen.get("tp", 1) > 1
    if not isinstance(model, LanguageModel) or capacity_bytes is None or not plain or model.hidden >= FILLING_HIDDEN_COUNT:
        return FILLING_TOKEN_COUNT
    scores = 0.0 if chosen.get("flash_attn", True) else SCORE_BYTES * model.head_count * int(chosen["seq_len"])
    token = model.layer_count * (LAYER_BYTES * model.hidden + scores) + LOGIT_BYTES * model.vocab
    room = (CARRIED_RATIO * capacity_bytes - STEP_BYTES * model.parameter_count) / token
    return max(FILLING_TOKEN_COUNT, min(room, FILLING_TOKEN_COUNT * (FILLING_HIDDEN_COUNT / model.hidden) ** 2))


def _micro_batch(chosen: Mapping[str, Any], gpu_count: int, tokens: float) -> int:
    """Sequences that make up so many tokens, in a number that divides the global batch of a data-parallel rank."""
    most = max(1, int(tokens) // int(chosen["seq_len"]))
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
