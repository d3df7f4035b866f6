"""How many racks the machines of a candidate fill: by the power at their peak, never the mean, and by their height (R-S4)."""

from dataclasses import dataclass
from math import ceil

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Server
from app.domain.intake import Requirements
from app.domain.units import Watts, kw


@dataclass(frozen=True, slots=True, kw_only=True)
class Racks:
    """Racks and the machines that each takes. `limit_w` is what one carries; where nobody said, policy's figure is assumed."""

    count: int
    nodes_per_rack: int
    node_peak_w: Watts
    limit_w: Watts
    is_limit_assumed: bool


def rack_limit_w(needs: Requirements, catalogue: Catalogue) -> Watts | None:
    """What a rack may draw: as stated, or volts × amps × power factor (R-S4); None when nobody said."""
    operations = needs.operations
    if operations.rack_w is not None:
        return operations.rack_w
    if operations.rack_amps is not None and operations.rack_volts is not None:
        return Watts(operations.rack_amps * operations.rack_volts * catalogue.policy("power_factor"))
    return None


def racks_of(server: Server, node_count: int, needs: Requirements, catalogue: Catalogue) -> Racks | None:
    """The racks for so many of these; None: it stands beside a desk, or nobody published its power.

    A machine above an assumed limit has a rack of its own; one above a stated limit was eliminated before."""
    if server.is_desk_side or server.max_power_w is None:
        return None
    stated_w = rack_limit_w(needs, catalogue)
    limit_w = kw(catalogue.policy("rack_assumed")) if stated_w is None else stated_w
    by_power = int(limit_w / server.max_power_w)
    by_height = int(catalogue.policy("rack_height") / server.rack_units) if server.rack_units else by_power
    per_rack = max(1, min(by_power, by_height))
    return Racks(
        count=ceil(node_count / per_rack),
        nodes_per_rack=per_rack,
        node_peak_w=server.max_power_w,
        limit_w=limit_w,
        is_limit_assumed=stated_w is None,
    )
