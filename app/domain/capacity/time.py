"""Time of one training step: matrix products, memory traffic, collectives that nothing hides, pipeline bubble."""

from dataclasses import dataclass

from app.domain.capacity import kernels
from app.domain.capacity.collectives import collective_s, group
from app.domain.capacity.hardware import Hardware, peak_flops
from app.domain.capacity.layout import Layout
from app.domain.capacity.memory.activations import element_bytes, is_fused
from app.domain.capacity.memory.states import bytes_per_parameter
from app.domain.capacity.physics import Physics
from app.domain.capacity.results import TimeFigures
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import Knob, Method, Recomputation, Sharding, TrainSettings

EAGER_KERNELS, FUSED_KERNELS = (
    38,
    14,
)  # launches of one layer's forward pass: PyTorch profiler on a decoder layer, eager and compiled (2024)
ADAPTER_KERNELS = 6  # launches that each adapted matrix adds


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One pass over one layer for one micro-batch, on one rank."""

    compute_s: float
    memory_s: float
    launch_s: float

    @property
    def total_s(self) -> float:
        """Work on the device, or the launches where they take longer."""
        return max(self.compute_s + self.memory_s, self.launch_s)


def model_flop_per_token(model: LanguageModel, seq_len: float) -> float:
    """Useful FLOPs of training on one token: 6 · matrix parameters + 12 · layers · q · s.

    Source: Chowdhery et al. 2022 (arXiv:2204.02311) appendix B; the input embedding is a look-up and counts nothing."""
    made = parameters(model)
    matrices = made.layers * (made.attention + made.active_mlp) + model.vocab * model.hidden
    return 6 * matrices + 12 * model.layer_count * model.head_count * model.head_dim * seq_len


def forward(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> Pass:
    """Forward pass of one layer."""
    rate = kernels.sustained_flops(hardware, kernels.COMPUTE_FORMAT[train.precision], physics)
    h, tokens, tp = float(model.hidden), layout.micro_tokens, layout.tp
    q, kv = model.head_count * model.head_dim, model.kv_head_count * model.head_dim
    compute = kernels.matmul_s(tokens, (q + 2 * kv) / tp, h, rate) + kernels.matmul_s(tokens, h, q / tp, rate)
    made = parameters(model)
    compute += (
        (made.active_mlp / made.mlp) * _mlp_s(model, tokens, tp, rate)
        if not model.moe_expert_count
        else _experts_s(model, tokens, tp, rate)
    )
    attention_s, scores_bytes = _attention(model, train, layout, hardware, physics)
    moved = tokens * _moved_bytes(model, train, layout) * physics.elementwise_ratio + scores_bytes
    adapted = 0.0 if train.method is Method.FULL else ADAPTER_KERNELS * 7
    launches = (FUSED_KERNELS if is_fused(train) else EAGER_KERNELS) + adapted
    return Pass(
        compute_s=compute + attention_s,
        memory_s=kernels.moving_s(moved, hardware, physics),
        launch_s=launches * physics.kernel_s,
    )


def _mlp_s(model: LanguageModel, tokens: float, tp: int, rate: float) -> float:
    width = model.ffn_hidden / tp
    first = (2 if model.is_gated_mlp else 1) * width
    return kernels.matmul_s(tokens, first, model.hidden, rate) + kernels.matmul_s(tokens, model.hidden, width, rate)


def _experts_s(model: LanguageModel, tokens: float, tp: int, rate: float) -> float:
    """Grouped products of the experts: each sees its share of the tokens, so rows are few."""
    experts = model.moe_expert_count or 1
    width = (model.moe_expert_ffn or model.ffn_hidden) / tp
    shared = model.moe_shared_expert_count or 0
    rows = max(1.0, tokens * (model.moe_topk or 1) / experts)
    matrices = 3 if model.is_gated_mlp else 2
    one = matrices * kernels.matmul_s(rows, width, model.hidden, rate)
    return experts * one + shared * matrices * kernels.matmul_s(tokens, width, model.hidden, rate)


def _attention(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> tuple[float, float]:
    """Score and value products of the causal half (fused) or the whole square (unfused), and the bytes unfused scores move."""
    rate = kernels.sustained_flops(hardware, kernels.wide_format(train.precision), physics)
    window = min(layout.seq_len, model.sliding_window or layout.seq_len)
    flop = 4.0 * layout.micro_tokens * model.head_count * model.head_dim * window / layout.tp
    if train.flash_attn:
        causal = 0.5 if model.kind == "decoder" else 1.0
        return flop * causal / (rate * kernels.FLASH_RATIO), 0.0
    passes = 12.0 if is_fused(train) else 20.0  # bytes per score: product written and read, mask, softmax, dropout
    scores = passes * element_bytes(train) / 2 * model.head_count * layout.seq_len * layout.micro_tokens / layout.tp
    return flop / (rate * kernels.BATCHED_RATIO), scores


def _moved_bytes(model: LanguageModel, train: TrainSettings, layout: Layout) -> float:
    """Bytes per token that element-wise kernels of one layer read and write in the forward pass."""
    e, h = element_bytes(train), float(model.hidden)
    whole = layout.tp if layout.sequence_parallel else 1
    q = model.head_count * model.head_dim / layout.tp
    f = model.ffn_hidden / layout.tp
    if model.moe_expert_count:
        f = (model.moe_expert_ffn or model.ffn_hidden) * ((model.moe_topk or 1) + (model.moe_shared_expert_count or 0)) / layout.tp
    if is_fused(train):
        moved = e * (12 * h / whole + 6 * q + 3 * f)
    else:
        norm = 18 if model.norm != "layer" else 5
        moved = e * ((2 * norm + 8) * h / whole + 18 * q + 5 * f)
    if train.method is not Method.FULL:
        moved += e * 3 * (4 * h + 3 * q + 3 * f)  # adapters read every input, add to every output
    return moved


def step_time(
    workload_gpus: int, model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics
) -> TimeFigures:
    """One optimizer step of the slowest stage: accumulation · stage time + bubble + exposed collectives + optimizer."""
    one = forward(model, train, layout, hardware, physics)
    backward = 2.0 if train.method is Method.FULL else 1.15
    repeated = {Recomputation.FULL: 1.0, Recomputation.SELECTIVE: 0.15, Recomputation.NONE: 0.0}[train.act_ckpt]
    factor = 1 + backward + repeated
    memory_factor = 1 + 2.0 + repeated
    head_s, loss_s = _head(model, train, layout, hardware, physics)
    compute = layout.stage_layers * one.compute_s * factor + head_s * (1 + backward)
    memory = layout.stage_layers * one.memory_s * memory_factor + loss_s + _dequantise_s(model, train, layout, hardware, physics)
    launch = layout.stage_layers * one.launch_s * factor
    slack = max(0.0, launch - compute - memory)
    tensor = _tensor_parallel_s(model, train, layout, hardware, physics)
    micro = compute + memory + slack + tensor
    n = layout.accumulation
    bubble = (layout.pp - 1) * micro
    sharded = _data_parallel_s(model, train, layout, hardware, physics, micro_s=micro, forward_share=1 / factor)
    optimizer = _optimizer_s(model, train, layout, hardware, physics)
    step = n * micro + bubble + sharded + optimizer
    tokens = layout.step_tokens
    flop = model_flop_per_token(model, layout.seq_len) * tokens / workload_gpus
    useful = flop / step
    peak = peak_flops(hardware, kernels.COMPUTE_FORMAT[train.precision])
    return TimeFigures(
        compute_s=n * compute,
        memory_s=n * (memory + slack) + optimizer,
        collectives_s=n * tensor + sharded,
        bubble_s=bubble,
        step_time_s=step,
        tokens_per_s_per_gpu=tokens / step / workload_gpus,
        samples_per_s=tokens / layout.seq_len / step,
        mfu_ratio=useful / peak,
        model_flops_per_gpu=useful,
        hardware_flops_per_gpu=useful * (1 + repeated / 3),
    )


def _head(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> tuple[float, float]:
    """Output projection and loss: one product with the vocabulary, and the passes over fp32 logits."""
    rate = kernels.sustained_flops(hardware, kernels.wide_format(train.precision), physics)
    vocabulary = model.vocab / layout.tp
    product = kernels.matmul_s(layout.micro_tokens, vocabulary, model.hidden, rate)
    passes = 24.0 if is_fused(train) else 48.0
    return product, kernels.moving_s(passes * vocabulary * layout.micro_tokens, hardware, physics)


def _dequantise_s(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> float:
    """Widening a quantised base once per pass: 0.5 or 1 byte read and 2 written per parameter, twice as slow as a copy."""
    packed = {Method.QLORA4: 0.52, Method.QLORA8: 1.0}.get(train.method)
    if packed is None:
        return 0.0
    made = parameters(model)
    passes = 2 + (1 if train.act_ckpt is Recomputation.FULL else 0)
    return 2 * kernels.moving_s(passes * layout.stage_layers * (made.attention + made.mlp) / layout.tp * (packed + 2), hardware, physics)


def _tensor_parallel_s(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> float:
    """Two all-reduces (or gather and scatter) of the residual stream per layer and direction, one more pair where the layer is recomputed."""
    if layout.tp == 1:
        return 0.0
    message = layout.micro_tokens * model.hidden * element_bytes(train)
    ranks = group(hardware, layout.tp, 1, physics)
    times = 4 + (2 if train.act_ckpt is Recomputation.FULL else 0)
    hidden = 0.5 if Knob.ASYNC_TP in train.knobs else 0.0
    return layout.stage_layers * times * collective_s("allreduce", message, ranks, hardware, physics) * (1 - hidden)


def _data_parallel_s(
    model: LanguageModel,
    train: TrainSettings,
    layout: Layout,
    hardware: Hardware,
    physics: Physics,
    *,
    micro_s: float,
    forward_share: float,
) -> float:
    """Gradient reduction and weight gathering, minus what hides behind the passes that run meanwhile."""
    ranks_count = layout.dp * layout.cp
    if ranks_count == 1:
        return 0.0
    per = bytes_per_parameter(train)
    ranks = group(hardware, ranks_count, layout.tp, physics)
    made = parameters(model)
    share = layout.stage_layers / model.layer_count / layout.tp
    weights = made.total * share
    trained = weights if train.method is Method.FULL else 0.01 * weights
    if train.sharding in (Sharding.FSDP, Sharding.ZERO3):
        packed = {Method.QLORA4: 0.52, Method.QLORA8: 1.0}.get(train.method, element_bytes(train))
        pieces = layout.stage_layers
        gather = pieces * collective_s("allgather", weights * packed / pieces, ranks, hardware, physics)
        reduce = (
            pieces * collective_s("reducescatter", trained * per.gradient / pieces, ranks, hardware, physics)
            if train.method is Method.FULL
            else 0.0
        )
        forward_s = max(0.0, gather - physics.overlap_ratio * micro_s * forward_share)
        backward_s = max(0.0, gather + reduce - physics.overlap_ratio * micro_s * (1 - forward_share))
        first = 2 * gather / pieces
        return layout.accumulation * (forward_s + backward_s + first)
    reduce = collective_s("allreduce", trained * per.gradient, ranks, hardware, physics)
    hidden = physics.overlap_ratio * micro_s * (1 - forward_share) if layout.pp == 1 else 0.0
    return max(0.05 * reduce, reduce - hidden)


def _optimizer_s(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> float:
    """Reading and writing weights, gradients and states once per step; over PCIe where they live in host memory."""
    per = bytes_per_parameter(train)
    trained = parameters(model).total * layout.stage_layers / model.layer_count / layout.tp
    trained *= 1.0 if train.method is Method.FULL else 0.01
    if train.sharding is not Sharding.NONE:
        trained /= layout.shards
    moved = trained * (2 * per.optimizer + 2 * per.weight + per.gradient)
    if train.offload.value != "none":
        return trained * (per.gradient + per.weight) / hardware.pcie_bytes_per_s + moved / HOST_BYTES_PER_S
    return kernels.moving_s(moved, hardware, physics)


HOST_BYTES_PER_S = 60e9  # host memory bandwidth that one rank's optimizer gets: eight channels DDR4-3200 over four ranks (2021)
