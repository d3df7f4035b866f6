"""How a workload runs on given GPUs: the fastest layout whose memory fits, or by how much the most frugal one does not."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

from app.domain.capacity import Figures, Hardware, figures
from app.domain.catalogue.models import LanguageModel
from app.domain.errors import DomainError, Message
from app.domain.intake import SoftwareNeeds
from app.domain.intake.workloads import GLOBAL_BATCH
from app.domain.selection.elimination import version
from app.domain.selection.peaks import Peaks, sized
from app.domain.selection.plan import Layout
from app.domain.workload import LinkKind, Recomputation, Sharding, Task, TrainSettings, Workload

MICRO_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
TENSOR_DEGREES = (2, 4, 8)
PIPELINE_DEGREES = (2, 4, 8)
EXPERT_DEGREE = 8  # ranks that the experts of a mixture are spread over: one node
RECOMPUTATIONS = (Recomputation.NONE, Recomputation.SELECTIVE, Recomputation.FULL)
ZERO_STAGES = (Sharding.NONE, Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3)
WHOLLY_SHARDED = (Sharding.ZERO3, Sharding.FSDP)
FSDP_SINCE = "1.12"  # PyTorch release that brought FullyShardedDataParallel out of its prototype (release notes, June 2022)
OWN_SHARDING = ("deepspeed", "megatron", "colossalai")  # libraries that split states their own way


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The layout chosen, what it does, how many were tried, and whether its typical peak leaves room."""

    workload: Workload
    figures: Figures
    tried: int
    is_roomy: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NoLayout:
    """No layout works: what the most frugal one misses, or why none could be computed."""

    tried: int
    short_bytes: float | None
    reason: Message | None = None


def shardings_of(software: SoftwareNeeds) -> tuple[Sharding, ...]:
    """How states may be split with this software: ZeRO's stages, and FSDP where PyTorch brings it and no library splits its own way."""
    names = [library.casefold() for library in software.libraries]
    is_torch = software.framework.casefold() in ("pytorch", "torch")
    is_new = software.framework_version is None or not version(software.framework_version) < version(FSDP_SINCE)
    if not is_torch or not is_new or any(name.startswith(OWN_SHARDING) for name in names):
        return ZERO_STAGES
    return (*ZERO_STAGES, Sharding.FSDP)


def best_training_layout(
    workload: Workload,
    hardware: Hardware,
    per_node_count: int,
    room_ratio: float,
    peaks: Peaks | None = None,
    shardings: tuple[Sharding, ...] = ZERO_STAGES,
) -> Found | NoLayout:
    """The layout of the shortest run whose typical peak stays within `room_ratio` of the card; failing that, within the card.

    Plain data parallelism and sharding are tried first; tensor and pipeline parallelism only where nothing else fits. `peaks` are of this
    workload on any number of GPUs, `shardings` what the software can do."""
    search = _Search(workload, hardware, room_ratio, peaks or Peaks())
    layouts: Sequence[TrainSettings] = _simple_layouts(workload, shardings)
    if not search.fits_at_all(_frugal(layouts)):
        layouts = list(_split_layouts(workload, hardware, per_node_count, shardings[-1]))
        if not search.fits_at_all([train for train in layouts if train.act_ckpt is Recomputation.FULL]):
            return NoLayout(tried=search.tried, short_bytes=search.least_short_bytes, reason=search.reason)
    search.consider(layouts)
    return search.result()


def best_serving_layout(workload: Workload, hardware: Hardware, per_node_count: int, room_ratio: float) -> Found | NoLayout:
    """The tensor-parallel degree that fits and serves the most requests a second; pipeline stages across nodes only where none fits."""
    search = _Search(workload, hardware, room_ratio, Peaks())
    assert workload.infer is not None
    degrees = [1, *_degrees(TENSOR_DEGREES, workload, hardware, per_node_count)]
    fitting = [degree for degree in degrees if search.try_out(replace(workload, infer=replace(workload.infer, tp=degree)))]
    if not fitting and isinstance(workload.model, LanguageModel):
        for stages in PIPELINE_DEGREES:
            if workload.gpu_count % (degrees[-1] * stages) == 0:
                search.try_out(replace(workload, infer=replace(workload.infer, tp=degrees[-1], pp=stages)))
    return search.result()


