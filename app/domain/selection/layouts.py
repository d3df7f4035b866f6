"""How a workload runs on given GPUs: the fastest layout whose memory fits, or by how much the most frugal one does not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from app.domain.capacity import Figures, Hardware, figures
from app.domain.catalogue.models import LanguageModel
from app.domain.errors import DomainError, Message
from app.domain.intake.workloads import GLOBAL_BATCH, global_batch
from app.domain.selection.plan import Layout
from app.domain.workload import LinkKind, Recomputation, Sharding, Task, TrainSettings, Workload

MICRO_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
TENSOR_DEGREES = (2, 4, 8)
PIPELINE_DEGREES = (2, 4, 8)
EXPERT_DEGREE = 8  # ranks that the experts of a mixture are spread over: one node
RECOMPUTATIONS = (Recomputation.NONE, Recomputation.SELECTIVE, Recomputation.FULL)


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


def best_training_layout(workload: Workload, hardware: Hardware, per_node_count: int, room_ratio: float) -> Found | NoLayout:
    """The layout of the shortest run whose typical peak stays within `room_ratio` of the card; failing that, within the card.

    Plain data parallelism and sharding are tried first; tensor and pipeline parallelism only where nothing else fits."""
    search = _Search(workload, hardware, room_ratio)
    simple = list(_simple_layouts(workload))
    if not search.fits_at_all(_frugal(simple)):
        split = list(_split_layouts(workload, hardware, per_node_count))
        if not search.fits_at_all([train for train in split if train.act_ckpt is Recomputation.FULL]):
            return NoLayout(tried=search.tried, short_bytes=search.least_short_bytes, reason=search.reason)
        simple = split
    for train in simple:
        if search.largest_batch(train) and train.act_ckpt is Recomputation.NONE:
            break  # memory never was the limit: recomputing or sharding more only costs time
    return search.result()


def best_serving_layout(workload: Workload, hardware: Hardware, per_node_count: int, room_ratio: float) -> Found | NoLayout:
    """The tensor-parallel degree that fits and serves the most requests a second; pipeline stages across nodes only where none fits."""
    search = _Search(workload, hardware, room_ratio)
    assert workload.infer is not None
    degrees = [1, *_degrees(TENSOR_DEGREES, workload, hardware, per_node_count)]
    fitting = [degree for degree in degrees if search.consider(replace(workload, infer=replace(workload.infer, tp=degree)))]
    if not fitting:
        for stages in PIPELINE_DEGREES:
            if workload.gpu_count % (degrees[-1] * stages) == 0:
                search.consider(replace(workload, infer=replace(workload.infer, tp=degrees[-1], pp=stages)))
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

    def __init__(self, workload: Workload, hardware: Hardware, room_ratio: float) -> None:
        self.base = workload
        self.hardware = hardware
        self.room_ratio = room_ratio
        self.tried = 0
        self.least_short_bytes: float | None = None
        self.reason: Message | None = None
        self._best: tuple[tuple[bool, float, int], Found] | None = None

    def result(self) -> Found | NoLayout:
        if self._best is None:
            return NoLayout(tried=self.tried, short_bytes=self.least_short_bytes, reason=self.reason)
        return replace(self._best[1], tried=self.tried)

    def fits_at_all(self, trains: Sequence[TrainSettings]) -> bool:
        """Whether any of these fits. All are tried, so that the smallest shortfall is known."""
        fitting = [train for train in trains if self._with(train) is not None]
        return bool(fitting)

    def largest_batch(self, train: TrainSettings) -> bool:
        """Halves its way to the largest micro-batch that leaves room: more work a step for the same collectives. True: memory never was the limit."""
        data_parallel = self.base.gpu_count // (train.tp * train.pp)
        sizes = [size for size in MICRO_BATCHES if size * data_parallel <= max(GLOBAL_BATCH, data_parallel)]
        if not self._leaves_room(train, sizes[0]):
            return False
        if self._leaves_room(train, sizes[-1]):
            return True
        low, high = 0, len(sizes) - 1  # the first leaves room, the last does not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._leaves_room(train, sizes[middle]) else (low, middle)
        return False

    def _leaves_room(self, train: TrainSettings, micro_batch: int) -> bool:
        workload = self._workload(train, micro_batch)
        if not self._is_small_enough(workload):
            self.tried += 1
            return False
        found = self.consider(workload)
        return found is not None and found.is_roomy

    def _is_small_enough(self, workload: Workload) -> bool:
        """Whether the memory alone leaves room or nearly: what does not fit needs no speed, and that is most of what is tried."""
        try:
            got = figures(workload, self.hardware, has_speed=False)
        except DomainError:
            return True  # `consider` says what is wrong
        return got.capacity_bytes is None or got.device_bytes <= got.capacity_bytes

    def _with(self, train: TrainSettings) -> Found | None:
        return self.consider(self._workload(train, train.micro_batch))

    def _workload(self, train: TrainSettings, micro_batch: int) -> Workload:
        batch = global_batch(micro_batch, self.base.gpu_count // (train.tp * train.pp))
        return replace(self.base, train=replace(train, micro_batch=micro_batch, global_batch=batch))

    def consider(self, workload: Workload) -> Found | None:
        self.tried += 1
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


def _shardings(workload: Workload) -> tuple[Sharding, ...]:
    return (Sharding.NONE,) if workload.gpu_count == 1 else (Sharding.NONE, Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3)


def _simple_layouts(workload: Workload) -> Iterator[TrainSettings]:
    assert workload.train is not None
    recomputations = RECOMPUTATIONS if isinstance(workload.model, LanguageModel) else RECOMPUTATIONS[:1]  # known for transformers alone
    for sharding in _shardings(workload):
        for recomputation in recomputations:
            yield replace(workload.train, sharding=sharding, act_ckpt=recomputation, micro_batch=1)


def _split_layouts(workload: Workload, hardware: Hardware, per_node_count: int) -> Iterator[TrainSettings]:
    """Experts over a node; tensor parallelism inside a node over NVLink (R-T3), pipeline stages across; states sharded over what is left."""
    assert workload.train is not None
    if not isinstance(workload.model, LanguageModel):
        return
    if workload.model.moe_expert_count and workload.gpu_count % EXPERT_DEGREE == 0:
        for recomputation in RECOMPUTATIONS:
            yield replace(workload.train, ep=EXPERT_DEGREE, sharding=Sharding.ZERO3, act_ckpt=recomputation, micro_batch=1)
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
    """Of some layouts those that need least memory: everything recomputed and the most sharded."""
    last = max(RECOMPUTATIONS.index(train.act_ckpt) for train in trains)
    full = [train for train in trains if train.act_ckpt is RECOMPUTATIONS[last]]
    order = list(Sharding)
    most = max(order.index(train.sharding) for train in full)
    return [train for train in full if order.index(train.sharding) == most]
