"""Model states of one rank: weights, gradients, optimizer, and how sharding and quantisation change them (R-M1, R-M3)."""

from dataclasses import dataclass

from app.domain.capacity.layout import Layout
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.parameters import Parameters, parameters
from app.domain.workload.settings import Knob, Method, Offload, Optimizer, Sharding, TrainPrecision, TrainSettings

SINGLE, HALF = 4.0, 2.0  # bytes of an fp32 and of an fp16 or bf16 number
NF4_BYTES = (
    4 + 8 / 64 + 32 / (64 * 256)
) / 8  # 4 bits, 8-bit scale per 64, 32-bit scale per 256 of those (QLoRA, arXiv:2305.14314 §3, 2023)
INT8_BYTES = 1.0 + 2 / 4096  # LLM.int8: one half-precision scale per row (arXiv:2208.07339, 2022)
EIGHT_BIT_STATE_BYTES = (
    1 + 4 / 256
)  # block-wise quantised state, fp32 maximum per 256 (arXiv:2110.02861, 2021; bitsandbytes block size since 0.44)
STATES = {  # numbers kept per trained parameter, beside an fp32 copy of the weight
    Optimizer.ADAMW: 2.0,
    Optimizer.ADAMW8BIT: 2.0,
    Optimizer.PAGED_ADAMW8BIT: 2.0,
    Optimizer.LION: 1.0,
    Optimizer.SGD: 0.0,  # without momentum, as torch.optim.SGD defaults
    Optimizer.ADAFACTOR: 0.0,  # factored second moment: a row and a column a matrix
    Optimizer.MUON: 1.0,  # momentum of the layers' matrices; the rest is AdamW's (Keller Jordan, Muon, 2024; arXiv:2502.16982 §2)
}
CAST_BYTES = {  # a number with its share of the scales: per tensor, per 32 (OCP MX 1.0, 2023), per 16 (NVFP4, NVIDIA 2025)
    TrainPrecision.FP8_MIXED: 1.0,
    TrainPrecision.MXFP8_MIXED: 1 + 1 / 32,
    TrainPrecision.NVFP4_MIXED: 0.5 + 1 / 16,
}
QUANTISED = {Method.QLORA4: NF4_BYTES, Method.QLORA8: INT8_BYTES}


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterBytes:
    """Bytes per trained parameter."""

    weight: float
    gradient: float  # as it is reduced
    optimizer: float
    gradient_copy: float = 0.0  # of the backward pass, where it stays beside the sum


@dataclass(frozen=True, slots=True, kw_only=True)
class StageParameters:
    """Parameters on one rank of a pipeline stage before data-parallel sharding."""

    layers: float  # of its layers, experts aside
    experts: float
    embedding: float  # input embedding, last norm and output head, where this stage has them
    layer: float  # one layer of it, as an all-gather sees it

    @property
    def total(self) -> float:
        """All of them."""
        return self.layers + self.experts + self.embedding


def is_mixed(precision: TrainPrecision) -> bool:
    """Whether an fp32 copy of trained weights is kept beside the 16-bit one."""
    return precision not in (TrainPrecision.FP32, TrainPrecision.PURE_BF16)


def is_model_parallel(train: TrainSettings) -> bool:
    """Layers or stages split the way Megatron does: its kernels and its loss run."""
    return (train.tp > 1 or train.pp > 1) and train.sharding in (Sharding.NONE, Sharding.ZERO1)


def is_deepspeed(train: TrainSettings) -> bool:
    """ZeRO by its stages is DeepSpeed's, unless stages are interleaved or sequences split beside tensor parallelism, which it does not know.
    Megatron's distributed optimizer, called ZeRO-1 too, keeps less: ranges reach down to it."""
    is_megatron = train.interleave > 1 or (train.sequence_parallel and train.tp > 1)
    return train.sharding in (Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3) and not is_megatron


def has_fp32_gradients(train: TrainSettings) -> bool:
    """Gradients summed in fp32: asked for, as Megatron keeps them beside 16-bit weights (18 bytes a parameter in all, its README, 2023), and
    as DeepSpeed does with bf16 but not with fp16."""
    if Knob.FP32_GRADIENTS in train.knobs:
        return True
    is_plain = is_deepspeed(train) and train.precision is TrainPrecision.FP16_MIXED
    return is_model_parallel(train) and is_mixed(train.precision) and not is_plain


