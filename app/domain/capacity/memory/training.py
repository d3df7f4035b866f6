"""Peak memory of a training step on the worst rank: the heaviest of the moments at which something peaks."""

from dataclasses import dataclass

from app.domain.capacity.layout import Layout
from app.domain.capacity.memory.activations import Activations, stage_activations
from app.domain.capacity.memory.buffers import bucket_bytes, logits_bytes, step_temporary_bytes, temporary_bytes
from app.domain.capacity.memory.states import (
    StageParameters,
    States,
    bytes_per_parameter,
    keeps_both_gradients,
    model_states,
    stage_parameters,
)
from app.domain.capacity.physics import Physics
from app.domain.capacity.results import MemoryFigures
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.settings import Knob, Method, Sharding, TrainSettings

UNSHARED_RATIO = 0.5  # of the step's temporaries, blocks that activations cannot reuse: other sizes (PyTorch docs, memory management, 2024)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What is live beside weights, optimizer states and buckets at one point of a training step."""

    name: str  # loss | backward | end | step
    gradients: float
    activations: float
    logits: float
    temporary: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.gradients + self.activations + self.logits + self.temporary


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPeak:
    """The peak with what it was made of, for the derivation."""

    figures: MemoryFigures
    stage: StageParameters
    states: States
    live: Activations
    moment: Moment
    is_first: bool
    is_last: bool
    group_count: int  # communicators: tensor, pipeline, data, context
    step_bytes: float
    other_bytes: float  # the heaviest other moment's activations, logits and temporaries


def training_memory(model: LanguageModel, train: TrainSettings, layout: Layout, physics: Physics) -> TrainingPeak:
    """The worst of first and last pipeline stage: the first holds most micro-batches, the last the logits."""
    first = _stage(model, train, layout, physics, is_first=True, is_last=layout.pp == 1)
    if layout.pp == 1:
        return first
    last = _stage(model, train, layout, physics, is_first=False, is_last=True)
    return max(first, last, key=lambda peak: peak.figures.device_bytes)


def gradients_stay(train: TrainSettings, layout: Layout) -> bool:
    """Whether gradients exist while activations peak: kept over micro-batches (taken so where no global batch is given), or in lasting buffers."""
    if Knob.OPTIMIZER_IN_BACKWARD in train.knobs:
        return False
    buffered = layout.dp > 1 and train.sharding in (Sharding.NONE, Sharding.ZERO1, Sharding.ZERO2)
    return train.global_batch is None or layout.accumulation > 1 or buffered or layout.tp > 1 or layout.pp > 1


def _moments(
    train: TrainSettings, layout: Layout, gradients: float, head: float, live: Activations, logits: float, flowing: float, step: float
) -> tuple[Moment, ...]:
    """At the loss all activations and the logits live, with the `head`'s gradient that is made of them; at the end of the backward pass all
    gradients, at the step its temporaries.

    The layer being recomputed is a temporary: what papers call activation memory is what waits (arXiv:2205.05198 §4)."""
    stored, working = live.stored_bytes, live.working_bytes
    stays = gradients_stay(train, layout)
    early = gradients if stays else gradients / layout.backward_layers
    return (
        Moment(name="loss", gradients=gradients if stays else head, activations=stored, logits=logits, temporary=0.0),
        Moment(name="backward", gradients=early, activations=stored, logits=0.0, temporary=flowing + working),
        Moment(name="end", gradients=gradients, activations=stored / layout.backward_layers, logits=0.0, temporary=flowing + working),
        Moment(name="step", gradients=gradients, activations=0.0, logits=0.0, temporary=step),
    )


def _head_gradient_bytes(model: LanguageModel, train: TrainSettings, stage: StageParameters) -> float:
    """Of the output projection, made while the logits' gradient still lives. Sharded, it is a bucket's (see `bucket_bytes`)."""
    if train.method is not Method.FULL or train.sharding in (Sharding.FSDP, Sharding.ZERO3):
        return 0.0
    return min(stage.embedding, float(model.vocab) * model.hidden / train.tp) * bytes_per_parameter(train, model).gradient


def _stage(model: LanguageModel, train: TrainSettings, layout: Layout, physics: Physics, *, is_first: bool, is_last: bool) -> TrainingPeak:
    stage = stage_parameters(model, layout, is_first=is_first, is_last=is_last)
    states = model_states(model, train, layout, stage)
    live = stage_activations(model, train, layout, is_first=is_first, ratio=physics.activation_ratio, waiting=physics.in_flight_ratio)
    logits = logits_bytes(model, train, layout) * physics.logits_ratio if is_last else 0.0
    buckets = bucket_bytes(model, train, layout, stage, states.gradients_bytes)
    gradients = states.gradients_bytes
    head = _head_gradient_bytes(model, train, stage) if is_last else 0.0
    if Knob.OPTIMIZER_IN_BACKWARD in train.knobs and not train.has_adapters:
        gradients = gradients * min(1.0, stage.layer / states.trained)
    if keeps_both_gradients(train):
        gradients *= physics.gradient_ratio
    step = step_temporary_bytes(model, train, states.trained, layout)
    flowing = temporary_bytes(model, train, layout, stage)
    moments = _moments(train, layout, gradients, head, live, logits, flowing, step)
    peak = max(moments, key=lambda moment: moment.total)
    other = max(moment.total - moment.gradients for moment in moments[:3])
    groups = sum(size > 1 for size in (layout.tp, layout.pp, layout.dp, layout.cp))
    temporary = peak.temporary + physics.workspace_bytes
    allocated = states.weights_bytes + states.optimizer_bytes + buckets + peak.total + physics.workspace_bytes
    figures = MemoryFigures(
        weights_bytes=states.weights_bytes,
        gradients_bytes=peak.gradients,
        optimizer_bytes=states.optimizer_bytes,
        activations_bytes=peak.activations,
        logits_bytes=peak.logits,
        kv_cache_bytes=0.0,
        buckets_bytes=buckets,
        temporary_bytes=temporary,
        fragmentation_bytes=allocated * physics.fragmentation_ratio + UNSHARED_RATIO * min(step, other),
        context_bytes=physics.context_bytes + physics.library_bytes * groups,
        moment=peak.name,
    )
    return TrainingPeak(
        figures=figures,
        stage=stage,
        states=states,
        live=live,
        moment=peak,
        is_first=is_first,
        is_last=is_last,
        group_count=groups,
        step_bytes=step,
        other_bytes=other,
    )
