"""What the engine says about a project's workload on a chosen GPU, and the smallest number of them that would do, for the pages."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

from app.domain.capacity import Figures, WorkloadEstimate, estimate, figures, resolve_hardware
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel
from app.domain.errors import DataMissing, InvalidInput
from app.domain.intake import Requirements
from app.domain.intake.workloads import serving_workload, training_workload
from app.domain.units import billions
from app.domain.workload.settings import Recomputation, Sharding, Task, Workload

GPUS_PER_NODE = 8
COUNTS = tuple(2**power for power in range(13))  # 1 … 4096
MICRO_BATCHES = (1, 2, 4, 8, 16)
SPLITS = (1, 2, 4, 8)
SAFE_RATIO = 0.8  # handbook R-M5
SMALL_GPU, SMALL_WORKSTATION_GPU, LARGE_GPU = "a10", "rtx-4090", "a100-sxm4-80gb"  # a first card by model size, handbook §5 question 2
SMALL_MODEL_PARAMETER_COUNT = billions(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A GPU, how many, and how the work is laid out on them."""

    task: Task
    gpu: str
    gpu_count: int = 1
    sharding: Sharding = Sharding.NONE
    micro_batch: int = 1
    act_ckpt: Recomputation = Recomputation.FULL
    tp: int = 1
    pp: int = 1
    ep: int = 1

    @property
    def node_count(self) -> int:
        """Machines of eight GPUs."""
        return ceil(self.gpu_count / GPUS_PER_NODE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """The smallest number of one GPU that meets the need. `meets` False: even the most tried do not."""

    choice: Choice
    device_bytes: float
    capacity_bytes: float
    duration_s: float | None
    meets: bool

    @property
    def fits(self) -> bool:
        """Whether the peak goes into the card at all."""
        return self.device_bytes <= self.capacity_bytes


def default_gpu(needs: Requirements, catalogue: Catalogue) -> str:
    """A sensible first GPU: by model size, and by whether consumer cards are welcome."""
    small = needs.model is not None and (needs.model.parameter_count or SMALL_MODEL_PARAMETER_COUNT) < SMALL_MODEL_PARAMETER_COUNT
    wanted = (SMALL_WORKSTATION_GPU if needs.operations.environment == "development" else SMALL_GPU) if small else LARGE_GPU
    known = [gpu.slug for gpu in catalogue.gpus]
    return wanted if wanted in known else known[0]


def default_task(needs: Requirements) -> Task:
    """Training where it is asked for: it usually needs more."""
    return Task.TRAIN if needs.training else Task.INFER


def workload_of(needs: Requirements, choice: Choice) -> Workload:
    """The project's workload in a layout."""
    if choice.task is Task.INFER:
        return serving_workload(needs, gpu=choice.gpu, gpu_count=choice.gpu_count, node_count=choice.node_count, tp=choice.tp, pp=choice.pp)
    return training_workload(
        needs,
        gpu=choice.gpu,
        gpu_count=choice.gpu_count,
        node_count=choice.node_count,
        sharding=choice.sharding,
        micro_batch=choice.micro_batch,
        act_ckpt=choice.act_ckpt,
        tp=choice.tp,
        pp=choice.pp,
        ep=choice.ep,
    )


def estimate_of(needs: Requirements, choice: Choice, catalogue: Catalogue) -> WorkloadEstimate:
    """The whole estimate. InvalidInput: the layout contradicts itself or is not modelled; DataMissing: a fact of the GPU is unknown."""
    workload = workload_of(needs, choice)
    hardware, assumed = resolve_hardware(workload, catalogue)
    return estimate(workload, hardware, (*needs.assumptions, *assumed))


def smallest(needs: Requirements, task: Task, gpu: str, catalogue: Catalogue) -> Sizing | None:
    """The fewest GPUs of a kind that hold the work with the safe share free and meet deadline or rate.

    Where even the most tried do not, whatever comes closest (`meets` False). None: the method has no answer for this model."""
    closest: Sizing | None = None
    for count in COUNTS:
        tried = [sizing for choice in _layouts(needs, task, gpu, count) if (sizing := _size(needs, choice, catalogue)) is not None]
        best = min(tried, key=_preference, default=None)
        if best is not None and best.meets:
            return best
        closest = min((sizing for sizing in (closest, best) if sizing is not None), key=_preference, default=None)
    return closest


def _preference(sizing: Sizing) -> tuple[bool, bool, float]:
    """What meets the need first, then what fits, the fastest of those; of what does not fit, what lacks least."""
    return not sizing.meets, not sizing.fits, (sizing.duration_s or 0.0) if sizing.fits else sizing.device_bytes


def _layouts(needs: Requirements, task: Task, gpu: str, count: int) -> Iterator[Choice]:
    """Layouts worth trying on so many GPUs: sharded data parallelism first, then splitting the model itself."""
    base = Choice(task=task, gpu=gpu, gpu_count=count)
    if task is Task.INFER:
        yield from (replace(base, tp=tp) for tp in SPLITS if tp <= count)
        yield from (replace(base, tp=GPUS_PER_NODE, pp=pp) for pp in SPLITS[1:] if pp * GPUS_PER_NODE <= count)
        return
    for sharding in (Sharding.NONE, Sharding.ZERO3) if count > 1 else (Sharding.NONE,):
        yield from (replace(base, sharding=sharding, micro_batch=micro) for micro in MICRO_BATCHES)
    has_experts = isinstance(needs.model, LanguageModel) and bool(needs.model.moe_expert_count)
    if has_experts and count >= GPUS_PER_NODE:
        yield from (replace(base, sharding=Sharding.ZERO3, micro_batch=micro, ep=GPUS_PER_NODE) for micro in MICRO_BATCHES)
    for tp in SPLITS[1:]:
        for pp in SPLITS:
            if tp * pp <= count:
                yield replace(base, sharding=Sharding.ZERO1, tp=tp, pp=pp)


def _size(needs: Requirements, choice: Choice, catalogue: Catalogue) -> Sizing | None:
    """One layout tried. None: not a layout for this model, or not answerable."""
    workload = workload_of(needs, choice)
    try:
        hardware, _ = resolve_hardware(workload, catalogue)
        made = figures(workload, hardware)
    except (InvalidInput, DataMissing):
        return None
    capacity = made.capacity_bytes or 0.0
    safe = (choice.task is Task.INFER and made.device_bytes <= capacity) or made.device_bytes <= capacity * SAFE_RATIO
    return Sizing(
        choice=choice,
        device_bytes=made.device_bytes,
        capacity_bytes=capacity,
        duration_s=made.duration_s,
        meets=safe and _fast_enough(needs, made),
    )


def _fast_enough(needs: Requirements, made: Figures) -> bool:
    if made.serving is not None and needs.inference is not None:
        asked, got = needs.inference, made.serving
        return (
            got.requests_per_s >= asked.qps * needs.operations.growth_ratio_6m
            and got.max_concurrency >= asked.concurrency
            and got.ttft_s <= asked.ttft_s
            and got.tpot_s <= asked.tpot_s
        )
    return needs.training is not None and made.duration_s is not None and made.duration_s <= needs.training.deadline_s
