"""What a PCIe link carries."""

from app.domain.catalogue.hardware import Gpu
from app.domain.units import gb_per_s

LANE_GB_PER_S = {
    1: 0.25,
    2: 0.5,
    3: 0.985,
    4: 1.969,
    5: 3.938,
    6: 7.563,
}  # one direction, after line coding; source: PCI-SIG signalling rates
FASTEST_GENERATION = 5  # of the boards on sale; where the board is unknown nothing below this is called impossible
USUAL_LANES = 16


def link_rate(gpu: Gpu | None) -> float:
    """Bytes a second in one direction: lanes · rate of a lane. Of an unknown board: generation 5 with 16 lanes."""
    return known_link_rate(gpu) or gb_per_s(LANE_GB_PER_S[FASTEST_GENERATION] * USUAL_LANES)


def known_link_rate(gpu: Gpu | None) -> float | None:
    """The same, or None when the board or its link is unknown."""
    if gpu is None or gpu.pcie_generation is None:
        return None
    per_lane = LANE_GB_PER_S.get(int(float(gpu.pcie_generation)))
    return gb_per_s(per_lane * (gpu.pcie_lane_count or USUAL_LANES)) if per_lane else None
