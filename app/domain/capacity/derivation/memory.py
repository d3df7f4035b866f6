"""Steps of the memory table."""

from app.domain.capacity.derivation.writing import gibibytes, number, size_step, step
from app.domain.capacity.layout import Layout, training_layout
from app.domain.capacity.memory.activations import layer_activations
from app.domain.capacity.memory.states import bytes_per_parameter, low_precision_copy_bytes
from app.domain.capacity.memory.training import UNSHARED_RATIO, TrainingPeak, training_memory
from app.domain.capacity.physics import TYPICAL
from app.domain.capacity.results import MemoryFigures
from app.domain.capacity.support import required_model
from app.domain.catalogue.models import LanguageModel
from app.domain.estimate import Derivation, Step
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import Offload, Optimizer, Recomputation, Sharding, TrainSettings, Workload

ZERO = "Rajbhandari et al. 2019, arXiv:1910.02054 §5"
KORTHIKANTI = "Korthikanti et al. 2022, arXiv:2205.05198 §4, counted tensor by tensor"
PARTS = ("weights", "gradients", "optimizer", "activations", "logits", "kv_cache", "buckets", "temporary")


def training_memory_steps(workload: Workload) -> Derivation:
    """Parameters of the worst rank, then each line of the table, then the three peaks."""
    model, train = required_model(workload), workload.train or TrainSettings()
    layout = training_layout(workload, model, train)
    peak = training_memory(model, train, layout, TYPICAL)
    return (
        _parameters(workload, layout, peak),
        *_states(model, train, layout, peak),
        *_activations(layout, peak),
        _recomputation(model, train, layout),
        *_buffers(peak),
        *peak_steps(peak.figures, _fragmentation(peak), ("kv_cache",)),
    )


def _parameters(workload: Workload, layout: Layout, peak: TrainingPeak) -> Step:
    made, stage = parameters(required_model(workload)), peak.stage
    return step(
        "memory.parameters",
        "P_rank = layers·P_layer + P_edge",
        (
            number("layers", layout.stage_layers, "of the fullest pipeline stage"),
            number("P_layer", stage.layer, "one layer after tensor and expert parallelism, from the dimensions"),
            number("P_edge", stage.embedding, "embedding and output head on this stage"),
            number("P", made.total, "all parameters of the model"),
        ),
        stage.layers + stage.experts + stage.embedding,
        "1",
        "model dimensions",
        "R-M1",
    )


def _states(model: LanguageModel, train: TrainSettings, layout: Layout, peak: TrainingPeak) -> Derivation:
    per, states, shards = bytes_per_parameter(train, model), peak.states, float(layout.shards)
    whole = train.sharding in (Sharding.ZERO3, Sharding.FSDP)
    is_away = train.offload is Offload.ALL
    copy = 0.0 if train.has_adapters else low_precision_copy_bytes(train)
    spread = states.spread
    held = spread if whole else states.trained
    gradient_held = spread if whole or train.sharding is Sharding.ZERO2 else states.trained
    optimizer_held = states.trained if train.sharding is Sharding.NONE else spread
    state_bytes = states.optimizer_bytes / optimizer_held if optimizer_held else 0.0
    kept = peak.moment.gradients / states.gradients_bytes if states.gradients_bytes else 0.0
    note = "sharded over the data-parallel ranks" if layout.shards > 1 else "not sharded"
    paged = " (8-bit states paged to the host)" if train.optimizer is Optimizer.PAGED_ADAMW8BIT else ""
    return (
        size_step(
            "memory.weights",
            "W = on_device·(P_trained·b_w + frozen)",
            (
                number("on_device", 0.0 if is_away else 1.0, "0: offloaded to the host"),
                number("P_trained", held, f"trained parameters held here, {note}; {shards:g} shards"),
                number("b_w", per.weight + copy, "bytes of a trained weight, with its 8- or 4-bit copies where they stay", "B"),
                gibibytes("frozen", states.frozen_bytes, source="frozen base in its own format, on this rank"),
            ),
            states.weights_bytes,
            ZERO,
            "R-M3",
        ),
        size_step(
            "memory.gradients",
            "G = on_device·live·P_held·b_g",
            (
                number("on_device", 0.0 if is_away else 1.0, "0: offloaded to the host"),
                number("live", kept, f"share that lives at the peak, which is at the {MOMENTS[peak.moment.name]}"),
                number("P_held", gradient_held, "trained parameters whose gradient this rank keeps"),
                number("b_g", per.gradient + per.gradient_copy, "bytes of a gradient, and of its 16-bit copy where that stays", "B"),
            ),
            peak.figures.gradients_bytes,
            ZERO,
            "R-M3",
        ),
        size_step(
            "memory.optimizer",
            "O = P_held·b_o",
            (
                number("P_held", optimizer_held, "trained parameters whose optimizer states this rank keeps"),
                number("b_o", state_bytes, f"bytes of master weight and states on the device{paged}", "B"),
            ),
            states.optimizer_bytes,
            ZERO,
            "R-M3",
        ),
    )


MOMENTS = {
    "loss": "loss (all activations and logits)",
    "backward": "start of the backward pass",
    "end": "end of the backward pass",
    "step": "optimizer step",
}


