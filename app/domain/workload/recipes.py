"""Layout and recomputation of a training run where nobody names them: what a well-set-up recipe would choose.

Rough sizes are enough for choosing; the estimate itself counts exactly."""

from collections.abc import Mapping
from itertools import product
from math import ceil, prod
from typing import Any

from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.units import billions, gib
from app.domain.workload.settings import Knob, Method, Recomputation, Sharding, TrainPrecision

TENSOR_PARALLEL_FROM = billions(20)  # parameters from which pre-training recipes split layers (Megatron-LM examples)
STATE_BYTES, HALF_BYTES = 6.0, 2.0  # a parameter's weight and gradient that ZeRO-1 leaves whole; a frozen weight
SPREAD_BYTES, PURE_BYTES = 12.0, 4.0  # master weight and two moments; weight and gradient, or the moments, in pure 16 bit
QUANTISED = (Method.QLORA4, Method.QLORA8)
FROZEN_BYTES = {Method.QLORA4: 0.55, Method.QLORA8: 1.0}  # of a frozen parameter; else 2
CARRIED_RATIO = 0.6  # of a card, what layouts give to them: the rest is for activations (50 GB of 80, Megatron-LM examples)
FILLED_RATIO = 0.8  # of a card, with activations, where nothing recomputes: 15–20 % stay free (R-M4, R-M5)
USUAL_CAPACITY_BYTES = gib(80)  # where nobody named a card
LAYER_BYTES, SCORE_BYTES, LOGIT_BYTES = 34.0, 5.0, 12.0  # of activations: per hidden size, per head and length, per vocabulary entry
FILLING_TOKEN_COUNT = 4096  # tokens of a micro-batch that fill the matrix units at a hidden size of 4096 and hide the launches of kernels
USUAL_DEPTH = 4  # micro-batches a pipeline stage where nobody named a batch (see `Layout`)


