"""What the engine says about a project's workload on a chosen GPU, and the smallest number of them that would do, for the pages."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from app.domain.capacity import Hardware, WorkloadEstimate, estimate, resolve_hardware
from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import DomainError, Message, message
from app.domain.intake import Requirements
from app.domain.intake.workloads import serving_workload, training_workload
from app.domain.selection.layouts import Found, NoLayout, best_serving_layout, best_training_layout, shardings_of
from app.domain.selection.need import Verdict, judge_serving, judge_training, too_slow_at_peak
from app.domain.selection.policy import policy_of
from app.domain.units import billions
from app.domain.workload.settings import Recomputation, Sharding, Task, Workload

GPUS_PER_NODE = 8
COUNTS = tuple(2**power for power in range(13))  # 1 … 4096
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
    """The smallest number of one GPU that meets the need. `meets` False: even the most tried do not; then `lacks` says what is missing."""

    choice: Choice
    device_bytes: float
    capacity_bytes: float
    duration_s: float | None
    meets: bool
    lacks: tuple[Message, ...] = ()
    collective_ratio: float = 0.0  # of a step

    @property
    def fits(self) -> bool:
        """Whether the peak goes into the card at all."""
        return self.device_bytes <= self.capacity_bytes


def default_gpu(needs: Requirements, catalogue: Catalogue) -> str:
    """A sensible first GPU: by model size, and by whether consumer cards are welcome."""
    return first_gpu(needs, catalogue)[0]


def first_gpu(needs: Requirements, catalogue: Catalogue) -> tuple[str, Message]:
    """The default GPU and why it is that one."""
    limit_many = SMALL_MODEL_PARAMETER_COUNT
    small = needs.model is not None and (needs.model.parameter_count or limit_many) < limit_many
    if small and needs.operations.environment == "development":
        wanted, why = SMALL_WORKSTATION_GPU, message("panel.gpu.workstation", limit_many=limit_many)
    elif small:
        wanted, why = SMALL_GPU, message("panel.gpu.small", limit_many=limit_many)
    else:
        wanted, why = LARGE_GPU, message("panel.gpu.large", limit_many=limit_many)
    known = [gpu.slug for gpu in catalogue.gpus]
    return (wanted, why) if wanted in known else (known[0], message("panel.gpu.first"))


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
    """The fewest GPUs of a kind that hold the work with room to spare and meet deadline or rate, in the layout that the search for options finds.

    Where even the most tried do not, whatever comes closest (`meets` False). None: the method has no answer for this model."""
    closest: Sizing | None = None
    for count in COUNTS:
        sizing = sized(needs, Choice(task=task, gpu=gpu, gpu_count=count), catalogue, is_last=count == COUNTS[-1])
        if sizing is not None and sizing.meets:
            return sizing
        closest = min((each for each in (closest, sizing) if each is not None), key=_preference, default=None)
    return closest


def _preference(sizing: Sizing) -> tuple[bool, float]:
    """What fits first, the fastest of those; of what does not fit, what lacks least."""
    return not sizing.fits, (sizing.duration_s or 0.0) if sizing.fits else sizing.device_bytes


def sized(needs: Requirements, choice: Choice, catalogue: Catalogue, *, is_last: bool) -> Sizing | None:
    """So many GPUs in their best layout. None: too slow whatever the layout (unless nothing larger is left to try), or not answerable."""
    asked = workload_of(needs, choice)
    try:
        hardware, _ = resolve_hardware(asked, catalogue)
    except DomainError:
        return None
    per_node_count, policy = min(choice.gpu_count, GPUS_PER_NODE), policy_of(catalogue)
    if choice.task is Task.INFER:
        serving = best_serving_layout(asked, hardware, per_node_count, policy.serving_room_ratio)
        return _sizing(choice, hardware, serving, lambda layout: judge_serving(needs, layout, policy))
    assert needs.training is not None
    assert needs.model is not None
    if not is_last and too_slow_at_peak(needs.training, needs.model, hardware, choice.gpu_count, policy):
        return None
    found = best_training_layout(asked, hardware, per_node_count, policy.room_ratio, shardings=shardings_of(needs.software))
    return _sizing(choice, hardware, found, lambda layout: judge_training(needs, layout, hardware.link, policy))


def _sizing(choice: Choice, hardware: Hardware, found: Found | NoLayout, judge: Callable[[Found], Verdict]) -> Sizing | None:
    capacity_bytes = hardware.capacity_bytes or 0.0
    if isinstance(found, NoLayout):
        if found.short_bytes is None:
            return None
        device_bytes = capacity_bytes + found.short_bytes
        short = message("selection.short_memory", short_bytes=found.short_bytes)
        return Sizing(choice=choice, device_bytes=device_bytes, capacity_bytes=capacity_bytes, duration_s=None, meets=False, lacks=(short,))
    verdict = judge(found)
    return Sizing(
        choice=_as_choice(choice, found.workload),
        device_bytes=found.figures.device_bytes,
        capacity_bytes=capacity_bytes,
        duration_s=found.figures.duration_s,
        meets=found.is_roomy and verdict.ruled is None and verdict.is_in_time,
        lacks=_lacks(verdict),
        collective_ratio=found.figures.collective_ratio or 0.0,
    )


def _lacks(verdict: Verdict) -> tuple[Message, ...]:
    """What a layout misses: why it is out and by how much, or what would have to be given up."""
    if verdict.ruled is None:
        return verdict.compromises
    return tuple(said for said in (verdict.ruled.reason, verdict.ruled.short_by) if said is not None)


def _as_choice(choice: Choice, workload: Workload) -> Choice:
    """The layout found, as the page's fields say it."""
    if workload.train is None:
        assert workload.infer is not None
        return replace(choice, tp=workload.infer.tp, pp=workload.infer.pp)
    train = workload.train
    return replace(
        choice,
        sharding=train.sharding,
        micro_batch=train.micro_batch,
        act_ckpt=train.act_ckpt,
        tp=train.tp,
        pp=train.pp,
        ep=train.ep,
    )