def keeps_both_gradients(train: TrainSettings) -> bool:
    """Whether 16-bit gradients stay beside their fp32 sum: DeepSpeed's BF16_Optimizer, 2 + 4 bytes a parameter (runtime/bf16_optimizer.py, 2022).

    ZeRO-1 under tensor or pipeline parallelism in bf16 may be Megatron's distributed optimizer as well, which keeps 4: the low end."""
    return train.sharding is Sharding.ZERO1 and is_deepspeed(train) and has_fp32_gradients(train) and is_model_parallel(train)


def states_per_parameter(train: TrainSettings, model: LanguageModel | None) -> float:
    """Numbers the optimizer keeps per trained parameter: Muon's momentum for the matrices, AdamW's two for embedding, head and norms."""
    if train.optimizer is not Optimizer.MUON or model is None:
        return STATES[train.optimizer]
    made = parameters(model)
    share = made.layers * made.linear / made.total if train.method is Method.FULL else 1.0
    return share * STATES[Optimizer.MUON] + (1 - share) * STATES[Optimizer.ADAMW]


def low_precision_copy_bytes(train: TrainSettings) -> float:
    """Weights cast once a step and kept with their transpose beside the 16-bit ones, under Megatron (Transformer Engine docs, FP8 weight
    caching, 2024); elsewhere they are cast layer by layer."""
    return 2 * CAST_BYTES.get(train.precision, 0.0) if is_model_parallel(train) else 0.0


def bytes_per_parameter(train: TrainSettings, model: LanguageModel | None = None) -> ParameterBytes:
    """R-M3: 2 + 2 + (4 + 4 + 4) mixed, 2 + 2 + (2 + 2) pure 16-bit, 4 + 4 + (4 + 4) single; other optimizers keep fewer or 8-bit states."""
    wide = SINGLE if train.precision is TrainPrecision.FP32 else HALF
    mixed = is_mixed(train.precision)
    state = SINGLE if mixed or train.precision is TrainPrecision.FP32 else HALF
    if train.optimizer in (Optimizer.ADAMW8BIT, Optimizer.PAGED_ADAMW8BIT):
        state = EIGHT_BIT_STATE_BYTES
    gradient = SINGLE if has_fp32_gradients(train) else wide
    copy = HALF if keeps_both_gradients(train) else 0.0
    optimizer = states_per_parameter(train, model) * state + (SINGLE if mixed else 0.0)
    return ParameterBytes(weight=wide, gradient=gradient, optimizer=optimizer, gradient_copy=copy)


def stage_parameters(model: LanguageModel, layout: Layout, *, is_first: bool, is_last: bool) -> StageParameters:
    """What one rank of a stage holds: layer matrices, embedding and head split by tp, experts by tp and ep, norms by nothing."""
    made = parameters(model)
    shared = made.attention + made.active_mlp + made.other / made.layers
    layer = shared / layout.tp + made.norm
    experts = made.expert / layout.tp / layout.ep
    tied_copy = made.embedding if made.head == 0 and layout.pp > 1 else made.head
    edge = (made.embedding if is_first else 0.0) + (tied_copy if is_last else 0.0)
    return StageParameters(
        layers=layout.stage_layers * layer,
        experts=layout.stage_layers * experts,
        embedding=edge / layout.tp + (made.norm / 2 if is_last else 0.0),
        layer=layer + experts,
    )


def adapter_parameters(model: LanguageModel, rank: int) -> float:
    """LoRA on every linear layer: rank · Σ (inputs + outputs) of its matrices; expert matrices are left alone (PEFT's "all-linear" on dense layers)."""
    q, kv = model.head_count * model.head_dim, model.kv_head_count * model.head_dim
    attention = 2 * (model.hidden + q) + 2 * (model.hidden + kv)
    width = 0 if model.moe_expert_count else model.ffn_hidden
    mlp = (3 if model.is_gated_mlp else 2) * (model.hidden + width) if width else 0
    return float(rank) * model.layer_count * (attention + mlp)


def trained_share(model: LanguageModel, train: TrainSettings) -> float:
    """Trained parameters over all parameters."""
    if train.method is Method.FULL:
        return 1.0
    if train.method is Method.FREEZE:
        return train.trainable_layers * parameters(model).layer / parameters(model).total
    return adapter_parameters(model, train.lora_rank) / parameters(model).total


