"""What an estimate says: `Figures` for a search (typical numbers only), `WorkloadEstimate` for people (ranges, findings, derivation)."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.estimate import Assumption, Derivation, Estimate, Finding
from app.domain.workload.settings import Workload


class Fit(StrEnum):
    """Whether the peak goes into the memory that the driver shows."""

    YES = "yes"  # the high end of the peak fits
    TIGHT = "tight"  # the typical peak fits, the high end does not
    NO = "no"  # the typical peak does not fit


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFigures:
    """Peak memory of the worst rank, part by part, in bytes. The parts sum to `device_bytes`."""

    weights_bytes: float
    gradients_bytes: float
    optimizer_bytes: float
    activations_bytes: float
    logits_bytes: float
    kv_cache_bytes: float
    buckets_bytes: float
    temporary_bytes: float
    fragmentation_bytes: float
    context_bytes: float
    moment: str = ""  # of a training step at which the peak falls: loss | backward | end | step

    @property
    def allocated_bytes(self) -> float:
        """Live tensors: what torch.cuda.max_memory_allocated prints."""
        return (
            self.weights_bytes
            + self.gradients_bytes
            + self.optimizer_bytes
            + self.activations_bytes
            + self.logits_bytes
            + self.kv_cache_bytes
            + self.buckets_bytes
            + self.temporary_bytes
        )

    @property
    def reserved_bytes(self) -> float:
        """Allocated plus cached and fragmented blocks."""
        return self.allocated_bytes + self.fragmentation_bytes

    @property
    def device_bytes(self) -> float:
        """Reserved plus the CUDA context and the communication library: what must fit the card."""
        return self.reserved_bytes + self.context_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeFigures:
    """Where one training step goes, in seconds, and what it computes."""

    compute_s: float
    memory_s: float
    collectives_s: float  # what is not hidden behind computation
    bubble_s: float
    step_time_s: float
    tokens_per_s_per_gpu: float  # 0 where samples are the unit
    samples_per_s: float
    mfu_ratio: float
    model_flops_per_gpu: float
    hardware_flops_per_gpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingFigures:
    """What an inference deployment delivers."""

    ttft_s: float
    tpot_s: float
    decode_tokens_per_s: float  # of all GPUs together
    prefill_tokens_per_s: float
    requests_per_s: float
    kv_cache_tokens: float  # that fit beside the weights of one replica
    max_concurrency: float  # sequences of in_len + out_len that the cache holds, all replicas
    batch_per_replica: float  # sequences that really run together
    step_s: float  # one token for every running sequence
    prefill_s: float  # one prompt alone
    prefill_share_s: float  # of one request, where prompts are prefilled together
    collectives_s: float  # of one decode step
    memory_s: float
    compute_s: float
    is_above_ceiling: bool  # faster than bandwidth or peak allow: a fault of the method


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveFigures:
    """One collective: time, and the two bandwidths of nccl-tests."""

    time_s: float
    algorithm_bytes_per_s: float
    bus_bytes_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Typical numbers only, for a search over many candidates. None: the task or the missing GPU leaves it open."""

    memory: MemoryFigures | None
    time: TimeFigures | None = None
    serving: ServingFigures | None = None
    collective: CollectiveFigures | None = None
    capacity_bytes: float | None = None
    duration_s: float | None = None
    average_w: float | None = None  # of one GPU
    energy_kwh: float | None = None  # of all GPUs over the duration

    @property
    def device_bytes(self) -> float:
        """Peak of the whole device; 0 where no model is loaded."""
        return self.memory.device_bytes if self.memory else 0.0

    @property
    def allocated_bytes(self) -> float:
        """Peak of live tensors."""
        return self.memory.allocated_bytes if self.memory else 0.0

    @property
    def reserved_bytes(self) -> float:
        """Peak of what the allocator holds."""
        return self.memory.reserved_bytes if self.memory else 0.0

    @property
    def step_time_s(self) -> float | None:
        """One optimizer step."""
        return self.time.step_time_s if self.time else None

    @property
    def tokens_per_s_per_gpu(self) -> float | None:
        """Trained tokens per second and GPU."""
        return self.time.tokens_per_s_per_gpu if self.time else None

    @property
    def collective_ratio(self) -> float | None:
        """Share of the step spent waiting for collectives (R-D6, R-T3)."""
        return self.time.collectives_s / self.time.step_time_s if self.time else None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPart:
    """One line of the memory table."""

    name: str
    size_bytes: float
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEstimate:
    """Three peaks (allocated ≤ reserved ≤ device), what the driver offers, and whether it fits."""

    device_bytes: Estimate
    reserved_bytes: Estimate
    allocated_bytes: Estimate
    capacity_bytes: float | None
    usable_bytes: float | None
    parts: tuple[MemoryPart, ...]
    fits: Fit | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePart:
    """One line of the step's time table."""

    name: str
    duration_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ThroughputEstimate:
    """Speed of training or serving; None where the task has no such figure."""

    step_time_s: Estimate | None = None
    tokens_per_s_per_gpu: Estimate | None = None
    samples_per_s: Estimate | None = None
    mfu_ratio: Estimate | None = None
    model_flops_per_gpu: Estimate | None = None
    hardware_flops_per_gpu: Estimate | None = None
    parts: tuple[TimePart, ...] = ()
    ttft_s: Estimate | None = None
    tpot_s: Estimate | None = None
    decode_tokens_per_s: Estimate | None = None
    prefill_tokens_per_s: Estimate | None = None
    requests_per_s: Estimate | None = None
    kv_cache_tokens: Estimate | None = None
    max_concurrency: Estimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveEstimate:
    """Bandwidths and time of one collective."""

    bus_bytes_per_s: Estimate
    algorithm_bytes_per_s: Estimate
    time_s: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class DurationEstimate:
    """How long the whole run takes, and how many GPU-seconds that is."""

    duration_s: Estimate
    gpu_s: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyEstimate:
    """Average power of one GPU while it works, and the energy of all GPUs over the run."""

    average_w: Estimate
    energy_kwh: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadEstimate:
    """Everything the contract's Estimate says."""

    workload: Workload
    memory: MemoryEstimate | None
    throughput: ThroughputEstimate | None
    collective: CollectiveEstimate | None
    duration: DurationEstimate | None
    energy: EnergyEstimate | None
    findings: tuple[Finding, ...]
    assumptions: tuple[Assumption, ...]
    derivation: Derivation
