"""Time of one training step: matrix products, memory traffic, collectives that nothing hides, pipeline bubble.

Only the first shrinks with a faster peak, which is why a card six times as strong on paper gives twice the speed (R-T8)."""

from dataclasses import dataclass, replace

from app.domain.capacity import kernels
from app.domain.capacity.communication import (
    context_parallel_s,
    data_parallel_s,
    expert_parallel_s,
    offloaded_activations_s,
    pipeline_parallel_s,
    tensor_parallel_s,
)
from app.domain.capacity.hardware import Hardware, peak_flops
from app.domain.capacity.layers import forward
from app.domain.capacity.layout import Layout
from app.domain.capacity.memory.activations import is_fused
from app.domain.capacity.memory.states import EIGHT_BIT_STATE_BYTES, bytes_per_parameter, is_model_parallel, trained_share
from app.domain.capacity.physics import TYPICAL, Physics
from app.domain.capacity.results import TimeFigures
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import Method, Offload, Optimizer, Recomputation, Sharding, TrainSettings

ATTENTION_BACKWARD = (
    2.5 * 73 / 63
)  # backward over forward time of fused attention: five products instead of two, at 63 instead of 73 % of the
# peak (FlashAttention-2, arXiv:2307.08691 §2.2 and §4.1, 2023)
ADAPTER_BACKWARD = 1.15  # backward over forward with a frozen base: input gradients, and the small adapter products
MASKED_RATIO = 0.15  # positions that an encoder's masked-language loss predicts (BERT, arXiv:1810.04805 §3.1)
MUON_STEPS, MUON_FORMAT = 5, "bf16"  # Newton–Schulz iterations and their precision (Keller Jordan, Muon, 2024)
HOST_BYTES_PER_S = 60e9  # host memory bandwidth that one rank's optimizer gets: eight channels DDR4-3200 over three ranks (2021)


def step_flop_per_token(model: LanguageModel, layout: Layout) -> float:
    """Useful FLOPs of this training on one token: a third forward, two thirds backward through the layers that have a backward pass."""
    return model_flop_per_token(model, layout.seq_len) * (1 + 2 * layout.backward_ratio) / 3


def model_flop_per_token(model: LanguageModel, seq_len: float) -> float:
    """Useful FLOPs of training on one token: 6 · matrix parameters + 12 · layers · q · s.

    Source: Chowdhery et al. 2022 (arXiv:2204.02311) appendix B; the input embedding is a look-up and counts nothing."""
    made = parameters(model)
    matrices = made.layers * (made.attention + made.active_mlp) + model.vocab * model.hidden
    return 6 * matrices + 12 * model.layer_count * model.head_count * model.head_dim * seq_len


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often each kind of work of a layer runs in one step, over its forward pass."""

    matmul: float
    attention: float
    memory: float
    launch: float


def repeats(train: TrainSettings) -> Repeats:
    """Forward, backward (twice the products; once with a frozen base) and what recomputation runs again."""
    backward = ADAPTER_BACKWARD if train.has_adapters else 2.0
    again = {Recomputation.FULL: (1.0, 1.0, 1.0), Recomputation.NONE: (0.0, 0.0, 0.0)}.get(train.act_ckpt)
    if again is None:  # selective: Megatron repeats the attention core, PyTorch's policy every second product
        again = (0.0, 1.0, 0.1) if is_model_parallel(train) else (0.5, 0.0, 1.0)
    return Repeats(
        matmul=1 + backward + again[0],
        attention=1 + ATTENTION_BACKWARD + again[1],
        memory=3 + again[2],
        launch=2.2 + again[2],
    )


def again_s(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware) -> float:
    """What recomputation adds to the layers' work of one step (R-M6)."""
    one = forward(model, train, layout, hardware, TYPICAL)
    runs, plain = repeats(train), repeats(replace(train, act_ckpt=Recomputation.NONE))
    extra = one.matmul_s * (runs.matmul - plain.matmul) + one.attention_s * (runs.attention - plain.attention)
    return layout.accumulation * layout.backward_layers * (extra + one.memory_s * (runs.memory - plain.memory))


