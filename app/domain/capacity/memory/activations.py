"""Activations that the backward pass needs, block by block.

Korthikanti et al. 2022 (arXiv:2205.05198) §4 count a GPT layer as s·b·h·(34 + 5·a·s/h) bytes; here the same counting is done tensor by tensor so
that gated feed-forward blocks, grouped queries, flash attention, RMS norms and experts come out too."""

from dataclasses import dataclass

from app.domain.capacity.layout import Layout
from app.domain.capacity.memory.states import HALF, SINGLE, is_deepspeed, is_mixed, is_model_parallel
from app.domain.capacity.physics import TYPICAL
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.settings import Knob, Method, Recomputation, Sharding, TrainPrecision, TrainSettings

LOW_PRECISION = (TrainPrecision.FP8_MIXED, TrainPrecision.MXFP8_MIXED, TrainPrecision.NVFP4_MIXED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerActivations:
    """Bytes per token of one layer on one rank."""

    input: float  # the residual stream: what full recomputation keeps
    saved: float  # everything the backward pass of the layer reads, scores aside
    scores: float  # attention scores, softmax and mask, where no fused kernel avoids them
    selective: float  # what selective recomputation keeps


def element_bytes(train: TrainSettings) -> float:
    """Size of one activation: 4 in fp32 training, 2 otherwise."""
    return SINGLE if train.precision is TrainPrecision.FP32 else HALF


def is_fused(train: TrainSettings) -> bool:
    """Norms and activation functions run as fused kernels that keep their input only: compiled, Megatron's own under tp or pp, or
    Transformer Engine's, which 8- and 4-bit recipes come with."""
    return Knob.COMPILE in train.knobs or is_model_parallel(train) or train.precision in LOW_PRECISION


def residual_bytes(train: TrainSettings) -> float:
    """Size of one number of the residual stream: autocast over fp32 weights, and QLoRA with its fp32 embedding, keep it in fp32."""
    if train.precision is TrainPrecision.FP32:
        return SINGLE
    if not is_mixed(train.precision):
        return HALF
    if train.method in (Method.QLORA4, Method.QLORA8):
        return SINGLE
    return SINGLE if train.method is Method.FULL and train.sharding is Sharding.NONE and train.tp == train.pp == 1 else HALF


def layer_activations(model: LanguageModel, train: TrainSettings, layout: Layout) -> LayerActivations:
    """Bytes per token: norm inputs and outputs, q, k, v, attention output, feed-forward tensors, dropout masks; split by tp where Megatron splits them."""
    e, h = element_bytes(train), float(model.hidden)
    q, kv = float(model.head_count * model.head_dim), float(model.kv_head_count * model.head_dim)
    if model.attention == "mla":
        kv = q
    tp = float(layout.tp)
    whole = tp if layout.sequence_parallel else 1.0  # what the tensors outside the parallel blocks are divided by
    residual = residual_bytes(train)
    fused = is_fused(train)
    dropout = model.norm == "layer" and not model.is_gated_mlp  # GPT-style layers; later models train without dropout
    norm = residual + (
        SINGLE + e if model.norm != "layer" and not fused else 0.0
    )  # unfused RMS norm keeps an fp32 copy and the normalised one
    norms = 2 * h * norm / whole
    inputs = 2 * e * h / whole  # what the first matrices of both blocks read
    attention = e * (2 * q + 2 * kv) / tp + 4 * model.head_count / tp  # q, k, v, output, log-sum-exp of the fused kernel
    uneven = TYPICAL.imbalance_ratio if layout.ep > 1 else 1.0
    mlp = _mlp_bytes(model, e, fused=fused, uneven=uneven) / tp
    masks = 2 * h / whole if dropout else 0.0
    if train.method in (Method.QLORA4, Method.QLORA8):
        inputs += (
            2 * e * (2 * h + q + model.ffn_hidden)
        )  # quantised products keep their inputs, adapters a widened copy (bitsandbytes MatMul4Bit, PEFT)
    scores = 0.0
    if not train.flash_attn:
        scores = (2 * e + (1 if dropout else 0)) * model.head_count * layout.seq_len / tp
    saved = norms + inputs + attention + mlp + masks
    return LayerActivations(
        input=residual * h / whole,
        saved=saved,
        scores=scores,
        selective=_selective_bytes(model, train, saved, e, residual),
    )


def _mlp_bytes(model: LanguageModel, e: float, *, fused: bool, uneven: float) -> float:
    """Inner tensors of the feed-forward block: gated 4 (gate, up, activated gate, product), 3 fused; plain 2.

    A compiler's partitioner recomputes what fuses with its reader, never what a product of the backward pass reads whole
    (is_materialized_backwards in PyTorch's _functorch/partitioners.py, 2024), so it keeps as much as fused kernels."""
    width = float(model.ffn_hidden)
    if model.moe_expert_count:
        width = float(model.moe_expert_ffn or model.ffn_hidden) * (uneven * (model.moe_topk or 1) + (model.moe_shared_expert_count or 0))
    tensors = (3 if fused else 4) if model.is_gated_mlp else 2
    routed = 2 * e * model.hidden * uneven * (model.moe_topk or 1) if model.moe_expert_count else 0.0
    return tensors * e * width + routed


def _selective_bytes(model: LanguageModel, train: TrainSettings, saved: float, e: float, residual: float) -> float:
    """Megatron keeps all but the scores; PyTorch's operator-level policy keeps the residual, attention output and every second matrix product."""
    if is_model_parallel(train):
        return saved
    q, kv = model.head_count * model.head_dim, model.kv_head_count * model.head_dim
    kept = residual * model.hidden + e * (2 * q + kv + model.hidden + model.ffn_hidden) / train.tp
    return min(saved, float(kept))


def deallocates_outputs(train: TrainSettings) -> bool:
    """Megatron frees a stage's output once the next stage has it (arXiv:2205.05198 appendix B); DeepSpeed's pipeline keeps it."""
    return is_model_parallel(train) and not is_deepspeed(train)


@dataclass(frozen=True, slots=True, kw_only=True)
class Activations:
    """Bytes on one rank: what waits for the backward pass, and the one layer that is being worked on."""

    kept: float  # bytes per token and layer that wait
    boundary: float  # bytes per token of stage outputs that wait for their gradients
    in_flight: float
    stored_bytes: float
    working_bytes: float


def stage_activations(
    model: LanguageModel, train: TrainSettings, layout: Layout, *, is_first: bool, ratio: float = 1.0, waiting: float = 1.0
) -> Activations:
    """Stored activations of all micro-batches in flight on a stage, (layers · kept + boundary) · in_flight · tokens, and the layer recomputed.

    Only layers that the backward pass enters keep anything.

    `waiting`: more of them under interleaved schedules, 1 + (waiting − 1)·(p − 1)/p."""
    layer = layer_activations(model, train, layout)
    tokens = layout.micro_tokens * ratio
    full = layer.saved + layer.scores
    kept = {Recomputation.NONE: full, Recomputation.SELECTIVE: layer.selective, Recomputation.FULL: layer.input}[train.act_ckpt]
    working = max(0.0, full - kept)
    if Knob.CPU_OFFLOAD_ACTIVATIONS in train.knobs:
        kept = min(1.0, 2 / layout.backward_layers) * kept  # two layers' worth on the way to and from the host
    in_flight = layout.in_flight if is_first else layout.in_flight_last
    boundary = layer.input if layout.pp > 1 and not deallocates_outputs(train) else 0.0
    stored = in_flight * (layout.backward_layers * kept + boundary) * tokens * (1 + (waiting - 1) * (layout.pp - 1) / layout.pp)
    return Activations(kept=kept, boundary=boundary, in_flight=in_flight, stored_bytes=stored, working_bytes=working * tokens)
