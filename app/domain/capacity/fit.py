"""Whether the peak goes into the memory that the driver shows."""

from app.domain.capacity.results import Fit
from app.domain.estimate import Estimate


def fits(device_bytes: Estimate, capacity_bytes: float | None) -> Fit | None:
    """no: typical above capacity; yes: the high end within it; tight: between."""
    if capacity_bytes is None:
        return None
    if device_bytes.typical > capacity_bytes:
        return Fit.NO
    return Fit.YES if device_bytes.high <= capacity_bytes else Fit.TIGHT