def _activations(layout: Layout, peak: TrainingPeak) -> Derivation:
    live, moment = peak.live, peak.moment
    share = {"loss": 1.0, "backward": 1.0, "end": 1.0 / layout.backward_layers, "step": 0.0}[moment.name]
    activations = size_step(
        "memory.activations",
        "A = share·in_flight·(layers·kept + boundary)·tokens",
        (
            number("share", share, f"of the stored activations alive at the {MOMENTS[moment.name]}"),
            number("in_flight", live.in_flight, "micro-batches that wait on this stage (1F1B)"),
            number("layers", layout.backward_layers, "of this stage that the backward pass enters"),
            number("kept", live.kept, "bytes a token and layer that wait for the backward pass", "B"),
            number("boundary", live.boundary, "bytes a token of stage outputs", "B"),
            number("tokens", layout.micro_tokens, "micro_batch · seq_len / cp"),
        ),
        peak.figures.activations_bytes,
        KORTHIKANTI,
        "R-M6",
    )
    tokens = layout.micro_tokens
    logits = size_step(
        "memory.logits",
        "L = tokens·b_L",
        (
            number("tokens", tokens, "of a micro-batch"),
            number(
                "b_L", moment.logits / tokens, "bytes a token: 16-bit logits, fp32 log-softmax and gradient, over the vocabulary shard", "B"
            ),
        ),
        peak.figures.logits_bytes,
        "torch.nn.functional.cross_entropy and Megatron's vocabulary-parallel loss",
        "R-M6",
    )
    return (activations, logits)


def _recomputation(model: LanguageModel, train: TrainSettings, layout: Layout) -> Step:
    """R-M6: what recomputation saves, from the architecture."""
    layer = layer_activations(model, train, layout)
    full = layer.saved + layer.scores
    kept = {Recomputation.NONE: full, Recomputation.SELECTIVE: layer.selective, Recomputation.FULL: layer.input}[train.act_ckpt]
    return step(
        "memory.recomputation",
        "saved = 1 - kept/full",
        (
            number("kept", kept, "bytes a token and layer that wait for the backward pass", "B"),
            number("full", full, "bytes of everything that the backward pass reads", "B"),
        ),
        1 - kept / full,
        "1",
        KORTHIKANTI,
        "R-M6",
    )


def _buffers(peak: TrainingPeak) -> Derivation:
    working = peak.live.working_bytes if peak.moment.name in ("backward", "end") else 0.0
    buckets = size_step(
        "memory.buckets",
        "B = buffers",
        (gibibytes("buffers", peak.figures.buckets_bytes, source="DDP or ZeRO buckets, or the layers FSDP gathers ahead"),),
        peak.figures.buckets_bytes,
        "DeepSpeed and PyTorch FSDP defaults",
        "R-M5",
    )
    temporary = size_step(
        "memory.temporary",
        "T = working + flowing + workspace",
        (
            gibibytes("working", working, source="the layer being recomputed"),
            gibibytes(
                "flowing",
                peak.moment.temporary - working,
                source="activation gradients of a layer, widened weights, or what the optimizer step allocates",
            ),
            gibibytes("workspace", TYPICAL.workspace_bytes, source="cuBLAS workspace, CUDA 12 docs 2023"),
        ),
        peak.figures.temporary_bytes,
        "method constants",
        "R-M5",
    )
    return (buckets, temporary)


def _fragmentation(peak: TrainingPeak) -> Step:
    return size_step(
        "memory.fragmentation",
        "F = f·allocated + u·min(S, other)",
        (
            number("f", TYPICAL.fragmentation_ratio, "cached, unused blocks: GMLake, arXiv:2401.08156, 2024"),
            gibibytes("allocated", peak.figures.allocated_bytes, "memory.allocated"),
            number("u", UNSHARED_RATIO, "share of blocks whose sizes do not match"),
            gibibytes("S", peak.step_bytes, source="temporaries of the optimizer step"),
            gibibytes("other", peak.other_bytes, source="activations, logits and temporaries of the backward pass"),
        ),
        peak.figures.fragmentation_bytes,
        "PyTorch caching allocator",
        "R-M5",
    )


def peak_steps(figures: MemoryFigures, fragmentation: Step | None, absent: tuple[str, ...]) -> Derivation:
    """Allocated, reserved and device peaks; `absent` parts have no step of their own."""
    names = dict(zip(PARTS, "WGOALKBT", strict=True))
    parts = tuple(
        gibibytes(symbol, getattr(figures, f"{part}_bytes"), None if part in absent else f"memory.{part}") for part, symbol in names.items()
    )
    return (
        size_step(
            "memory.allocated", "allocated = W + G + O + A + L + K + B + T", parts, figures.allocated_bytes, "sum of live tensors", None
        ),
        *(() if fragmentation is None else (fragmentation,)),
        size_step(
            "memory.reserved",
            "reserved = allocated + F",
            (
                gibibytes("allocated", figures.allocated_bytes, "memory.allocated"),
                gibibytes("F", figures.fragmentation_bytes, "memory.fragmentation"),
            ),
            figures.reserved_bytes,
            "PyTorch caching allocator",
            "R-M5",
        ),
        size_step(
            "memory.device",
            "device = reserved + context",
            (
                gibibytes("reserved", figures.reserved_bytes, "memory.reserved"),
                gibibytes("context", figures.context_bytes, source="CUDA context and NCCL communicators"),
            ),
            figures.device_bytes,
            "what nvidia-smi shows",
            "R-M5",
        ),
    )
