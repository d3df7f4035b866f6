"""The steps behind every figure, so that a buyer can check them by hand."""

from app.domain.capacity.hardware import Hardware
from app.domain.capacity.results import Figures
from app.domain.estimate import Derivation
from app.domain.workload.settings import Workload


def derive(workload: Workload, hardware: Hardware, figures: Figures) -> Derivation:
    """Steps in reading order."""
    return ()
