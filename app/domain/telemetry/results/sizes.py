"""Sizes as PyTorch prints them."""

from app.domain.units import as_gib, gib, kib, mib

UNITS = {"b": 1.0, "bytes": 1.0, "kb": kib(1), "kib": kib(1), "mb": mib(1), "mib": mib(1), "gb": gib(1), "gib": gib(1)}
LARGEST_GIB = 1e6


def in_gib(number: str, unit: str) -> float | None:
    """ "1.5", "MiB" → GiB: PyTorch counts in powers of two whatever it prints; None: no such unit, or no such card."""
    factor = UNITS.get(unit.casefold())
    size = None if factor is None else as_gib(float(number) * factor)
    return size if size is not None and size < LARGEST_GIB else None
