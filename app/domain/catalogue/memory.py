"""What of the marketed memory the driver shows, for boards that nobody has read it from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.domain.catalogue.hardware import Gpu
from app.domain.units import as_mib, gib, mib


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReading:
    """A board's marketed GiB and, where somebody read it, the MiB that the driver shows."""

    name: str
    vendor: str
    architecture: str
    market_class: str
    memory_type: str | None
    marketed_gib: float
    shown_mib: float | None

    @property
    def family(self) -> str | None:
        """HBM | GDDR7 | GDDR6 with ECC on | GDDR6 with ECC off; None: another memory, compared with all.

        GDDR6 keeps its check bits in the memory itself, so a data-centre board with ECC on shows about 1/16 less."""
        kind = self.memory_type or ""
        if kind.startswith("HBM"):
            return "HBM"
        if kind.startswith("GDDR7"):
            return "GDDR7"
        if kind.startswith("GDDR6"):
            return "GDDR6 with ECC on" if self.market_class == "datacenter" else "GDDR6 with ECC off"
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class UsableRatio:
    """Shown ÷ marketed, the class of boards it was taken from, and which board gave it."""

    ratio: float
    class_name: str
    board: str


def usable_ratio(board: MemoryReading, readings: Sequence[MemoryReading]) -> UsableRatio:
    """Smallest shown ÷ marketed of comparable boards: same family and architecture, else same family, else all.

    Source: the readings themselves. Valid: NVIDIA boards; other vendors' boards are compared with NVIDIA's of the same family."""
    read = [(reading, mib(reading.shown_mib or 0) / gib(reading.marketed_gib)) for reading in readings if reading.shown_mib is not None]
    near = [pair for pair in read if pair[0].family == board.family and board.family is not None]
    same = [pair for pair in near if (pair[0].vendor, pair[0].architecture) == (board.vendor, board.architecture)]
    if same:
        pool, class_name = same, f"{board.family}, {board.vendor} {board.architecture}"
    elif near:
        pool, class_name = near, str(board.family)
    else:
        pool, class_name = read, "any memory"
    lowest, ratio = min(pool, key=lambda pair: (pair[1], pair[0].name))
    return UsableRatio(ratio=ratio, class_name=class_name, board=lowest.name)


def readings_of(gpus: Iterable[Gpu]) -> tuple[MemoryReading, ...]:
    """What the boards of a catalogue tell; those whose memory nobody published are left out."""
    return tuple(
        MemoryReading(
            name=gpu.name,
            vendor=gpu.vendor,
            architecture=gpu.architecture,
            market_class=gpu.market_class,
            memory_type=gpu.memory_type,
            marketed_gib=gpu.memory_marketed_gb,
            shown_mib=as_mib(gpu.memory_usable_bytes) if gpu.memory_usable_measured and gpu.memory_usable_bytes is not None else None,
        )
        for gpu in gpus
        if gpu.memory_marketed_gb
    )
