"""Peak memory of a training step on the worst rank: the heavier of the moments at which something peaks."""

from app.domain.capacity.layout import Layout
from app.domain.capacity.memory.activations import stage_activations
from app.domain.capacity.memory.buffers import bucket_bytes, logits_bytes, step_temporary_bytes, temporary_bytes
from app.domain.capacity.memory.states import model_states, stage_parameters
from app.domain.capacity.physics import Physics
from app.domain.capacity.results import MemoryFigures
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.settings import Knob, Method, Sharding, TrainSettings, Workload

UNSHARED_RATIO = 0.5  # of the step's temporaries, blocks that activations cannot reuse: other sizes (PyTorch docs, memory management, 2024)


def training_memory(workload: Workload, model: LanguageModel, train: TrainSettings, layout: Layout, physics: Physics) -> MemoryFigures:
    """The worst of first and last pipeline stage: the first holds most micro-batches, the last the logits."""
    first = _stage(workload, model, train, layout, physics, is_first=True, is_last=layout.pp == 1)
    if layout.pp == 1:
        return first
    last = _stage(workload, model, train, layout, physics, is_first=False, is_last=True)
    return max(first, last, key=lambda figures: figures.device_bytes)


def gradients_stay(train: TrainSettings, layout: Layout) -> bool:
    """Whether gradients exist while activations peak: kept over micro-batches (taken so where no global batch is given), or in lasting buffers."""
    if Knob.OPTIMIZER_IN_BACKWARD in train.knobs:
        return False
    buffered = layout.dp > 1 and train.sharding in (Sharding.NONE, Sharding.ZERO1, Sharding.ZERO2)
    return train.global_batch is None or layout.accumulation > 1 or buffered or layout.tp > 1 or layout.pp > 1


def _stage(
    workload: Workload, model: LanguageModel, train: TrainSettings, layout: Layout, physics: Physics, *, is_first: bool, is_last: bool
) -> MemoryFigures:
    stage = stage_parameters(model, layout, is_first=is_first, is_last=is_last)
    states = model_states(model, train, layout, stage)
    live = stage_activations(model, train, layout, is_first=is_first)
    logits = logits_bytes(model, train, layout) * physics.logits_ratio if is_last else 0.0
    buckets = bucket_bytes(model, train, layout, stage, states.gradients_bytes)
    flowing = temporary_bytes(model, train, layout, stage)
    gradients = states.gradients_bytes
    if Knob.OPTIMIZER_IN_BACKWARD in train.knobs and train.method is Method.FULL:
        gradients = gradients * stage.layer / stage.total
    stored, working = live.stored_bytes * physics.activation_ratio, live.working_bytes * physics.activation_ratio
    # at the loss: all activations and the logits; at the end of the backward pass: all gradients and the last layer; at the step: temporaries
    step = step_temporary_bytes(train, states.trained, layout)
    if gradients_stay(train, layout):
        moments = [(gradients, stored, logits, 0.0), (gradients, stored + working, 0.0, flowing), (gradients, 0.0, 0.0, step)]
    else:
        per_layer = stored / layout.stage_layers
        moments = [
            (0.0, stored, logits, 0.0),
            (gradients / layout.stage_layers, stored + working, 0.0, flowing),
            (gradients, per_layer + working, 0.0, flowing),
            (gradients, 0.0, 0.0, step),
        ]
    gradients, activations, logits, temporary = max(moments, key=sum)
    temporary += physics.workspace_bytes
    groups = sum(size > 1 for size in (layout.tp, layout.pp, layout.dp, layout.cp))
    dynamic = states.weights_bytes + gradients + states.optimizer_bytes + activations + logits + buckets + temporary
    return MemoryFigures(
        weights_bytes=states.weights_bytes,
        gradients_bytes=gradients,
        optimizer_bytes=states.optimizer_bytes,
        activations_bytes=activations,
        logits_bytes=logits,
        kv_cache_bytes=0.0,
        buckets_bytes=buckets,
        temporary_bytes=temporary,
        fragmentation_bytes=dynamic * physics.fragmentation_ratio + UNSHARED_RATIO * min(step, activations + logits),
        context_bytes=physics.context_bytes + physics.library_bytes * groups,
    )
