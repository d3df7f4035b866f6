"""What a workload needs on a given hardware: memory part by part, time, collectives, power, and whether it fits.

`figures` gives typical numbers fast, for a search; `estimate` gives ranges, findings and the derivation of the same formulas."""

from app.domain.capacity.estimate import estimate
from app.domain.capacity.figures import figures
from app.domain.capacity.hardware import Hardware, peak_flops, resolve_hardware
from app.domain.capacity.results import (
    CollectiveEstimate,
    CollectiveFigures,
    DurationEstimate,
    EnergyEstimate,
    Figures,
    Fit,
    MemoryEstimate,
    MemoryFigures,
    MemoryPart,
    ServingFigures,
    ThroughputEstimate,
    TimeFigures,
    TimePart,
    WorkloadEstimate,
)

__all__ = [
    "CollectiveEstimate",
    "CollectiveFigures",
    "DurationEstimate",
    "EnergyEstimate",
    "Figures",
    "Fit",
    "Hardware",
    "MemoryEstimate",
    "MemoryFigures",
    "MemoryPart",
    "ServingFigures",
    "ThroughputEstimate",
    "TimeFigures",
    "TimePart",
    "WorkloadEstimate",
    "estimate",
    "figures",
    "peak_flops",
    "resolve_hardware",
]
