"""What is taken where a workload says nothing, each with its reason (U4)."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import message
from app.domain.estimate import Assumption
from app.domain.units import billions
from app.domain.workload.recipes import (
    CARRIED_RATIO,
    FILLING_TOKEN_COUNT,
    LAYER_BYTES,
    LOGIT_BYTES,
    SCORE_BYTES,
    USUAL_CAPACITY_BYTES,
    model_parallel,
    recomputation,
    tuned,
    usual_length,
)
from app.domain.workload.settings import (
    InferSettings,
    Method,
    Recomputation,
    Sharding,
    TrainPrecision,
    TrainSettings,
)

CHECKPOINTED_FROM = billions(1)  # parameters from which recomputation is usual in fine-tuning recipes
IMAGE_BATCH = 32  # samples of a micro-batch where samples are not token sequences
FILLING_HIDDEN_COUNT = 4096  # narrower layers need more, by the square: work a token is proportional to hidden²
STEP_BYTES = 18.0  # of a parameter: all model states and their temporaries
WHEN_ASKED = ("train_tokens", "train_samples", "image_size", "knobs", "global_batch", "dp", "interleave")  # absent means absent
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
    is_linked: bool = True,
) -> tuple[TrainSettings, tuple[Assumption, ...]]:
    """Training settings with what was said, and usual choices for the rest."""
    chosen: dict[str, Any] = dict(said)
    own: dict[str, int] = {}
    if isinstance(model, LanguageModel):
        own = model_parallel(chosen, model, gpu_count, capacity_bytes or USUAL_CAPACITY_BYTES, is_linked=is_linked)
        chosen |= own
    split = int(chosen.get("tp", 1)) * int(chosen.get("pp", 1))
    chosen.setdefault("precision", TrainPrecision.BF16_MIXED if has_bf16 else TrainPrecision.FP16_MIXED)
    method = chosen.setdefault("method", Method.FULL)
    if isinstance(model, OtherModel):
        chosen = {"act_ckpt": Recomputation.NONE, "sharding": Sharding.NONE, "micro_batch": IMAGE_BATCH} | chosen
    small = model is not None and (model.parameter_count or 0.0) < CHECKPOINTED_FROM
    whole = gpu_count <= split or small or method is not Method.FULL
    chosen.setdefault("sharding", Sharding.NONE if whole else Sharding.ZERO1 if split > 1 else Sharding.FSDP)
    is_open = "act_ckpt" not in chosen
    if is_open:
        chosen["act_ckpt"] = (
            Recomputation.NONE if small else recomputation(chosen, model, gpu_count, capacity_bytes or USUAL_CAPACITY_BYTES)
        )
    chosen.setdefault("seq_len", usual_length(model))
    chosen.setdefault("micro_batch", _micro_batch(chosen, gpu_count, _filling_tokens(chosen, model, capacity_bytes)))
    added = tuned(own, chosen, model, gpu_count) if isinstance(model, LanguageModel) else {}
    chosen |= added
    splits_sequence = is_open or chosen["act_ckpt"] is Recomputation.SELECTIVE or chosen["sharding"] is Sharding.FSDP
    chosen.setdefault("sequence_parallel", int(chosen.get("tp", 1)) > 1 and splits_sequence)
    settings = TrainSettings(**chosen)
    skipped = set(WHEN_ASKED) - added.keys() | (set() if method in (Method.LORA, Method.QLORA4, Method.QLORA8) else {"lora_rank"})
    skipped |= set() if method is Method.FREEZE else {"trainable_layers"}
    return settings, _assumed("train", settings, {name: said[name] for name in said if name not in added}, skipped)


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


def _tensor_parallel(model: LanguageModel | OtherModel | None, gpu_count: int) -> int:
    """All GPUs of a machine together, as far as the heads divide."""
    if not isinstance(model, LanguageModel):
        return 1
    return max(size for size in range(1, min(gpu_count, 8) + 1) if gpu_count % size == 0 and model.head_count % size == 0)


def _assumed(group: str, settings: TrainSettings | InferSettings, said: Mapping[str, Any], skipped: set[str]) -> tuple[Assumption, ...]:
    return tuple(
        Assumption(
            field=f"{group}.{CONTRACT_NAMES.get(field.name, field.name)}",
            value=_written(getattr(settings, field.name)),
            why=message(f"assume.{group}.{field.name}"),
        )
        for field in fields(settings)
        if field.name not in said and field.name not in skipped
    )


def _written(value: Any) -> Any:
    """A choice as its assumption shows it: several knobs in a row."""
    return ", ".join(value) if isinstance(value, tuple) else value
