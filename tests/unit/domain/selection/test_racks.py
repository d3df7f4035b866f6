"""Racks: as many machines as power and height allow, by the peak of a node."""

import pytest

from app.domain.selection.racks import racks_of
from app.seeds import load_catalogue
from tests.factories.plans import an_intake, needs_of


@pytest.mark.parametrize(
    ("server", "nodes", "operations", "racks", "per_rack"),
    [
        ("nvidia-dgx-h100", 4, {"rack_kw": 25}, 2, 2),  # 10.2 kW each
        ("nvidia-dgx-h100", 4, {"rack_kw": 12}, 4, 1),
        ("nvidia-dgx-h100", 4, {}, 4, 1),  # 15 kW are assumed
        ("dell-r750", 30, {"rack_kw": 100}, 2, 20),  # 2 U each: height binds before power
    ],
)
def test_racks_by_power_and_height(server: str, nodes: int, operations: dict[str, float], racks: int, per_rack: int) -> None:
    found = racks_of(load_catalogue().server(server), nodes, needs_of(an_intake(operations=operations)), load_catalogue())
    assert found is not None
    assert (found.count, found.nodes_per_rack) == (racks, per_rack)
    assert found.is_limit_assumed is not bool(operations)


def test_a_tower_needs_no_rack() -> None:
    assert racks_of(load_catalogue().server("generic-ws-2gpu"), 1, needs_of(an_intake()), load_catalogue()) is None
