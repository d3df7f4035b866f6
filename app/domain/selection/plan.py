"""What a plan says: candidates with their figures, what was eliminated and why, and which candidate is recommended for what."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.domain.capacity import WorkloadEstimate
from app.domain.catalogue.hardware import Gpu, Server
from app.domain.catalogue.policy import PolicyRow
from app.domain.cost import Scenario, TcoResult
from app.domain.diagnosis import Diagnosis
from app.domain.errors import Message
from app.domain.estimate import Assumption, Estimate, Finding
from app.domain.intake import Requirements
from app.domain.money import Money
from app.domain.selection.elimination import Ruled
from app.domain.selection.racks import Racks
from app.domain.units import Watts
from app.domain.workload import Workload


class Role(StrEnum):
    """The four jobs a machine may be bought for (R-S8): each weighs the same facts differently."""

    DEVELOPMENT = "development"
    SINGLE_NODE_TRAINING = "single-node-training"
    LOW_POWER_INFERENCE = "low-power-inference"
    CLUSTER_TRAINING = "cluster-training"


@dataclass(frozen=True, slots=True, kw_only=True)
class Merits:
    """The facts that roles weigh, of one candidate."""

    cost: float  # total cost of ownership, in the plan's currency
    speed: float  # useful work a second of the whole configuration
    memory: float  # bytes of device memory a GPU
    link: float  # bytes a second between two GPUs
    power: float  # watts of the whole configuration

    def of(self, name: str) -> float:
        """A merit by its name in the weights."""
        return self.speed / self.power if name == "speed_per_watt" else float(getattr(self, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How the work is laid out over the GPUs: data-, tensor- and pipeline-parallel degrees, what is sharded, batch and recomputation.

    For inference `dp` counts independent replicas and `micro_batch` the sequences that each serves at once."""

    dp: int
    tp: int
    pp: int
    sharding: str
    micro_batch: int
    act_ckpt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One configuration that can be bought and does the work, or nearly does: `compromises` says what it gives up (empty: it meets the need)."""

    gpu: Gpu
    server: Server
    node_count: int
    gpu_count: int
    layout: Layout
    workload: Workload
    estimate: WorkloadEstimate
    duration_s: Estimate | None  # of one run, the storage's own time included; None: a service
    tco: TcoResult
    sourced: Scenario  # the same costs before people put their own inputs in place of sourced ones
    compromises: tuple[Message, ...]
    findings: tuple[Finding, ...]
    merits: Merits
    scores: Mapping[Role, float]
    racks: Racks | None  # None: it stands beside a desk, or nobody published its power

    @property
    def configuration(self) -> str:
        """How addresses and stored inputs name it: by its parts, which outlive its place in the plan."""
        return f"{self.gpu_count}*{self.gpu.slug}@{self.node_count}*{self.server.slug}"

    @property
    def rack_count(self) -> int:
        """Racks that its machines fill; none for what stands beside a desk."""
        return 0 if self.racks is None else self.racks.count

    @property
    def peak_w(self) -> Watts | None:
        """What all its machines draw at their peak."""
        return None if self.server.max_power_w is None else Watts(self.server.max_power_w * self.node_count)

    @property
    def owning_elsewhere(self) -> Money:
        """What owning costs, in the other currency at the plan's dated rate."""
        return self.tco.scenario.fx.elsewhere(self.tco.options[0].total)

    @property
    def collective_ratio(self) -> float | None:
        """Share of the step that waits for collectives (R-D6)."""
        throughput = self.estimate.throughput
        if throughput is None or throughput.step_time_s is None or not throughput.step_time_s.typical:
            return None
        return sum(part.duration_s for part in throughput.parts if part.name == "collectives") / throughput.step_time_s.typical

    @property
    def meets_need(self) -> bool:
        """Whether nothing has to be given up."""
        return not self.compromises


@dataclass(frozen=True, slots=True, kw_only=True)
class Eliminated:
    """Options removed for one reason: how many, one of them, and how much was missing in the best of them."""

    rule: str
    reason: Message
    count: int
    gpu: str
    server: str | None
    short_by: Message | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAnswer:
    """A row of a decision table that applies, whether the recommendation is of its GPUs, and the sentence that says so in figures."""

    row: PolicyRow
    agrees: bool
    why: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """Positions in `Plan.candidates`: the lowest configuration that meets the need, one cheaper that gives something up, one safer."""

    best: int | None
    cheaper: int | None
    safer: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The answer to a set of requirements against one catalogue revision. The same two give the same plan."""

    requirements: Requirements
    catalogue_revision: str
    searched: int
    layouts_tried: int
    eliminated: tuple[Eliminated, ...]
    candidates: tuple[Candidate, ...]
    recommended: Recommendation
    assumptions: tuple[Assumption, ...]
    bottleneck: Diagnosis | None
    advice: tuple[Message, ...]
    policy_revision: str
    tables: tuple[TableAnswer, ...] = ()
    fallen: Mapping[str, Ruled] = field(default_factory=dict)  # of each GPU what came closest to ruling it in