def frozen_bytes(stage: StageParameters, train: TrainSettings, made: Parameters) -> float:
    """The frozen base of LoRA: 16-bit, or matrices quantised with block scales and embedding, head and norms kept wide.

    QLoRA under mixed precision keeps what is not quantised in fp32 (PEFT prepare_model_for_kbit_training)."""
    wide = SINGLE if train.precision is TrainPrecision.FP32 else HALF
    packed = QUANTISED.get(train.method)
    if packed is None:
        return stage.total * wide
    kept = SINGLE if is_mixed(train.precision) else wide
    norms = made.norm * stage.layers / made.layer if made.layer else 0.0
    return (stage.layers + stage.experts - norms) * packed + (stage.embedding + norms) * kept


@dataclass(frozen=True, slots=True, kw_only=True)
class States:
    """Bytes of the model states on the worst rank's device."""

    weights_bytes: float
    gradients_bytes: float
    optimizer_bytes: float
    trained: float  # parameters trained on this rank before sharding
    spread: float  # of them, what this rank keeps of what is sharded
    frozen_bytes: float  # of the frozen base on this rank


def model_states(model: LanguageModel, train: TrainSettings, layout: Layout, stage: StageParameters) -> States:
    """Weights, gradients and optimizer states after ZeRO/FSDP partitioning (optimizer: 1 and up, gradients: 2 and up, weights: 3 and FSDP).

    Source: Rajbhandari et al. 2019 (arXiv:1910.02054) §5; Megatron's distributed optimizer shards like ZeRO-1. Anchor: R-M9, 13B over eight
    GPUs stays under 64 GB."""
    per = bytes_per_parameter(train, model)
    made = parameters(model)
    shards = layout.shards
    if train.method is Method.FULL:
        dense, experts = stage.layers + stage.embedding, stage.experts
        expert_shards = max(1, shards // layout.ep)
        trained, spread = dense + experts, dense / shards + experts / expert_shards
        base = base_spread = 0.0
    elif train.method is Method.FREEZE:
        dense, experts = (
            stage.layers * layout.backward_layers / layout.stage_layers,
            stage.experts * layout.backward_layers / layout.stage_layers,
        )
        trained, spread = dense + experts, dense / shards + experts / max(1, shards // layout.ep)
        base = (stage.total - trained) * (SINGLE if train.precision is TrainPrecision.FP32 else HALF)
        base_spread = base / shards
    else:
        trained = adapter_parameters(model, train.lora_rank) * layout.stage_layers / model.layer_count / layout.tp
        spread = trained / shards
        base = frozen_bytes(stage, train, made)
        base_spread = base / shards
    splits = train.sharding
    full_shard = splits in (Sharding.ZERO3, Sharding.FSDP)
    copy = low_precision_copy_bytes(train) if train.method in (Method.FULL, Method.FREEZE) else 0.0
    weights = spread * (per.weight + copy) + base_spread if full_shard else trained * (per.weight + copy) + base
    gradients = (spread if full_shard or splits is Sharding.ZERO2 else trained) * (per.gradient + per.gradient_copy)
    optimizer = spread * per.optimizer if splits is not Sharding.NONE else trained * per.optimizer
    if train.offload is Offload.ALL:
        weights = gradients = optimizer = 0.0
    elif train.offload is Offload.OPTIMIZER or train.optimizer is Optimizer.PAGED_ADAMW8BIT:
        paged = spread if splits is not Sharding.NONE else trained
        optimizer = 0.0 if train.offload is Offload.OPTIMIZER else optimizer - paged * STATES[train.optimizer] * EIGHT_BIT_STATE_BYTES
    return States(
        weights_bytes=weights,
        gradients_bytes=gradients,
        optimizer_bytes=optimizer,
        trained=trained,
        spread=spread,
        frozen_bytes=base_spread if full_shard else base,
    )


def host_state_bytes(model: LanguageModel, train: TrainSettings, layout: Layout) -> float:
    """States of one rank in host memory: the optimizer's with a gradient to step on, everything, or the 8-bit states that page out."""
    per, made = bytes_per_parameter(train, model), parameters(model)
    share = layout.stage_layers / model.layer_count / layout.tp / layout.shards
    trained = made.total * trained_share(model, train) * share
    if train.offload is Offload.ALL:
        frozen = made.total * share - (0.0 if train.has_adapters else trained)
        return trained * (per.weight + per.gradient + per.optimizer) + frozen * QUANTISED.get(train.method, HALF)
    if train.offload is Offload.OPTIMIZER:
        return trained * (per.gradient + per.optimizer)
    return trained * STATES[train.optimizer] * EIGHT_BIT_STATE_BYTES if train.optimizer is Optimizer.PAGED_ADAMW8BIT else 0.0
