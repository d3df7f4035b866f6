"""Collectives of a training step: tensor, expert and data parallelism, and what of them the passes hide (R-T3).

Yardstick for full sharding inside one machine: a loss of a tenth is excellent (R-T5)."""

from app.domain.capacity.collectives import collective_s, group
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.layout import Layout
from app.domain.capacity.memory.activations import element_bytes, layer_activations
from app.domain.capacity.memory.states import bytes_per_parameter, is_deepspeed, is_model_parallel, trained_share
from app.domain.capacity.physics import Physics
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import Knob, Method, Offload, Optimizer, Recomputation, Sharding, TrainSettings

ASYNC_HIDDEN_RATIO = 0.5  # of tensor-parallel collectives, cut into pieces that run beside the products (PyTorch async TP notes, 2024)
CONTENTION_RATIO = 0.15  # of hidden collectives, what they cost the kernels they run beside: SMs and memory (arXiv:2304.11277 §5, 2023)
ZERO3_PIECES = 4  # gathers per layer: one a matrix (DeepSpeed ZeRO-3), where FSDP gathers a layer at once
PREFETCH_COUNT = 5e7  # parameters that ZeRO-3 fetches ahead (stage3_prefetch_bucket_size, DeepSpeed config docs, 2024)
PACKED_BYTES = {Method.QLORA4: 0.52, Method.QLORA8: 1.0}