def layout_of(workload: Workload) -> Layout:
    """The layout that a workload's settings describe."""
    if workload.train is not None:
        train = workload.train
        return Layout(
            dp=workload.gpu_count // (train.tp * train.pp),
            tp=train.tp,
            pp=train.pp,
            sharding=train.sharding.value,
            micro_batch=train.micro_batch,
            act_ckpt=train.act_ckpt.value,
        )
    assert workload.infer is not None
    replicas = max(1, workload.gpu_count // (workload.infer.tp * workload.infer.pp))
    sequences = ceil((workload.infer.concurrency or 1) / replicas)
    return Layout(dp=replicas, tp=workload.infer.tp, pp=workload.infer.pp, sharding="none", micro_batch=sequences, act_ckpt="none")


class _Search:
    """Keeps the best of what was tried, roomy ones before tight ones, and the smallest shortfall."""

    def __init__(self, workload: Workload, hardware: Hardware, room_ratio: float, peaks: Peaks) -> None:
        self.base = workload
        self.hardware = hardware
        self.room_ratio = room_ratio
        self.peaks = peaks
        self.tried = 0
        self.least_short_bytes: float | None = None
        self.reason: Message | None = None
        self._best: tuple[tuple[bool, float, int], Found] | None = None

    def result(self) -> Found | NoLayout:
        if self._best is None:
            return NoLayout(tried=self.tried, short_bytes=self.least_short_bytes, reason=self.reason)
        return replace(self._best[1], tried=self.tried)

    def fits_at_all(self, trains: Sequence[TrainSettings]) -> bool:
        """Whether the memory of any of these fits; if not, the smallest shortfall and why none could be computed are kept."""
        for train in trains:
            if self._keeps_within(1.0, train, train.micro_batch):
                return True
            self._keep(sized(self.base, train, train.micro_batch))
        return False

    def consider(self, trains: Sequence[TrainSettings]) -> None:
        """The speed of each with the largest micro-batch that leaves room; where none leaves room, that fits at all."""
        chosen = self._largest_batches(trains, self.room_ratio) or self._largest_batches(trains, 1.0)
        for train, batch in chosen or [(train, train.micro_batch) for train in trains]:
            self._keep(sized(self.base, train, batch))

    def _largest_batches(self, trains: Sequence[TrainSettings], room_ratio: float) -> list[tuple[TrainSettings, int]]:
        """Layouts with the largest micro-batch that keeps within the share of the card, but for those that recompute more without more of it."""
        found: dict[tuple[object, ...], list[tuple[TrainSettings, int]]] = defaultdict(list)
        for train in trains:
            largest, is_limited = self._largest_batch(train, room_ratio)
            alike = found[train.sharding, train.tp, train.pp, train.ep]
            if largest > max((batch for _, batch in alike), default=0):
                alike.append((train, largest))
            if not is_limited and train.act_ckpt is Recomputation.NONE:
                break  # memory never was the limit: recomputing or sharding more only costs time
        return [entry for alike in found.values() for entry in alike]

    def _largest_batch(self, train: TrainSettings, room_ratio: float) -> tuple[int, bool]:
        """The largest micro-batch, more work a step for the same collectives (0: none is small enough), and whether memory limits it."""
        data_parallel = self.base.gpu_count // (train.tp * train.pp)
        sizes = [size for size in MICRO_BATCHES if size * data_parallel <= max(GLOBAL_BATCH, data_parallel)]
        fitting_count = bisect_left(sizes, 1, key=lambda size: not self._keeps_within(room_ratio, train, size))  # more never needs less
        return sizes[fitting_count - 1] if fitting_count else 0, fitting_count < len(sizes)

    def _keeps_within(self, room_ratio: float, train: TrainSettings, micro_batch: int) -> bool:
        """By the memory alone, which is most of what is tried: only what is left of it needs a speed."""
        self.tried += 1
        needed_bytes = self.peaks.of(self.base, train, micro_batch, self.hardware)
        capacity_bytes = self.hardware.capacity_bytes
        return needed_bytes is not None and capacity_bytes is not None and needed_bytes <= room_ratio * capacity_bytes

    def try_out(self, workload: Workload) -> Found | None:
        """Memory and speed at once, where no batch is looked for."""
        self.tried += 1
        return self._keep(workload)

    def _keep(self, workload: Workload) -> Found | None:
        try:
            got = figures(workload, self.hardware)
        except DomainError as error:  # a layout that this model does not divide into, or a missing fact
            self.reason = error.message
            return None
        capacity_bytes = got.capacity_bytes
        if capacity_bytes is None:
            return None
        if got.device_bytes > capacity_bytes:
            short_bytes = got.device_bytes - capacity_bytes
            self.least_short_bytes = short_bytes if self.least_short_bytes is None else min(self.least_short_bytes, short_bytes)
            return None
        found = Found(workload=workload, figures=got, tried=self.tried, is_roomy=got.device_bytes <= self.room_ratio * capacity_bytes)
        rank = (found.is_roomy, _speed(got), workload.train.micro_batch if workload.train else 0)
        if self._best is None or rank > self._best[0]:
            self._best = (rank, found)
        return found


def _speed(got: Figures) -> float:
    if got.time is not None:
        return got.time.samples_per_s
    return got.serving.requests_per_s if got.serving is not None else 0.0


def _simple_layouts(workload: Workload, shardings: tuple[Sharding, ...]) -> tuple[TrainSettings, ...]:
    assert workload.train is not None
    recomputations = RECOMPUTATIONS if isinstance(workload.model, LanguageModel) else RECOMPUTATIONS[:1]  # known for transformers alone
    return _sharded(workload.train, shardings if workload.gpu_count > 1 else ZERO_STAGES[:1], recomputations)


@lru_cache(maxsize=64)
def _sharded(train: TrainSettings, shardings: tuple[Sharding, ...], recomputations: tuple[Recomputation, ...]) -> tuple[TrainSettings, ...]:
    return tuple(
        replace(train, sharding=sharding, act_ckpt=recomputation, micro_batch=1)
        for sharding in shardings
        for recomputation in recomputations
    )


def _split_layouts(workload: Workload, hardware: Hardware, per_node_count: int, whole: Sharding) -> Iterator[TrainSettings]:
    """Experts over a node, their states split by `whole`; tensor parallelism inside a node over NVLink (R-T3), pipeline stages across; states sharded over what is left."""
    assert workload.train is not None
    if not isinstance(workload.model, LanguageModel):
        return
    if workload.model.moe_expert_count and workload.gpu_count % EXPERT_DEGREE == 0:
        for recomputation in RECOMPUTATIONS:
            yield replace(workload.train, ep=EXPERT_DEGREE, sharding=whole, act_ckpt=recomputation, micro_batch=1)
    for tp in (1, *_degrees(TENSOR_DEGREES, workload, hardware, per_node_count)):
        for pp in (1, *(degree for degree in PIPELINE_DEGREES if workload.model.layer_count % degree == 0)):
            if tp * pp == 1 or workload.gpu_count % (tp * pp):
                continue
            for recomputation in RECOMPUTATIONS:
                yield replace(
                    workload.train, tp=tp, pp=pp, sequence_parallel=tp > 1, sharding=Sharding.ZERO1, act_ckpt=recomputation, micro_batch=1
                )


def _degrees(degrees: Sequence[int], workload: Workload, hardware: Hardware, per_node_count: int) -> list[int]:
    """Tensor-parallel degrees that divide the heads and stay inside one node; over PCIe only for serving, where messages are small."""
    if not isinstance(workload.model, LanguageModel) or (workload.task is Task.TRAIN and hardware.link is not LinkKind.NVLINK):
        return []
    return [
        degree
        for degree in degrees
        if per_node_count % degree == 0 and workload.model.head_count % degree == 0 and workload.gpu_count % degree == 0
    ]


def _frugal(trains: Sequence[TrainSettings]) -> list[TrainSettings]:
    """Of some layouts those that need least memory: everything recomputed and all states sharded, as far as they can be."""
    last = max(RECOMPUTATIONS.index(train.act_ckpt) for train in trains)
    full = [train for train in trains if train.act_ckpt is RECOMPUTATIONS[last]]
    return [train for train in full if train.sharding in WHOLLY_SHARDED] or full
