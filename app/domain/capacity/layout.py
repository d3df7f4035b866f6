"""How a workload is spread over ranks: sizes of the parallel groups, layers and micro-batches of the worst pipeline stage."""

from dataclasses import dataclass
from math import ceil

from app.domain.catalogue.models import LanguageModel
from app.domain.errors import InvalidInput
from app.domain.workload.settings import Knob, Method, Sharding, TrainSettings, Workload

UNPADDED_RATIO = (
    0.5  # of the tokens of an encoder's batch that are no padding, which packing saves (Wikipedia at 512: arXiv:2107.02027 §3, 2021)
)
USUAL_DEPTH = 4  # micro-batches per pipeline stage in recipes (Narayanan et al. 2021, arXiv:2104.04473 §2.2: many more than stages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Group sizes and the counts that memory and time share. `shards` is how many ranks split what ZeRO or FSDP splits."""

    tp: int
    pp: int
    cp: int
    ep: int
    dp: int
    sequence_parallel: bool
    stage_layers: int  # of the fullest pipeline stage
    backward_layers: int  # of them, through which the backward pass runs: all, or the last ones that freezing leaves
    in_flight: float  # micro-batches whose activations the first stage holds (1F1B)
    in_flight_last: float  # the same on the last stage
    chunks: int  # groups of layers that a stage takes in turns, which divide the bubble
    accumulation: int  # micro-batches per step and data-parallel rank
    micro_tokens: float  # tokens of one micro-batch on one rank, after context parallelism
    seq_len: int
    sample_tokens: float  # of a sequence on average, padding aside where it is packed away
    micro_batch: int
    shards: int

    def passes(self, repeats: float) -> float:
        """Layer passes of a micro-batch for work done `repeats` times a layer: once forward, the rest where the backward pass runs."""
        return self.stage_layers + self.backward_layers * (repeats - 1)

    @property
    def backward_ratio(self) -> float:
        """Share of the layers through which the backward pass runs."""
        return self.backward_layers / self.stage_layers

    @property
    def step_tokens(self) -> float:
        """Tokens of one optimizer step over all ranks."""
        return self.sample_tokens * self.micro_batch * self.accumulation * self.dp


def training_layout(workload: Workload, model: LanguageModel, train: TrainSettings) -> Layout:
    """The layout of a training run. InvalidInput names the setting that contradicts the others or the model."""
    parallel = train.tp * train.pp * train.cp
    if parallel > workload.gpu_count or workload.gpu_count % parallel:
        raise InvalidInput("n_gpus", "estimate.not_divisible", gpus=workload.gpu_count, groups=parallel)
    dp = workload.gpu_count // parallel
    if train.dp is not None and train.dp != dp:
        product = train.dp * parallel
        raise InvalidInput("train.dp", "estimate.wrong_product", gpus=workload.gpu_count, product=product)
    if train.tp > 1 and (model.head_count % train.tp or train.tp > model.head_count):
        raise InvalidInput("train.tp", "estimate.heads", heads=model.head_count, tp=train.tp)
    if train.pp > model.layer_count:
        raise InvalidInput("train.pp", "estimate.layers", layers=model.layer_count, pp=train.pp)
    if train.cp > 1 and train.seq_len % train.cp:
        raise InvalidInput("train.cp", "estimate.sequence", tokens=train.seq_len, cp=train.cp)
    _check_experts(model, train, workload.gpu_count)
    accumulation = _accumulation(train, dp)
    if train.interleave > 1 and (accumulation % train.pp or train.interleave > ceil(model.layer_count / train.pp)):
        raise InvalidInput("train.interleave", "estimate.not_divisible", gpus=accumulation, groups=train.pp)
    is_short = model.kind == "encoder" and Knob.PACKED in train.knobs
    sample_tokens = train.seq_len * (UNPADDED_RATIO if is_short else 1.0)
    stage_layers = ceil(model.layer_count / train.pp)
    return Layout(
        tp=train.tp,
        pp=train.pp,
        cp=train.cp,
        ep=train.ep,
        dp=dp,
        sequence_parallel=train.sequence_parallel and train.tp > 1,
        stage_layers=stage_layers,
        backward_layers=min(train.trainable_layers, stage_layers) if train.method is Method.FREEZE else stage_layers,
        in_flight=_in_flight(train, accumulation, +1),
        in_flight_last=_in_flight(train, accumulation, -1) if train.interleave > 1 else 1,
        chunks=train.interleave if train.pp > 1 else 1,
        accumulation=accumulation,
        micro_tokens=sample_tokens * train.micro_batch / train.cp,
        seq_len=train.seq_len,
        sample_tokens=sample_tokens,
        micro_batch=train.micro_batch,
        shards=dp * train.cp if train.sharding is not Sharding.NONE else 1,
    )


def _in_flight(train: TrainSettings, accumulation: int, end: int) -> float:
    """Micro-batches that wait on the first stage: as many as stages; where v groups of layers take turns (p − 1)/v more there, and as much
    less on the last stage, which else holds one.

    Source: Korthikanti et al. 2022 (arXiv:2205.05198) §4.2.3; Megatron-LM's interleaved schedule, 2(p − 1 − r) + (v − 1)·p + 1 groups on stage r."""
    more = end * (train.pp - 1) / train.interleave if train.interleave > 1 else 0.0
    return min(train.pp + more, accumulation)


def _check_experts(model: LanguageModel, train: TrainSettings, gpu_count: int) -> None:
    """InvalidInput: experts or ranks of a pipeline stage do not divide into groups of `ep`; freezing knows one stage only."""
    if train.ep > 1:
        if (model.moe_expert_count or 1) % train.ep:
            raise InvalidInput("train.ep", "estimate.experts", experts=model.moe_expert_count or 1, ep=train.ep)
        if gpu_count // train.pp % train.ep:
            raise InvalidInput("train.ep", "estimate.not_divisible", gpus=gpu_count // train.pp, groups=train.ep)
    if train.method is Method.FREEZE:
        if train.pp > 1:
            raise InvalidInput("train.pp", "estimate.not_modelled", knob=f"freeze, pp = {train.pp}")
        if train.trainable_layers > model.layer_count:
            raise InvalidInput("train.trainable_layers", "estimate.trainable", layers=model.layer_count, trained=train.trainable_layers)


def _accumulation(train: TrainSettings, dp: int) -> int:
    """Micro-batches per step: global_batch / (micro_batch · dp); enough to keep a pipeline's bubble small where no global batch is given."""
    if train.global_batch is None:
        return USUAL_DEPTH * train.pp if train.pp > 1 else 1
    group = train.micro_batch * dp
    if train.global_batch < group or train.global_batch % group:
        raise InvalidInput("train.global_batch", "estimate.batch", batch=train.global_batch, group=group)
    return train.global_batch // group