def model_parallel(
    chosen: Mapping[str, Any], model: LanguageModel, gpu_count: int, capacity_bytes: float, *, is_linked: bool
) -> dict[str, int]:
    """Tensor, pipeline and context parallelism where nobody named a layout: the least with which nothing need be recomputed, else the least
    that carries the states that data parallelism leaves on each GPU; the global batch is divided. Across PCIe pipelines come first: they
    send less."""
    if gpu_count == 1 or any(name in chosen for name in ("tp", "pp", "cp", "dp", "sharding")):
        return {}
    count, is_full = model.parameter_count or 0.0, chosen.get("method", Method.FULL) is Method.FULL
    if is_full and count < TENSOR_PARALLEL_FROM:
        return {}
    held = count * (STATE_BYTES if is_full else HALF_BYTES)
    batch, seq_len = int(chosen.get("global_batch") or gpu_count), int(chosen.get("seq_len") or usual_length(model))
    sizes = sorted(
        product((1, 2, 4, 8), (1, 2, 4, 8, 16), (1, 2, 4, 8)),
        key=lambda sizes: (prod(sizes), -sizes[0] if is_linked else sizes[0], sizes[2]),
    )
    possible = [
        dict(zip(("tp", "pp", "cp"), (tp, pp, cp), strict=True))
        for tp, pp, cp in sizes
        if held <= CARRIED_RATIO * capacity_bytes * tp * pp
        and model.head_count % tp == 0
        and model.layer_count >= pp
        and seq_len % cp == 0
        and gpu_count % (tp * pp * cp) == 0
        and batch % (gpu_count // (tp * pp * cp)) == 0
    ]
    least = chosen.get("act_ckpt", Recomputation.NONE)
    fitting = (split for split in possible if recomputation({**chosen, **split}, model, gpu_count, capacity_bytes) is least)
    split = next(fitting, possible[0] if possible else {})
    return split if prod(split.values()) > 1 else {}


def tuned(split: Mapping[str, int], chosen: Mapping[str, Any], model: LanguageModel, gpu_count: int) -> dict[str, Any]:
    """What recipes add to a layout of their own choice: tensor-parallel collectives beside the products, pipeline stages that take their
    layers in turns, one at a time (Megatron-LM and NeMo performance recipes, 2024)."""
    added: dict[str, Any] = {}
    tp, pp, cp = (split.get(size, 1) for size in ("tp", "pp", "cp"))
    if tp > 1 and Knob.ASYNC_TP not in chosen.get("knobs", ()):
        added["knobs"] = (*chosen.get("knobs", ()), Knob.ASYNC_TP)
    group = gpu_count // (tp * pp * cp) * int(chosen["micro_batch"])
    batch = int(chosen.get("global_batch") or USUAL_DEPTH * pp * group)
    if pp > 1 and batch // group % pp == 0 and "interleave" not in chosen:
        added["interleave"] = ceil(model.layer_count / pp)
    return added


def recomputation(
    chosen: Mapping[str, Any], model: LanguageModel | OtherModel | None, gpu_count: int, capacity_bytes: float
) -> Recomputation:
    """The least with which model and activations fit: recipes for several GPUs recompute no more than they must; on one, and beside a
    quantised base, memory is what recipes save (PEFT turns recomputation on). Fused attention keeps no scores, so that repeating the
    attention core alone would save nothing.

    Activations counted as in Korthikanti et al. 2022 (arXiv:2205.05198) §4, tensor by tensor (see `_layer_bytes`)."""
    if not isinstance(model, LanguageModel) or gpu_count == 1 or chosen.get("method") in QUANTISED:
        return Recomputation.FULL
    seq_len = int(chosen.get("seq_len") or usual_length(model))
    tp, pp, cp = (int(chosen.get(size, 1)) for size in ("tp", "pp", "cp"))
    tokens = seq_len * int(chosen.get("micro_batch") or max(1, FILLING_TOKEN_COUNT // seq_len)) / cp / tp
    scores = 0.0 if chosen.get("flash_attn", True) else SCORE_BYTES * model.head_count * seq_len
    held = _states_bytes(chosen, model, tp * pp, max(1, gpu_count // (tp * pp * cp)) * cp) + LOGIT_BYTES * model.vocab * tokens
    room = FILLED_RATIO * capacity_bytes - held
    plain = _layer_bytes(model, is_fused=tp * pp > 1)
    for least, layer in ((Recomputation.NONE, plain + scores), (Recomputation.SELECTIVE, plain)):
        if tokens * model.layer_count * layer <= room:
            return least
    return Recomputation.FULL


def _layer_bytes(model: LanguageModel, *, is_fused: bool) -> float:
    """16-bit activations of one layer and token: norms and what they feed, queries, keys and values, attention's output, feed-forward. Unfused
    RMS norms keep a wide copy and a normalised one, unfused gates one tensor more; plain GPT layers come to 34 hidden sizes with their masks."""
    if model.norm == "layer" and not model.is_gated_mlp:
        return LAYER_BYTES * model.hidden
    width = float(model.ffn_hidden)
    if model.moe_expert_count:
        width = (
            float(model.moe_expert_ffn or model.ffn_hidden) * ((model.moe_topk or 1) + (model.moe_shared_expert_count or 0)) + model.hidden
        )
    edges = (4 if is_fused or model.norm == "layer" else 8) * model.hidden + 2 * model.hidden
    heads = 2 * (model.head_count + model.kv_head_count) * model.head_dim
    return HALF_BYTES * (edges + heads + (3 if is_fused else 4) * width)


def _states_bytes(chosen: Mapping[str, Any], model: LanguageModel, parallel: int, ranks: int) -> float:
    """Bytes a GPU of weights, gradients and optimizer states."""
    count, method, sharding = (model.parameter_count or 0.0) / parallel, chosen.get("method", Method.FULL), chosen.get("sharding")
    whole = ranks if sharding in (Sharding.FSDP, Sharding.ZERO3) else 1
    if method is not Method.FULL:
        return count * FROZEN_BYTES.get(method, HALF_BYTES) / whole
    is_pure = chosen.get("precision") is TrainPrecision.PURE_BF16
    held, spread = (PURE_BYTES, PURE_BYTES) if is_pure else (STATE_BYTES, SPREAD_BYTES)
    return count * (held / whole + spread / (1 if sharding is Sharding.NONE else ranks))


def usual_length(model: LanguageModel | OtherModel | None) -> int:
    if isinstance(model, LanguageModel):
        usual = 512 if model.kind == "encoder" else 2048
        return min(usual, model.max_context or usual)
    return 2048
