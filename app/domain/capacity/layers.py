"""One layer's passes on one rank: matrix products, attention, memory traffic, kernel launches."""

from dataclasses import dataclass

from app.domain.capacity import kernels
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.layout import Layout
from app.domain.capacity.memory.activations import LOW_PRECISION, element_bytes, is_fused
from app.domain.capacity.memory.states import is_model_parallel
from app.domain.capacity.physics import Physics
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import Knob, Sharding, TrainSettings

COMPILED_KERNELS, FUSED_KERNELS, EAGER_KERNELS = 14, 30, 70  # operators of a decoder layer's forward pass (PyTorch profiler traces, 2024)
ADAPTER_KERNELS = 28  # what LoRA adds: casts, dropout, two products, scaling, sum on each matrix (PEFT lora.Linear, 2024)
EXPERT_KERNELS = 9  # of each expert where a framework loops over them (transformers Mixtral block, 2024)
ZERO3_HOOKS_S = 3e-3  # host time of DeepSpeed's module hooks per layer and pass (DeepSpeed ZeRO-3 profiling notes, 2023)
EVERY_EXPERT_FAMILIES = ("llama-4",)  # every token goes through every expert in transformers (modeling_llama4.py Llama4TextMoe, 2025)
FSDP_HOOKS_S = 0.3e-3  # the same for PyTorch FSDP (arXiv:2304.11277 §5, 2023)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """Forward pass of one layer for one micro-batch on one rank."""

    matmul_s: float
    attention_s: float
    memory_s: float
    launch_s: float


def forward(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> Pass:
    """Products at the sustained rate, element-wise work at the memory bandwidth, launches one after another."""
    rate = kernels.sustained_flops(hardware, kernels.COMPUTE_FORMAT[train.precision], physics)
    h, tokens, tp = float(model.hidden), layout.micro_tokens, layout.tp
    q, kv = model.head_count * model.head_dim, model.kv_head_count * model.head_dim
    matmul = kernels.matmul_s(tokens, (q + 2 * kv) / tp, h, rate) + kernels.matmul_s(tokens, h, q / tp, rate)
    matmul += (
        _experts_s(model, train, tokens, layout, rate, physics.imbalance_ratio)
        if model.moe_expert_count
        else _mlp_s(model, tokens, tp, rate)
    )
    attention, scores_bytes = _attention(model, train, layout, hardware, physics)
    moved = tokens * _moved_bytes(model, train, layout) * physics.elementwise_ratio + scores_bytes
    return Pass(
        matmul_s=matmul,
        attention_s=attention,
        memory_s=kernels.moving_s(moved, hardware, physics),
        launch_s=_launches(model, train) * physics.kernel_s + _hooks_s(train),
    )


def _mlp_s(model: LanguageModel, tokens: float, tp: int, rate: float) -> float:
    width = model.ffn_hidden / tp
    first = (2 if model.is_gated_mlp else 1) * width
    return kernels.matmul_s(tokens, first, model.hidden, rate) + kernels.matmul_s(tokens, model.hidden, width, rate)


def runs_every_expert(model: LanguageModel, train: TrainSettings) -> bool:
    """Adapters are trained on the reference implementation, which for some families multiplies unchosen experts by zero."""
    return train.has_adapters and (model.family or model.name).casefold().startswith(EVERY_EXPERT_FAMILIES)


def _experts_s(model: LanguageModel, train: TrainSettings, tokens: float, layout: Layout, rate: float, imbalance: float) -> float:
    """Grouped products of this rank's experts, each seeing its share of the expert-parallel group's tokens, so rows are few; and what every
    token passes through: shared experts, router, the dense layers among them. Spread over ranks, all wait for the fullest."""
    experts, topk = (model.moe_expert_count or 1) / layout.ep, model.moe_topk or 1
    width = (model.moe_expert_ffn or model.ffn_hidden) / layout.tp
    matrices = 3 if model.is_gated_mlp else 2
    routed_share = 1 - (model.first_dense_layer_count or 0) / model.layer_count
    rows = tokens if runs_every_expert(model, train) else max(1.0, tokens * topk / experts * (imbalance if layout.ep > 1 else 1.0))
    routed = experts * matrices * kernels.matmul_s(rows, width, model.hidden, rate) * routed_share
    common = parameters(model).active_mlp - routed_share * topk * matrices * width * layout.tp * model.hidden
    if common <= 0:
        return routed
    return routed + matrices * kernels.matmul_s(tokens, common / matrices / model.hidden / layout.tp, model.hidden, rate)


def _attention(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> tuple[float, float]:
    """Score and value products of the causal half (fused) or the whole square (unfused), and the bytes unfused scores move."""
    precision = kernels.wide_format(train.precision)
    window = min(layout.sample_tokens, model.sliding_window or layout.sample_tokens)
    flop = 4.0 * layout.micro_tokens * model.head_count * model.head_dim * window / layout.tp
    if train.flash_attn:
        causal = 0.5 if model.kind == "decoder" else 1.0
        is_cudnn = train.precision in LOW_PRECISION and is_model_parallel(train)  # Transformer Engine under Megatron
        return flop * causal / kernels.flash_flops(hardware, precision, physics, is_cudnn=is_cudnn), 0.0
    passes = 12.0 if is_fused(train) else 20.0  # bytes per score: product written and read, mask, softmax, dropout
    scores = passes * element_bytes(train) / 2 * model.head_count * layout.seq_len * layout.micro_tokens / layout.tp
    return flop / (kernels.sustained_flops(hardware, precision, physics) * kernels.BATCHED_RATIO), scores


def _moved_bytes(model: LanguageModel, train: TrainSettings, layout: Layout) -> float:
    """Bytes per token that element-wise kernels of one layer read and write in the forward pass."""
    e, h = element_bytes(train), float(model.hidden)
    whole = layout.tp if layout.sequence_parallel else 1
    q = model.head_count * model.head_dim / layout.tp
    f = model.ffn_hidden / layout.tp
    if model.moe_expert_count:
        copies = model.moe_expert_count if runs_every_expert(model, train) else model.moe_topk or 1
        f = (model.moe_expert_ffn or model.ffn_hidden) * (copies + (model.moe_shared_expert_count or 0)) / layout.tp
    if is_fused(train):
        moved = e * (12 * h / whole + 6 * q + 3 * f)
    else:
        norm = 18 if model.norm != "layer" else 5
        moved = e * ((2 * norm + 8) * h / whole + 18 * q + 5 * f)
    if train.has_adapters:
        moved += e * 3 * (2 * h * (1 + 1 / whole) + 3 * q + 3 * f)  # adapters read every input, add to every output
    if train.precision in LOW_PRECISION:
        moved += 5 * (2 * h / whole + q + f)  # scaling pass and cast of every product's input
    return moved


def _launches(model: LanguageModel, train: TrainSettings) -> float:
    if Knob.COMPILE in train.knobs:
        base = COMPILED_KERNELS
    elif is_fused(train):
        base = FUSED_KERNELS
    else:
        base = EAGER_KERNELS + (EXPERT_KERNELS * model.moe_expert_count if model.moe_expert_count else 0)
    return base + (ADAPTER_KERNELS if train.has_adapters else 0)


def _hooks_s(train: TrainSettings) -> float:
    return {Sharding.ZERO3: ZERO3_HOOKS_S, Sharding.FSDP: FSDP_HOOKS_S}.get(train.sharding, 0.0)
