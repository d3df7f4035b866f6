"""What the rules look at: the steady phase of every working GPU, as ratios, with the board's limits where the board is known."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from app.domain.catalogue.hardware import Gpu
from app.domain.diagnosis.policy import Policy
from app.domain.diagnosis.types import Confidence
from app.domain.telemetry import Distribution, GpuProfile, Profile, metrics
from app.domain.telemetry.pcie import known_link_rate, link_rate
from app.domain.units import as_percent, mb_per_s, mib, percent

COMMAND = "nvidia-smi dmon -s pucvmet -o DT -d 1 -c 300"
PROFILE_COMMAND = "nsys profile -t cuda,nvtx,osrt --duration 60 -o run python train.py"
DCGM_COMMAND = "dcgmi dmon -e 1001,1002,1003,1004,1005,1009,1010 -d 1000 -c 300"
LIMIT_COMMAND = "nvidia-smi --query-gpu=index,name,power.limit,memory.total,pcie.link.gen.max,pcie.link.width.max --format=csv"


@dataclass(frozen=True)
class Case:
    """One profile before the rules."""

    profile: Profile
    gpu: Gpu | None
    policy: Policy

    def limit(self, key: str) -> float:
        """A threshold of the policy."""
        return self.policy[key].value

    @cached_property
    def idle(self) -> tuple[GpuProfile, ...]:
        """GPUs that did nothing from the first sample to the last."""
        return tuple(one for one in self.profile.summary.gpus if self._is_idle(one))

    @cached_property
    def working(self) -> tuple[GpuProfile, ...]:
        """GPUs with enough of a steady phase to be judged."""
        least = self.limit("least_cycles_count")
        return tuple(
            one
            for one in self.profile.summary.gpus
            if one not in self.idle and max((summary.n for summary in one.steady.values()), default=0) >= least
        )

    def _is_idle(self, one: GpuProfile) -> bool:
        activity = [
            one.metrics[name].p95 for name in (metrics.SM, metrics.ENCODER, metrics.DECODER, metrics.SM_ACTIVE) if name in one.metrics
        ]
        moves = max((one.metrics[name].p50 for name in (metrics.PCIE_RX, metrics.PCIE_TX) if name in one.metrics), default=0.0)
        if metrics.SM not in one.metrics and metrics.SM_ACTIVE not in one.metrics:
            return False
        return max(activity) <= as_percent(self.limit("idle_ratio")) and mb_per_s(moves) < 0.02 * link_rate(None)

    @property
    def steady_cycles(self) -> int:
        """Samples of the steady phase, a GPU."""
        return max((summary.n for one in self.working or self.profile.summary.gpus for summary in one.steady.values()), default=0)

    @property
    def steady_s(self) -> float:
        """How long the steady phase lasted."""
        return self.profile.summary.steady_s

    def confidence(self, most: Confidence) -> Confidence:
        """`most`, or less when there are few samples."""
        if self.steady_cycles < self.limit("medium_cycles_count"):
            return Confidence.LOW
        return min(most, Confidence.MEDIUM) if self.steady_cycles < self.limit("high_cycles_count") else most

    def power_ratio(self, one: GpuProfile) -> float | None:
        """Median power over the board's limit."""
        power = one.steady.get(metrics.POWER)
        return power.p50 / self.gpu.tdp_w if power and self.gpu and self.gpu.tdp_w else None

    def memory_ratio(self, one: GpuProfile) -> float | None:
        """95th percentile of used memory over what the driver shows."""
        used = one.steady.get(metrics.FRAME_BUFFER)
        return mib(used.p95) / self.gpu.memory_usable_bytes if used and self.gpu and self.gpu.memory_usable_bytes else None

    @property
    def link_bytes_per_s(self) -> float | None:
        """The board's PCIe link in one direction, when known."""
        return known_link_rate(self.gpu)

    def transfer_bytes_per_s(self, one: GpuProfile) -> float | None:
        """Median PCIe traffic of the busier direction."""
        found = [one.steady[name].p50 for name in (metrics.PCIE_RX, metrics.PCIE_TX) if name in one.steady]
        return mb_per_s(max(found)) if found else None


def ratio(one: GpuProfile, metric: str) -> float | None:
    """The steady median of a percentage, 0–1; None: not in the log."""
    found = one.steady.get(metric)
    return None if found is None else percent(found.p50)


def spread(one: GpuProfile, metric: str) -> tuple[float, float] | None:
    """5th and 95th percentile of a percentage, 0–1."""
    found = one.steady.get(metric)
    return None if found is None else (percent(found.p05), percent(found.p95))


def middle(gpus: Iterable[GpuProfile], metric: str) -> float | None:
    """The median over GPUs of the steady median, in the metric's unit."""
    found: list[Distribution] = [one.steady[metric] for one in gpus if metric in one.steady]
    return median(one.p50 for one in found) if found else None


def indices(gpus: Iterable[GpuProfile]) -> tuple[int, ...]:
    """The GPUs by index."""
    return tuple(one.index for one in gpus)


def listed(gpus: Iterable[int]) -> str:
    """ "0–3, 6": indices as people write them."""
    parts: list[list[int]] = []
    for index in sorted(gpus):
        if parts and parts[-1][-1] == index - 1:
            parts[-1].append(index)
        else:
            parts.append([index])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}–{part[-1]}" for part in parts)
