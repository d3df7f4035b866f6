"""The thresholds of the rules, as data: each with what it means and where it comes from. Ratios run 0–1."""

from collections.abc import Mapping
from dataclasses import dataclass

_HANDBOOK = "domain handbook §1"


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit, the rules that use it, and its source."""

    value: float
    rules: tuple[str, ...]
    source: str


Policy = Mapping[str, Threshold]

POLICY: Policy = {
    "busy_sm_ratio": Threshold(0.90, ("R-D1", "R-D9"), f"{_HANDBOOK}, R-D1: sm ≥ 90 %"),
    "compute_memory_ratio": Threshold(0.50, ("R-D1", "R-D5"), f"{_HANDBOOK}, R-D1: memory controller < 50 %"),
    "bandwidth_memory_ratio": Threshold(0.80, ("R-D2",), f"{_HANDBOOK}, R-D2: memory controller ≈ 90 %, taken from 80 % on"),
    "bandwidth_clear_memory_ratio": Threshold(0.87, ("R-D2",), f"{_HANDBOOK}, R-D2: ≈ 90 %"),
    "bandwidth_clear_sm_ratio": Threshold(0.75, ("R-D2",), f"{_HANDBOOK}, R-D2: sm ≈ 60 %, taken up to 75 %"),
    "memory_wall_ratio": Threshold(0.95, ("R-D3",), f"{_HANDBOOK}, R-D3: used near the limit; of what the driver shows"),
    "starved_sm_ratio": Threshold(0.60, ("R-D4", "R-D5"), f"{_HANDBOOK}, R-D4 and R-D5: utilisation < 60 %"),
    "pcie_full_ratio": Threshold(0.85, ("R-D4",), f"{_HANDBOOK}, R-D4: PCIe > 85 % of the link"),
    "pcie_near_ratio": Threshold(0.75, ("R-D4",), "own choice: near the 85 % of R-D4, said with low confidence"),
    "pcie_achievable_ratio": Threshold(
        0.85, ("R-D4",), "measured host-to-device rates reach 83–88 % of the line rate (link table, PCIe 4 and 5 ×16)"
    ),
    "pcie_idle_ratio": Threshold(0.30, ("R-D5",), "own choice: below a third of the link its rate cannot be what is waited for"),
    "swing_ratio": Threshold(0.40, ("R-D5",), f"{_HANDBOOK}, R-D5: sm swings between 30 and 80 %"),
    "hot_c": Threshold(85.0, ("R-D7",), f"{_HANDBOOK}, R-D7: temperature ≥ 85 °C"),
    "violation_ratio": Threshold(0.01, ("R-D7",), f"{_HANDBOOK}, R-D7: violation > 0; a hundredth, so that one sample is no verdict"),
    "clock_fall_ratio": Threshold(0.90, ("R-D7",), "own choice: a clock below 90 % of its 95th percentile has fallen"),
    "straggler_ratio": Threshold(
        0.20, ("R-D8",), "own choice: 20 points of utilisation below the median of the others, over the whole steady phase"
    ),
    "straggler_power_ratio": Threshold(0.75, ("R-D8",), "own choice: power below 75 % of the median at equal utilisation"),
    "low_power_ratio": Threshold(0.50, ("R-D9", "R-D1"), f"{_HANDBOOK}, R-D9: power far below the limit; taken as less than half"),
    "working_power_ratio": Threshold(0.65, ("R-D1",), "own choice: arithmetic-heavy kernels draw two thirds of the limit and more"),
    "tensor_working_ratio": Threshold(0.30, ("R-D1", "R-D9"), "own choice: tensor pipes active at least 30 % of the time"),
    "tensor_low_ratio": Threshold(0.05, ("R-D9",), f"{_HANDBOOK}, R-D9: low tensor activity"),
    "idle_ratio": Threshold(0.05, ("idle",), "own choice: a monitor or a desktop shows up to 5 %"),
    "engine_busy_ratio": Threshold(0.50, ("R-D5",), "own choice: a video engine busy half of the time is the work itself"),
    "healthy_sm_ratio": Threshold(0.80, ("healthy",), "own choice"),
    "least_cycles_count": Threshold(5, ("inconclusive",), "own choice: fewer samples say nothing"),
    "medium_cycles_count": Threshold(30, ("confidence",), f"{_HANDBOOK}: nvidia-smi dmon -c 30"),
    "high_cycles_count": Threshold(120, ("confidence",), "own choice: two minutes at one sample a second"),
}
