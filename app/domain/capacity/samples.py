"""Models known by their size, multiply-accumulates and activations: vision, diffusion, speech. Samples take the place of tokens.

Time is the sum of products at the sustained rate and of passes over the activations at the achievable bandwidth; memory is states plus
activations of the batch. Sources of the sizes: the catalogue's rows."""

import re
from dataclasses import dataclass
from math import ceil, prod

from app.domain.capacity import kernels
from app.domain.capacity.collectives import collective_s, group
from app.domain.capacity.communication import exposed
from app.domain.capacity.hardware import Hardware, peak_flops
from app.domain.capacity.memory.states import SINGLE, STATES, bytes_per_parameter
from app.domain.capacity.physics import Physics
from app.domain.capacity.results import MemoryFigures, ServingFigures, TimeFigures
from app.domain.catalogue.models import OtherModel
from app.domain.errors import DataMissing, InvalidInput
from app.domain.workload.settings import InferSettings, Knob, Optimizer, Sharding, TrainPrecision, TrainSettings

TRAIN_PASSES = 9.0  # reads and writes of each saved activation in forward and backward, unfused (roofline of ResNet and ViT blocks, 2024)
SERVE_PASSES = 2.3  # the same forward only
FUSED_SHARE = 0.7  # of the passes that a compiler leaves
FORWARD_LIVE_RATIO = 0.15  # of the training activations, what a forward pass has alive at once
MOMENTUM_BYTES = 4.0  # image models train with momentum
GATHER_RATIO = 0.3  # of the memory bandwidth, for rows at random places (R-T2: below 30 %)
POOLED_BYTES = (
    2.0  # of a number of a pooled row on its way between GPUs: half precision (NVIDIA's MLPerf DLRM-DCNv2 submissions, v3.0, 2023)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One sample through the model: multiply-accumulates forward, activation bytes in 16 bit."""

    parameter_count: float
    mac: float
    activation_bytes: float
    table_bytes: float = 0.0  # embedding tables, spread over the GPUs; their parameters are not in the count
    lookup_bytes: float | None = None  # fp32 rows that a sample reads from the tables; None: nobody says
    pooled_bytes: float = 0.0  # of a sample's rows once those of a table are added up


def sample(model: OtherModel, image_size: int | None, task: str) -> Sample:
    """Sizes of one sample, scaled with the image's area or the volume's content. InvalidInput: they are not known, or the model has no image side."""
    if not model.parameter_count or not model.forward_mac_count or not model.activation_train_fp16_bytes:
        raise InvalidInput("model.name", "estimate.not_modelled", knob=model.name)
    scale, tables = 1.0, float(model.embedding_bytes or 0)
    if image_size is not None:
        sides = _sides(model)
        if not sides:
            raise InvalidInput(f"{task}.image_size", "estimate.not_modelled", knob=f"image_size ({model.input})")
        scale = image_size ** len(sides) / prod(sides)
    return Sample(
        parameter_count=model.parameter_count - tables / SINGLE,
        table_bytes=tables,
        mac=model.forward_mac_count * scale,
        activation_bytes=model.activation_train_fp16_bytes * scale,
        lookup_bytes=SINGLE * model.lookup_count * model.embedding_dim if model.lookup_count and model.embedding_dim else None,
        pooled_bytes=POOLED_BYTES * (model.embedding_table_count or 0) * (model.embedding_dim or 0),
    )


def lookups_s(one: Sample, batch: float, passes: float, hardware: Hardware) -> float:
    """Rows of the tables, read or written at random places: batch · bytes · passes / (0.3 · bandwidth). Tables spread over the GPUs do as
    much work each, since every GPU looks up for all of them. Simplified: no cache holds the popular rows, no row comes twice in a batch."""
    return batch * passes * (one.lookup_bytes or 0.0) / (GATHER_RATIO * hardware.bandwidth_bytes_per_s)


def exchange_s(one: Sample, batch: float, times: int, hardware: Hardware, gpu_count: int, physics: Physics) -> float:
    """Pooled rows from the GPUs that hold the tables to those that hold the samples (all-to-all, R-T3); their gradients back is once more."""
    if gpu_count == 1 or not one.pooled_bytes:
        return 0.0
    return times * collective_s("alltoall", batch * one.pooled_bytes, group(hardware, gpu_count, 1, physics), hardware)


def refuse_tables(one: Sample, hardware: Hardware) -> None:
    """DataMissing: how many rows a sample looks up decides the speed of a recommender, and the model's row does not say it."""
    if one.table_bytes and one.lookup_bytes is None:
        raise DataMissing("estimate.no_lookups", gpu=hardware.gpu.name if hardware.gpu else "")


def _sides(model: OtherModel) -> tuple[int, ...]:
    """Sides that grow with the image: height and width, or all three of a volume; none where the input is no plain image."""
    found = re.match(r"(\d+)x(\d+)x(?:(\d+)x)?\d+$", model.input)
    if found is None or (found[3] is not None and model.task.startswith("video")):
        return ()
    return tuple(int(side) for side in found.groups() if side is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRun:
    """A training run over samples."""

    train: TrainSettings
    one: Sample
    gpu_count: int
    accumulation: int

    @property
    def wide_ratio(self) -> float:
        """Activations over their 16-bit size."""
        return 2.0 if self.train.precision is TrainPrecision.FP32 else 1.0

    @property
    def passes(self) -> float:
        """Passes over the saved activations of one step."""
        return TRAIN_PASSES * (FUSED_SHARE if Knob.COMPILE in self.train.knobs else 1.0)


def sample_run(model: OtherModel, train: TrainSettings, gpu_count: int) -> SampleRun:
    """The run with its batch checked. InvalidInput: the batch cannot be divided."""
    group_size = train.micro_batch * gpu_count
    accumulation = 1
    if train.global_batch is not None:
        if train.global_batch < gpu_count:
            raise InvalidInput("train.global_batch", "estimate.batch", batch=train.global_batch, group=group_size)
        accumulation = max(1, ceil(train.global_batch / group_size))
    return SampleRun(train=train, one=sample(model, train.image_size, "train"), gpu_count=gpu_count, accumulation=accumulation)


def sample_memory(run: SampleRun, physics: Physics) -> MemoryFigures:
    """States as for any model, activations · batch, DDP's buckets, context."""
    per, train = bytes_per_parameter(run.train), run.train
    count, shards = run.one.parameter_count, run.gpu_count if train.sharding is not Sharding.NONE else 1
    is_whole = train.sharding in (Sharding.ZERO3, Sharding.FSDP)
    state = per.optimizer + (MOMENTUM_BYTES if train.optimizer is Optimizer.SGD else 0.0)
    tables = run.one.table_bytes / run.gpu_count  # in fp32, each on one GPU; their gradients touch the rows of a batch only
    held_tables = tables * STATES[train.optimizer]
    weights = count * per.weight / (shards if is_whole else 1) + tables
    gradients = count * per.gradient / (shards if is_whole or train.sharding is Sharding.ZERO2 else 1)
    activations = run.one.activation_bytes * run.wide_ratio * train.micro_batch * physics.activation_ratio
    buckets = gradients if run.gpu_count > 1 else 0.0
    allocated = weights + gradients + count * state / shards + held_tables + activations + buckets + physics.workspace_bytes
    return MemoryFigures(
        weights_bytes=weights,
        gradients_bytes=gradients,
        optimizer_bytes=count * state / shards + held_tables,
        activations_bytes=activations,
        logits_bytes=0.0,
        kv_cache_bytes=0.0,
        buckets_bytes=buckets,
        temporary_bytes=physics.workspace_bytes,
        fragmentation_bytes=allocated * physics.fragmentation_ratio,
        context_bytes=physics.context_bytes + (physics.library_bytes if run.gpu_count > 1 else 0.0),
    )


def sample_time(run: SampleRun, hardware: Hardware, physics: Physics) -> TimeFigures:
    """6 · MAC per sample at the sustained rate, passes over the activations, gradients reduced behind the backward pass, optimizer."""
    train, count = run.train, run.one.parameter_count
    refuse_tables(run.one, hardware)
    precision = kernels.COMPUTE_FORMAT[train.precision]
    batch = train.micro_batch
    compute = 6 * run.one.mac * batch / kernels.sustained_flops(hardware, precision, physics)
    moved = run.passes * run.one.activation_bytes * run.wide_ratio * batch * physics.elementwise_ratio
    states = STATES[train.optimizer]
    memory = kernels.moving_s(moved, hardware, physics) + lookups_s(run.one, batch, 3 + 2 * states, hardware)  # read; read and write each
    exchange = exchange_s(run.one, batch, 2, hardware, run.gpu_count, physics)
    per = bytes_per_parameter(train)
    optimizer = kernels.moving_s(count * (2 * per.optimizer + 2 * per.weight + per.gradient), hardware, physics)
    micro = compute + memory
    reduce = 0.0
    if run.gpu_count > 1:
        ranks = group(hardware, run.gpu_count, 1, physics)
        whole = collective_s("allreduce", count * per.gradient, ranks, hardware)
        reduce = exposed(whole, physics.overlap_ratio * micro * 2 / 3)
    n = run.accumulation
    step = n * (micro + exchange) + reduce + optimizer
    samples = float(batch * n * run.gpu_count)
    useful = 6 * run.one.mac * samples / run.gpu_count / step
    return TimeFigures(
        compute_s=n * compute,
        memory_s=n * memory + optimizer,
        collectives_s=reduce + n * exchange,
        bubble_s=0.0,
        step_time_s=step,
        tokens_per_s_per_gpu=0.0,
        samples_per_s=samples / step,
        mfu_ratio=useful / peak_flops(hardware, precision),
        model_flops_per_gpu=useful,
        hardware_flops_per_gpu=useful,
    )


def sample_serving(
    model: OtherModel, infer: InferSettings, weight_bytes: float, compute: str, hardware: Hardware, gpu_count: int, physics: Physics
) -> ServingFigures:
    """A batch of `concurrency` samples, forward only, on every GPU."""
    one = sample(model, infer.image_size, "infer")
    refuse_tables(one, hardware)
    batch = float(max(1, (infer.concurrency or 1) // gpu_count))
    computing = 2 * one.mac * batch / kernels.sustained_flops(hardware, compute, physics)
    passes = SERVE_PASSES * one.activation_bytes * batch * physics.elementwise_ratio
    moving = kernels.moving_s(passes + one.parameter_count * weight_bytes, hardware, physics) + lookups_s(one, batch, 1, hardware)
    exchange = exchange_s(one, batch, 1, hardware, gpu_count, physics)
    step = computing + moving + exchange
    rate = batch / step * gpu_count
    return ServingFigures(
        ttft_s=step,
        tpot_s=0.0,
        decode_tokens_per_s=0.0,
        prefill_tokens_per_s=0.0,
        requests_per_s=rate,
        kv_cache_tokens=0.0,
        max_concurrency=0.0,
        batch_per_replica=batch,
        step_s=step,
        prefill_s=step,
        prefill_share_s=step / batch,
        collectives_s=exchange,
        memory_s=moving,
        compute_s=computing,
        is_above_ceiling=False,
    )


def sample_serving_memory(model: OtherModel, infer: InferSettings, weight_bytes: float, gpu_count: int, physics: Physics) -> MemoryFigures:
    """Weights, and what a forward pass of the batch has alive."""
    batch = float(max(1, (infer.concurrency or 1) // gpu_count))
    one = sample(model, infer.image_size, "infer")
    live = FORWARD_LIVE_RATIO * one.activation_bytes * batch * physics.activation_ratio
    weights = one.parameter_count * weight_bytes + one.table_bytes / gpu_count
    return MemoryFigures(
        weights_bytes=weights,
        gradients_bytes=0.0,
        optimizer_bytes=0.0,
        activations_bytes=live,
        logits_bytes=0.0,
        kv_cache_bytes=0.0,
        buckets_bytes=0.0,
        temporary_bytes=physics.workspace_bytes,
        fragmentation_bytes=(weights + live) * physics.fragmentation_ratio,
        context_bytes=physics.context_bytes,
    )
