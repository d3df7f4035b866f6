"""What the reader must know about a workload on a hardware, rule by rule."""

from collections.abc import Iterator

from app.domain.capacity import kernels
from app.domain.capacity.formats import weight_format
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.layout import training_layout
from app.domain.capacity.memory.states import bytes_per_parameter, host_state_bytes, trained_share
from app.domain.capacity.results import Figures, Fit, MemoryEstimate
from app.domain.capacity.support import required_model
from app.domain.catalogue.models import LanguageModel
from app.domain.errors import DataMissing, message
from app.domain.estimate import Finding
from app.domain.units import as_billions
from app.domain.workload.parameters import counted_parameters, parameters
from app.domain.workload.settings import InferSettings, LinkKind, Method, Offload, Task, TrainSettings, Workload

COMMUNICATION_RATIO = 0.15  # of a step, from which it counts as communication-bound (R-D6)
WAITING_RATIO = 0.08  # of a step, from which several GPUs visibly do the work of fewer (R-T4: 92 % efficient counts as good)
LOW_MFU_RATIO = 0.30  # below it a configuration deserves a look (R-D10)
FREE_RATIO = 0.20  # of the card that stays free in a comfortable plan (R-M4, R-M5)
COUNT_RATIO = 0.03  # between stated and counted parameters
MANY_CARDS = 4  # that train together, from which NVLink is preferred (R-S2)
SEVERITIES = ("blocker", "warning", "note")
SUPPORT = {"bf16": "bf16", "fp16": "fp16", "fp32": "fp32", "fp8": "fp8", "fp4": "fp4", "int8": "int8"}


def findings(
    workload: Workload, hardware: Hardware, figures: Figures, memory: MemoryEstimate | None, missing: DataMissing | None = None
) -> tuple[Finding, ...]:
    """All findings, gravest first. `missing` is the fact for want of which there is no speed."""
    found = [
        *_memory(workload, memory),
        *_moment(figures),
        *_host(workload, hardware),
        *_precision(workload, hardware),
        *_speed(workload, figures),
        *_links(workload, hardware),
        *_model(workload),
    ]
    if hardware.gpu is None and missing is None:
        found.append(Finding(rule="R-T1", severity="note", text=message("finding.no_gpu")))
    if missing is not None:
        found.append(Finding(rule="R-T1", severity="blocker", text=missing.message))
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def _memory(workload: Workload, memory: MemoryEstimate | None) -> Iterator[Finding]:
    if memory is None or memory.capacity_bytes is None:
        return
    peak, capacity = memory.device_bytes, memory.capacity_bytes
    evidence = message("finding.peak", needed_bytes=peak.typical, high_bytes=peak.high, capacity_bytes=capacity)
    if memory.fits is Fit.NO:
        short = peak.typical - capacity
        yield Finding(rule="R-D3", severity="blocker", text=message("finding.no_fit", short_bytes=short), evidence=evidence)
        yield from _states(workload, capacity)
    elif memory.fits is Fit.TIGHT:
        yield Finding(rule="R-M5", severity="warning", text=message("finding.tight"), evidence=evidence)
    elif peak.typical > capacity * (1 - FREE_RATIO) and workload.task is Task.TRAIN:
        yield Finding(
            rule="R-M5", severity="note", text=message("finding.little_room", free_ratio=1 - peak.typical / capacity), evidence=evidence
        )


def _host(workload: Workload, hardware: Hardware) -> Iterator[Finding]:
    """R-S1: what is offloaded or paged needs the machine's memory."""
    train = workload.train
    if workload.task is not Task.TRAIN or train is None or not isinstance(workload.model, LanguageModel):
        return
    size = hardware.gpus_per_node_count * host_state_bytes(workload.model, train, training_layout(workload, workload.model, train))
    if size:
        yield Finding(rule="R-S1", severity="note", text=message("finding.host_memory", needed_bytes=size))


def _moment(figures: Figures) -> Iterator[Finding]:
    """A peak at the optimizer step looks odd in the table: the activations are gone by then."""
    memory = figures.memory
    if memory is not None and memory.moment == "step":
        text = message("finding.peak_at_step", needed_bytes=memory.temporary_bytes)
        yield Finding(rule="R-M3", severity="note", text=text)


def _states(workload: Workload, capacity_bytes: float) -> Iterator[Finding]:
    """R-M7: what no sharding brings onto these GPUs."""
    train = workload.train
    if workload.task is not Task.TRAIN or train is None or train.method is not Method.FULL or train.offload is not Offload.NONE:
        return
    if not isinstance(workload.model, LanguageModel):
        return
    per = bytes_per_parameter(train, required_model(workload))
    states = (
        required_model_parameters(workload) * trained_share(required_model(workload), train) * (per.weight + per.gradient + per.optimizer)
    )
    offered = capacity_bytes * workload.gpu_count
    if states > offered:
        text = message("finding.states", needed_bytes=states, available_bytes=offered, gpus=workload.gpu_count)
        yield Finding(rule="R-M7", severity="blocker", text=text)


