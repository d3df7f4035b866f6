"""What the reader must know about a workload on a hardware, rule by rule."""

from app.domain.capacity.hardware import Hardware
from app.domain.capacity.results import Figures, MemoryEstimate
from app.domain.estimate import Finding
from app.domain.workload.settings import Workload


def findings(workload: Workload, hardware: Hardware, figures: Figures, memory: MemoryEstimate | None) -> tuple[Finding, ...]:
    """All findings, gravest first."""
    return ()
