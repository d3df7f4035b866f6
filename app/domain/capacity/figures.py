"""One set of formulas for the search (typical numbers) and for people (the same, moved within the constants' ranges)."""

from functools import lru_cache

from app.domain.capacity.collectives import collective
from app.domain.capacity.engines import engine
from app.domain.capacity.formats import weight_format
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.inference import Deployment, serving
from app.domain.capacity.layout import Layout, training_layout
from app.domain.capacity.memory.serving import serving_memory
from app.domain.capacity.memory.training import training_memory
from app.domain.capacity.physics import TYPICAL, Physics
from app.domain.capacity.power import average_w
from app.domain.capacity.results import Figures, MemoryFigures, TimeFigures
from app.domain.capacity.samples import sample_memory, sample_run, sample_serving, sample_serving_memory, sample_time
from app.domain.capacity.support import refuse, required_model
from app.domain.capacity.time import step_time
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import InvalidInput
from app.domain.units import energy_kwh
from app.domain.workload.settings import CollectiveSettings, InferSettings, Task, TrainSettings, Workload


def figures(workload: Workload, hardware: Hardware, *, has_speed: bool = True) -> Figures:
    """Typical numbers of a workload on a hardware. InvalidInput: contradictory or not modelled; DataMissing: a fact is unknown."""
    refuse(workload)
    return computed(workload, hardware, TYPICAL, has_speed=has_speed)


def computed(workload: Workload, hardware: Hardware, physics: Physics, *, has_memory: bool = True, has_speed: bool = True) -> Figures:
    """The numbers under one set of constants, of a workload already found answerable; on wish without memory or without speed."""
    if workload.task is Task.COLLECTIVE:
        asked = workload.collective or CollectiveSettings()
        return Figures(memory=None, collective=collective(asked.op, asked.message_bytes, workload.gpu_count, hardware, physics))
    if isinstance(workload.model, OtherModel):
        return _sampled(workload, workload.model, hardware, physics, has_speed=has_speed)
    if workload.task is Task.INFER:
        return _served(workload, workload.infer or InferSettings(), hardware, physics)
    return _trained(workload, workload.train or TrainSettings(), hardware, physics, has_memory=has_memory, has_speed=has_speed)


def _trained(
    workload: Workload, train: TrainSettings, hardware: Hardware, physics: Physics, *, has_memory: bool, has_speed: bool
) -> Figures:
    model = required_model(workload)
    layout = training_layout(workload, model, train)
    memory = _training_memory(model, train, layout, physics) if has_memory else None
    if hardware.gpu is None or not has_speed:
        return Figures(memory=memory, capacity_bytes=hardware.capacity_bytes)
    time = step_time(workload.gpu_count, model, train, layout, hardware, physics)
    power = average_w(hardware, time.compute_s, time.memory_s, time.collectives_s + time.bubble_s)
    duration = duration_s(train, time, layout.sample_tokens)
    return with_energy(memory, time, hardware, duration, power, workload.gpu_count)


@lru_cache(maxsize=4096)
def _training_memory(model: LanguageModel, train: TrainSettings, layout: Layout, physics: Physics) -> MemoryFigures:
    # No fact of the hardware is in it, so a search over a hundred machines asks for the same few hundred memories again and again.
    return training_memory(model, train, layout, physics).figures


def _sampled(workload: Workload, model: OtherModel, hardware: Hardware, physics: Physics, *, has_speed: bool) -> Figures:
    """Models that are known by their samples."""
    count = workload.gpu_count
    if workload.task is Task.INFER:
        infer = workload.infer or InferSettings()
        weights = weight_format(infer.weight_precision, infer.weight_format)
        memory = sample_serving_memory(model, infer, weights.matrix_bytes, count, physics)
        if hardware.gpu is None:
            return Figures(memory=memory, capacity_bytes=hardware.capacity_bytes)
        speed = sample_serving(model, infer, weights.matrix_bytes, weights.compute, hardware, count, physics)
        power = average_w(hardware, speed.compute_s, speed.memory_s, 0.0)
        return Figures(memory=memory, serving=speed, capacity_bytes=hardware.capacity_bytes, average_w=power)
    run = sample_run(model, workload.train or TrainSettings(), count)
    held = sample_memory(run, physics)
    if hardware.gpu is None or not has_speed:
        return Figures(memory=held, capacity_bytes=hardware.capacity_bytes)
    time = sample_time(run, hardware, physics)
    power = average_w(hardware, time.compute_s, time.memory_s, time.collectives_s)
    samples = run.train.train_samples
    duration = samples / time.samples_per_s if samples is not None else None
    return with_energy(held, time, hardware, duration, power, count)


def duration_s(train: TrainSettings, time: TimeFigures, sample_tokens: float) -> float | None:
    """Seconds of the whole run: tokens (or samples) over their rate; None where nobody said how many."""
    if train.train_tokens is not None:
        return train.train_tokens / (time.samples_per_s * sample_tokens)
    if train.train_samples is not None:
        return train.train_samples / time.samples_per_s
    return None


def with_energy(
    memory: MemoryFigures | None, time: TimeFigures, hardware: Hardware, duration: float | None, power: float | None, gpu_count: int
) -> Figures:
    """Figures of a training run with its duration and energy."""
    energy = energy_kwh(power * gpu_count, duration) if power is not None and duration is not None else None
    return Figures(
        memory=memory, time=time, capacity_bytes=hardware.capacity_bytes, duration_s=duration, average_w=power, energy_kwh=energy
    )


def _served(workload: Workload, infer: InferSettings, hardware: Hardware, physics: Physics) -> Figures:
    model = required_model(workload)
    if workload.gpu_count % (infer.tp * infer.pp):
        raise InvalidInput("infer.tp", "estimate.not_divisible", gpus=workload.gpu_count, groups=infer.tp * infer.pp)
    weights = weight_format(infer.weight_precision, infer.weight_format)
    runs = engine(infer.engine, hardware.capacity_bytes, hardware.gpu.architecture if hardware.gpu else "")
    if runs is None:
        raise InvalidInput("infer.engine", "estimate.not_modelled", knob=infer.engine)
    speed = None
    if hardware.gpu is not None:
        on = Deployment(model=model, infer=infer, weights=weights, engine=runs, hardware=hardware)
        speed = serving(on, workload.gpu_count, physics)
    replicas = max(1, workload.gpu_count // (infer.tp * infer.pp))
    asked = infer.concurrency / replicas if infer.concurrency else (speed.batch_per_replica if speed else 1.0)
    memory = serving_memory(model, infer, weights, runs, max(1.0, asked), physics)
    power = average_w(hardware, speed.compute_s, speed.memory_s, speed.collectives_s) if speed else None
    return Figures(memory=memory, serving=speed, capacity_bytes=hardware.capacity_bytes, average_w=power)