def required_model_parameters(workload: Workload) -> float:
    """Parameters of the workload's model."""
    return parameters(required_model(workload)).total


def _precision(workload: Workload, hardware: Hardware) -> Iterator[Finding]:
    """R-S5: a precision that the architecture lacks, or has on its vector units only."""
    gpu = hardware.gpu
    if gpu is None or workload.task is Task.COLLECTIVE:
        return
    if workload.task is Task.TRAIN:
        name = kernels.COMPUTE_FORMAT[(workload.train or TrainSettings()).precision]
    else:
        infer = workload.infer or InferSettings()
        name = weight_format(infer.weight_precision, infer.weight_format).compute
    row = next((row for row in hardware.supports if row.precision == SUPPORT.get(name)), None)
    if row is None:
        return
    evidence = message("finding.precision_source", source=row.source.title, on=row.source.on)
    if row.hardware_support == "no":
        text = message("finding.no_precision", gpu=gpu.name, precision=name)
        yield Finding(rule="R-S5", severity="blocker", text=text, evidence=evidence)
    elif row.hardware_support == "vector" and name != "fp32":
        text = message("finding.slow_precision", gpu=gpu.name, precision=name)
        yield Finding(rule="R-S5", severity="warning", text=text, evidence=evidence)
    elif row.min_cuda and name in ("fp8", "fp4"):
        text = message("finding.software", precision=name, cuda=row.min_cuda, framework=row.min_pytorch or "—")
        yield Finding(rule="R-S5", severity="note", text=text, evidence=evidence)


def _speed(workload: Workload, figures: Figures) -> Iterator[Finding]:
    time, serving = figures.time, figures.serving
    if time is not None:
        share = figures.collective_ratio or 0.0
        waiting = share + time.bubble_s / time.step_time_s
        if workload.gpu_count > 1 and waiting > WAITING_RATIO:
            work = workload.gpu_count * (1 - waiting)
            yield Finding(rule="R-T4", severity="note", text=message("finding.scaling", gpus=workload.gpu_count, work=round(work, 1)))
        if share > COMMUNICATION_RATIO:
            yield Finding(rule="R-D6", severity="warning", text=message("finding.communication", share_ratio=share))
        if time.mfu_ratio < LOW_MFU_RATIO:
            yield Finding(rule="R-D10", severity="note", text=message("finding.low_mfu", mfu_ratio=time.mfu_ratio))
        if time.mfu_ratio > 1:
            yield Finding(rule="U7", severity="blocker", text=message("finding.above_peak", mfu_ratio=time.mfu_ratio))
    asked = workload.infer.concurrency if workload.infer else None
    if serving is not None and asked is not None and serving.max_concurrency < asked:
        text = message("finding.queue", asked=asked, held=int(serving.max_concurrency))
        yield Finding(rule="R-M2", severity="warning", text=text)
    if serving is not None and serving.is_above_ceiling:
        yield Finding(rule="U7", severity="blocker", text=message("finding.above_bandwidth"))


def _links(workload: Workload, hardware: Hardware) -> Iterator[Finding]:
    gpu, count = hardware.gpu, workload.gpu_count
    if gpu is None:
        return
    if gpu.market_class == "consumer":
        severity = "warning" if count > 1 else "note"
        yield Finding(rule="R-S6", severity=severity, text=message("finding.consumer", gpu=gpu.name))
    if workload.task is Task.TRAIN and count >= MANY_CARDS and hardware.link is LinkKind.PCIE:
        yield Finding(rule="R-S2", severity="warning", text=message("finding.pcie", gpus=count, rate_bytes_per_s=hardware.link_bytes_per_s))
    size = workload.train.tp if workload.train and workload.task is Task.TRAIN else workload.infer.tp if workload.infer else 1
    if size > max(hardware.gpus_per_node_count, 1) and hardware.link_gpu_count < size:
        yield Finding(rule="R-T3", severity="warning", text=message("finding.tensor_parallel", tp=size, gpus=hardware.gpus_per_node_count))


def _model(workload: Workload) -> Iterator[Finding]:
    """U6: dimensions that do not add up to the stated parameters; a context longer than the model was made for."""
    model = workload.model
    if not isinstance(model, LanguageModel):
        return
    counted, stated = counted_parameters(model), parameters(model).total
    if abs(counted / stated - 1) > COUNT_RATIO and model.attention != "hybrid":
        text = message("finding.parameters", stated_b=as_billions(stated), counted_b=as_billions(counted))
        yield Finding(rule="U6", severity="note", text=text)
    length = 0
    if workload.task is Task.TRAIN and workload.train:
        length = training_layout(workload, model, workload.train).seq_len
    elif workload.infer:
        length = workload.infer.in_len + workload.infer.out_len
    if model.max_context and length > model.max_context:
        text = message("finding.context", tokens=length, limit=model.max_context)
        yield Finding(rule="U4", severity="warning", text=text)
