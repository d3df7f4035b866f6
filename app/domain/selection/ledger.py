"""Counts what was eliminated, reason by reason, and remembers the option that came closest."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.selection.elimination import Ruled
from app.domain.selection.plan import Eliminated


@dataclass(slots=True)
class _Entry:
    ruled: Ruled
    gpu: str
    server: str | None
    count: int


CLOSEST = ("dearer", "price")  # did the work, and fell out over money
ALIKE = ("equivalent", "R-S3")  # stands for another option that has a reason of its own


def _nearness(ruled: Ruled) -> tuple[int, float]:
    """How close a reason is to being none: lower is closer."""
    if ruled.rule in CLOSEST:
        return CLOSEST.index(ruled.rule), 0.0
    return len(CLOSEST) + (ruled.rule in ALIKE), ruled.short_ratio


class Ledger:
    """One entry a rule and kind of reason; the example kept is the one that missed by least."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], _Entry] = {}
        self._by_gpu: dict[str, Ruled] = {}

    def add(self, ruled: Ruled, gpu: str, server: str | None, count: int = 1) -> None:
        """Eliminates `count` options."""
        if count == 0:
            return
        if _nearness(ruled) < _nearness(self._by_gpu.setdefault(gpu, ruled)):
            self._by_gpu[gpu] = ruled
        entry = self._entries.setdefault((ruled.rule, ruled.reason.code), _Entry(ruled, gpu, server, 0))
        entry.count += count
        if ruled.short_ratio < entry.ruled.short_ratio:
            entry.ruled, entry.gpu, entry.server = ruled, gpu, server

    @property
    def by_gpu(self) -> Mapping[str, Ruled]:
        """Of each GPU the reason that missed by least."""
        return self._by_gpu

    @property
    def count(self) -> int:
        """All options eliminated."""
        return sum(entry.count for entry in self._entries.values())

    def eliminated(self) -> tuple[Eliminated, ...]:
        """The reasons, most frequent first."""
        entries = sorted(self._entries.values(), key=lambda entry: -entry.count)
        return tuple(
            Eliminated(
                rule=entry.ruled.rule,
                reason=entry.ruled.reason,
                count=entry.count,
                gpu=entry.gpu,
                server=entry.server,
                short_by=entry.ruled.short_by,
            )
            for entry in entries
        )
