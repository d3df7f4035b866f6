"""The layout found is the fastest of all that could have been tried."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.domain.capacity import Figures, Hardware, figures, resolve_hardware
from app.domain.errors import DomainError
from app.domain.intake.workloads import training_workload
from app.domain.selection.layouts import MICRO_BATCHES, RECOMPUTATIONS, Found, best_training_layout
from app.domain.selection.peaks import sized
from app.domain.workload import Sharding, Workload
from app.seeds import load_catalogue
from tests.factories.plans import RETAIL, needs_of

ROOM_RATIO = 0.85
SHARDINGS = (Sharding.NONE, Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3)


@pytest.mark.parametrize(
    ("gpu", "gpu_count", "is_roomy"),
    [
        ("a100-sxm4-80gb", 8, True),
        ("h100-sxm5-80gb", 8, True),
        ("h200-sxm-141gb", 4, True),
        ("a100-pcie-40gb", 8, False),
        ("l40s", 6, False),
    ],
)
def test_nothing_tried_by_hand_is_faster(gpu: str, gpu_count: int, *, is_roomy: bool) -> None:
    base, hardware = _case(gpu, gpu_count)
    found = best_training_layout(base, hardware, gpu_count, ROOM_RATIO)
    assert isinstance(found, Found)
    assert found.is_roomy is is_roomy
    assert hardware.capacity_bytes is not None
    limit_bytes = hardware.capacity_bytes * (ROOM_RATIO if is_roomy else 1.0)
    fastest = max(_rate(got) for got in _all(base, hardware) if got.device_bytes <= limit_bytes)
    assert _rate(found.figures) == pytest.approx(fastest)


def _case(gpu: str, gpu_count: int) -> tuple[Workload, Hardware]:
    workload = training_workload(needs_of(RETAIL), gpu=gpu, gpu_count=gpu_count, sharding=Sharding.NONE)
    return workload, resolve_hardware(workload, load_catalogue())[0]


def _all(base: Workload, hardware: Hardware) -> Iterator[Figures]:
    assert base.train is not None
    for sharding in SHARDINGS:
        for recomputation in RECOMPUTATIONS:
            for micro_batch in MICRO_BATCHES:
                try:
                    yield figures(sized(base, replace(base.train, sharding=sharding, act_ckpt=recomputation), micro_batch), hardware)
                except DomainError:
                    continue


def _rate(got: Figures) -> float:
    assert got.time is not None
    return got.time.samples_per_s
