"""The numbers by which a plan judges and recommends, as policy sets them in the catalogue."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.policy import MERITS
from app.domain.selection.plan import Role
from app.domain.units import Bytes, gb


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Limits of one catalogue revision; what each means stands in its row."""

    room_ratio: float
    serving_room_ratio: float
    near_ratio: float
    link_bound_ratio: float
    same_cost_ratio: float
    nvlink_from_count: int
    host_memory_floor_bytes: Bytes
    spare_size_count: int


def policy_of(catalogue: Catalogue) -> Policy:
    """The limits that a catalogue sets. NotFound: it lacks one."""
    return Policy(
        room_ratio=catalogue.policy("room.training"),
        serving_room_ratio=catalogue.policy("room.serving"),
        near_ratio=catalogue.policy("near"),
        link_bound_ratio=catalogue.policy("link_bound"),
        same_cost_ratio=catalogue.policy("same_cost"),
        nvlink_from_count=round(catalogue.policy("nvlink_from")),
        host_memory_floor_bytes=gb(catalogue.policy("host_memory")),
        spare_size_count=round(catalogue.policy("spare_sizes")),
    )


def weights_of(catalogue: Catalogue) -> Mapping[Role, Mapping[str, float]]:
    """What each role weighs, and how much; merits without a row weigh nothing."""
    values = {row.key: row.value for row in catalogue.policy_values}
    return {role: {merit: values[key] for merit in MERITS if (key := f"weight.{role.value}.{merit}") in values} for role in Role}
