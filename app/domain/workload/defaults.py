"""What is taken where a workload says nothing, each with its reason (U4)."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import message
from app.domain.estimate import Assumption
from app.domain.units import billions
from app.domain.workload.settings import (
    InferSettings,
    Method,
    Recomputation,
    Sharding,
    TrainPrecision,
    TrainSettings,
)

CHECKPOINTED_FROM = billions(1)  # parameters from which recomputation is usual in fine-tuning recipes
WHEN_ASKED = ("train_tokens", "train_samples", "image_size", "knobs", "global_batch", "dp")  # absent means absent
CONTRACT_NAMES = {"memory_fraction_ratio": "memory_fraction"}
SIXTEEN_BIT = ("fp32", "fp16", "bf16")


def train_settings(
    said: Mapping[str, Any], model: LanguageModel | OtherModel | None, gpu_count: int, *, has_bf16: bool
) -> tuple[TrainSettings, tuple[Assumption, ...]]:
    """Training settings with what was said, and usual choices for the rest."""
    chosen: dict[str, Any] = dict(said)
    split = max(int(chosen.get("tp", 1)), 1) * max(int(chosen.get("pp", 1)), 1)
    chosen.setdefault("precision", TrainPrecision.BF16_MIXED if has_bf16 else TrainPrecision.FP16_MIXED)
    method = chosen.setdefault("method", Method.FULL)
    alone = gpu_count <= split
    chosen.setdefault("sharding", Sharding.NONE if alone or method is not Method.FULL else Sharding.ZERO1 if split > 1 else Sharding.ZERO3)
    large = model is None or (model.parameter_count or 0.0) >= CHECKPOINTED_FROM
    chosen.setdefault("act_ckpt", Recomputation.FULL if large else Recomputation.NONE)
    chosen.setdefault("seq_len", _usual_length(model))
    splits_sequence = chosen["act_ckpt"] is Recomputation.SELECTIVE or chosen["sharding"] is Sharding.FSDP
    chosen.setdefault("sequence_parallel", int(chosen.get("tp", 1)) > 1 and splits_sequence)
    settings = TrainSettings(**chosen)
    skipped = set(WHEN_ASKED) | (set() if method in (Method.LORA, Method.QLORA4, Method.QLORA8) else {"lora_rank"})
    return settings, _assumed("train", settings, said, skipped)


def infer_settings(
    said: Mapping[str, Any], model: LanguageModel | OtherModel | None, gpu_count: int
) -> tuple[InferSettings, tuple[Assumption, ...]]:
    """Serving settings with what was said, and usual choices for the rest."""
    chosen: dict[str, Any] = dict(said)
    engine = str(chosen.get("engine", "vllm"))
    if "tp" not in chosen:
        chosen["tp"] = 1 if "layer split" in engine else _tensor_parallel(model, gpu_count)
    if "layer split" in engine and "pp" not in chosen:
        chosen["pp"] = max(1, gpu_count // int(chosen["tp"]))
    weights = str(chosen.get("weight_precision", "bf16"))
    chosen.setdefault("kv_precision", weights if weights in SIXTEEN_BIT else "bf16")
    settings = InferSettings(**chosen)
    skipped = {"weight_format", "image_size", "pp"} | ({"concurrency"} if "concurrency" in said else set())
    return settings, _assumed("infer", settings, said, skipped)


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