def step_time(
    gpu_count: int, model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics
) -> TimeFigures:
    """One optimizer step of the slowest stage: accumulation · stage time + bubble + exposed collectives + optimizer."""
    one, runs = forward(model, train, layout, hardware, physics), repeats(train)
    head_s, loss_s = _head(model, train, layout, hardware, physics)
    passes = layout.passes
    compute = one.matmul_s * passes(runs.matmul) + one.attention_s * passes(runs.attention) + head_s
    memory = one.memory_s * passes(runs.memory) + loss_s + _dequantise_s(model, train, layout, hardware, physics)
    waiting = max(0.0, one.launch_s * passes(runs.launch) - compute - memory)
    tensor = tensor_parallel_s(model, train, layout, hardware, physics) + expert_parallel_s(model, train, layout, hardware, physics)
    tensor += context_parallel_s(model, train, layout, hardware, physics, attention_s=one.attention_s * passes(runs.attention))
    waiting += offloaded_activations_s(model, train, layout, hardware, physics, micro_s=compute + memory + waiting)
    tensor += pipeline_parallel_s(model, train, layout, hardware, physics, micro_s=compute + memory)
    micro = compute + memory + waiting + tensor
    bubble = (layout.pp - 1) * micro / layout.chunks
    data = data_parallel_s(model, train, layout, hardware, physics, micro_s=micro, forward_share=1 / runs.matmul)
    optimizer = _optimizer_s(model, train, layout, hardware, physics)
    n = layout.accumulation
    step = n * micro + bubble + data + optimizer
    tokens = layout.step_tokens
    useful = step_flop_per_token(model, layout) * tokens / gpu_count / step
    repeated = {Recomputation.FULL: 1 / 3, Recomputation.NONE: 0.0, Recomputation.SELECTIVE: 0.05}[train.act_ckpt]
    return TimeFigures(
        compute_s=n * compute,
        memory_s=n * (memory + waiting) + optimizer,
        collectives_s=n * tensor + data,
        bubble_s=bubble,
        step_time_s=step,
        tokens_per_s_per_gpu=tokens / step / gpu_count,
        samples_per_s=tokens / layout.sample_tokens / step,
        mfu_ratio=useful / peak_flops(hardware, kernels.COMPUTE_FORMAT[train.precision]),
        model_flops_per_gpu=useful,
        hardware_flops_per_gpu=useful
        + model_flop_per_token(model, layout.seq_len) * layout.backward_ratio * repeated * tokens / gpu_count / step,
    )


def _head(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> tuple[float, float]:
    """Output projection and loss over forward and backward: products with the vocabulary, and the passes over fp32 logits."""
    rate = kernels.sustained_flops(hardware, kernels.wide_format(train.precision), physics)
    vocabulary = model.vocab / layout.tp
    tokens = layout.micro_tokens * (MASKED_RATIO if model.kind == "encoder" else 1.0)
    product = kernels.matmul_s(tokens, vocabulary, model.hidden, rate) * (3.0 if train.method is Method.FULL else 2.0)
    passes = 24.0 if is_fused(train) else 48.0
    return product, kernels.moving_s(passes * vocabulary * tokens, hardware, physics)


def _dequantise_s(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> float:
    """Widening a quantised base once per pass: 0.5 or 1 byte read and 2 written per parameter, twice as slow as a copy."""
    packed = {Method.QLORA4: 0.52, Method.QLORA8: 1.0}.get(train.method)
    if packed is None:
        return 0.0
    made = parameters(model)
    passes = 2 + (1 if train.act_ckpt is Recomputation.FULL else 0)
    return 2 * kernels.moving_s(passes * layout.stage_layers * (made.attention + made.mlp) / layout.tp * (packed + 2), hardware, physics)


def _optimizer_s(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> float:
    """Reading and writing weights, gradients and states once per step; over PCIe where they live in host memory."""
    per = bytes_per_parameter(train, model)
    trained = parameters(model).total * layout.stage_layers / model.layer_count / layout.tp * trained_share(model, train)
    if train.sharding is not Sharding.NONE:
        trained /= layout.shards
    moved = trained * (2 * per.optimizer + 2 * per.weight + per.gradient)
    if train.offload is not Offload.NONE:
        return trained * (per.gradient + per.weight) / hardware.pcie_bytes_per_s + moved / HOST_BYTES_PER_S
    orthogonal = muon_flop(model) * layout.backward_layers / layout.tp / layout.shards if train.optimizer is Optimizer.MUON else 0.0
    if orthogonal:
        return kernels.moving_s(moved, hardware, physics) + orthogonal / kernels.sustained_flops(hardware, MUON_FORMAT, physics)
    if train.optimizer is Optimizer.PAGED_ADAMW8BIT:  # to the device and back, as far as pages had to leave it
        return kernels.moving_s(moved, hardware, physics) + 2 * trained * 2 * EIGHT_BIT_STATE_BYTES / hardware.pcie_bytes_per_s
    return kernels.moving_s(moved, hardware, physics)


def muon_flop(model: LanguageModel) -> float:
    """Newton–Schulz over the matrices of one layer: five times 4·m²·n + 2·m³ for each m × n matrix, m the shorter side.

    Source: Keller Jordan, Muon: an optimizer for hidden layers, 2024; Moonlight, arXiv:2502.16982 §2.1, 2025."""
    made, h = parameters(model), float(model.hidden)
    width = float(model.moe_expert_ffn or model.ffn_hidden)
    inner = float(model.head_count * model.head_dim)
    return MUON_STEPS * (newton_schulz_flop(made.attention, h, inner) + newton_schulz_flop(made.mlp, h, width))


def newton_schulz_flop(count: float, one: float, other: float) -> float:
    """4·m²·n + 2·m³ of as many m × n matrices as hold `count` parameters."""
    short, wide = min(one, other), max(one, other)
    return count * short * (4 + 2 * short / wide)