def tensor_parallel_s(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> float:
    """Two all-reduces of the residual stream per layer and direction, one more pair where the layer is recomputed; under sequence
    parallelism a gather and a scatter instead of each (arXiv:2205.05198 §4.2.2), which no switch adds up. The backward pass gathers the
    products' inputs once more, which Megatron hides behind a product and PyTorch's tensor parallelism does not."""
    if layout.tp == 1:
        return 0.0
    message = layout.micro_tokens * model.hidden * element_bytes(train)
    ranks = group(hardware, layout.tp, 1, physics)
    hidden = ASYNC_HIDDEN_RATIO if Knob.ASYNC_TP in train.knobs else 0.0
    ops = ("allgather", "reducescatter") if layout.sequence_parallel else ("allreduce",)
    once = sum(collective_s(op, message, ranks, hardware) for op in ops)
    again = 0.0
    if layout.sequence_parallel and not is_model_parallel(train):
        again = 2 * layout.backward_layers * collective_s("allgather", message, ranks, hardware)
    return (_times(train, layout) * once + again) * (1 - hidden)


def pipeline_parallel_s(
    model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics, *, micro_s: float
) -> float:
    """The residual stream of a micro-batch to the next stage, its gradient back, once a group of layers. Megatron sends each tensor-parallel
    rank its share only (arXiv:2104.04473 §4.1) and hides it where stages are interleaved; DeepSpeed, which knows neither interleaved stages
    nor sequence parallelism, sends the whole and waits."""
    if layout.pp == 1:
        return 0.0
    message = layout.micro_tokens * model.hidden * element_bytes(train) / (1 if is_deepspeed(train) else layout.tp)
    ranks = group(hardware, 2, layout.tp * layout.cp * layout.dp, physics)
    sends = (1 + layout.backward_ratio) * layout.chunks * collective_s("sendrecv", message, ranks, hardware)
    return exposed(sends, physics.overlap_ratio * micro_s if layout.chunks > 1 else 0.0)


def expert_parallel_s(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics) -> float:
    """Tokens to their experts and back, forward and backward: four all-to-alls of top-k copies per layer."""
    if layout.ep == 1 or not model.moe_expert_count:
        return 0.0
    message = layout.micro_tokens * model.hidden * element_bytes(train) * (model.moe_topk or 1) / layout.tp
    ranks = group(hardware, layout.ep, layout.tp, physics)
    return _times(train, layout) * collective_s("alltoall", message * physics.imbalance_ratio, ranks, hardware)


def _times(train: TrainSettings, layout: Layout) -> float:
    """Collectives of a micro-batch that come twice a layer and pass: forward, backward, and forward again where the layer is recomputed."""
    return 2 * layout.passes(3 if train.act_ckpt is Recomputation.FULL else 2)


def context_parallel_s(
    model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics, *, attention_s: float
) -> float:
    """Keys and values of the whole sequence come round the ring in every pass, their gradients once more; what the attention of the
    micro-batch does not hide.

    Source: Liu et al., Ring Attention, arXiv:2310.01889 §3, 2023. Valid: balanced causal blocks."""
    if layout.cp == 1:
        return 0.0
    heads = model.head_count if model.attention == "mla" else model.kv_head_count
    message = 2 * max(1.0, heads / layout.tp) * model.head_dim * layout.micro_tokens * layout.cp * element_bytes(train)
    ranks = group(hardware, layout.cp, layout.tp, physics)
    times = layout.passes(4 if train.act_ckpt is Recomputation.FULL else 3)
    return exposed(times * collective_s("allgather", message, ranks, hardware), physics.overlap_ratio * attention_s)


def offloaded_activations_s(
    model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware, physics: Physics, *, micro_s: float
) -> float:
    """Kept activations go to the host and come back; what the passes do not hide."""
    if Knob.CPU_OFFLOAD_ACTIVATIONS not in train.knobs:
        return 0.0
    layer = layer_activations(model, train, layout)
    kept = {Recomputation.FULL: layer.input, Recomputation.SELECTIVE: layer.selective}.get(train.act_ckpt, layer.saved + layer.scores)
    moved = 2 * layout.backward_layers * kept * layout.micro_tokens / hardware.pcie_bytes_per_s
    return max(0.0, moved - physics.overlap_ratio * micro_s)


def data_parallel_s(
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
    count = layout.dp * layout.cp
    if count == 1:
        return _host_weights_s(model, train, layout, hardware)
    ranks = group(hardware, count, layout.tp, physics)
    per = bytes_per_parameter(train)
    weights = parameters(model).total * layout.stage_layers / model.layer_count / layout.tp
    trained = weights * trained_share(model, train) * per.gradient
    if train.sharding not in (Sharding.FSDP, Sharding.ZERO3):
        reduce = collective_s("allreduce", trained, ranks, hardware)
        is_hidden = layout.pp == 1 or layout.chunks > 1  # a group of layers is reduced while the others' last micro-batch goes back
        hidden = physics.overlap_ratio * micro_s * (1 - forward_share) if is_hidden else 0.0
        return exposed(reduce, hidden)
    wide = 1.0 if Knob.FLOAT8_ALLGATHER in train.knobs else element_bytes(train)
    size = weights * PACKED_BYTES.get(train.method, wide)
    pieces = layout.stage_layers * (ZERO3_PIECES if train.sharding is Sharding.ZERO3 else 1)
    gather = pieces * collective_s("allgather", size / pieces, ranks, hardware)
    reduce = pieces * collective_s("reducescatter", trained / pieces, ranks, hardware) if not train.has_adapters else 0.0
    ahead = _ahead_ratio(train, weights / layout.stage_layers)
    forward_s = gather * (1 - ahead) + exposed(gather * ahead, physics.overlap_ratio * micro_s * forward_share)
    again = gather * layout.backward_ratio
    backward_s = again * (1 - ahead) + exposed(again * ahead + reduce, physics.overlap_ratio * micro_s * (1 - forward_share))
    first = 2 * gather / layout.stage_layers  # nothing runs yet that could hide the first layer's
    momentum = gather if train.optimizer is Optimizer.MUON else 0.0  # whole matrices are needed once a step (arXiv:2502.16982 §2.2)
    return layout.accumulation * (forward_s + backward_s + first) + momentum + _host_weights_s(model, train, layout, hardware)


def _ahead_ratio(train: TrainSettings, layer_count: float) -> float:
    """Share of a layer that is gathered before it is needed: FSDP fetches the next layer, DeepSpeed no more than its prefetch bucket."""
    return 1.0 if train.sharding is Sharding.FSDP else min(1.0, PREFETCH_COUNT / layer_count)


def exposed(communication_s: float, hiding_s: float) -> float:
    """What is not hidden, and what the hidden part costs the kernels beside it."""
    hidden = min(communication_s, max(0.0, hiding_s))
    return communication_s - hidden + CONTENTION_RATIO * hidden


def _host_weights_s(model: LanguageModel, train: TrainSettings, layout: Layout, hardware: Hardware) -> float:
    """Weights kept in host memory come over PCIe in every pass."""
    if train.offload is not Offload.ALL:
        return 0.0
    size = parameters(model).total * layout.stage_layers / model.layer_count / layout.tp / layout.shards * element_bytes(train)
    return layout.accumulation * (1 + layout.backward_ratio) * size / hardware.pcie_bytes_per_s
