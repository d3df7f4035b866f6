"""An estimate as pages set it: what `workload/_result.html` reads, whichever page includes it."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.capacity import WorkloadEstimate
from app.domain.estimate import Step, by_key
from app.domain.intake import InferenceNeeds


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEstimate:
    """The estimate and what it is held against: a run's deadline, a service's rate and latency."""

    estimate: WorkloadEstimate
    deadline_s: float | None
    serving: InferenceNeeds | None = None

    @property
    def steps_by_key(self) -> Mapping[str, Step]:
        """Opens each number's derivation."""
        return by_key(self.estimate.derivation)

    @property
    def time_bar(self) -> tuple[tuple[str, float, int], ...]:
        """The parts of a step as shares of their sum, each with its colour."""
        parts = self.estimate.throughput.parts if self.estimate.throughput else ()
        whole = sum(part.duration_s for part in parts)
        return tuple((part.name, part.duration_s / whole, number) for number, part in enumerate(parts, 1) if part.duration_s > 0)

    @property
    def series(self) -> dict[str, int]:
        """The colour of each part of the step."""
        return {name: series for name, _, series in self.time_bar}
