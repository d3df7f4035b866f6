"""The layout found is the fastest of all that could have been tried."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from app.domain.capacity import Figures, Hardware, figures, resolve_hardware
from app.domain.errors import DomainError
from app.domain.intake import SoftwareNeeds
from app.domain.intake.workloads import training_workload
from app.domain.selection.layouts import MICRO_BATCHES, RECOMPUTATIONS, ZERO_STAGES, Found, best_training_layout, shardings_of
from app.domain.selection.peaks import sized
from app.domain.workload import Sharding, Workload
from app.seeds import load_catalogue
from tests.factories.plans import RETAIL, a_plan, an_intake, needs_of

ROOM_RATIO = 0.85
SOFTWARE = SoftwareNeeds(framework="pytorch", framework_version=None, cuda=None, libraries=(), fips_140=False, hypervisor=None)


@pytest.mark.parametrize("shardings", [ZERO_STAGES, (*ZERO_STAGES, Sharding.FSDP)], ids=["zero", "fsdp"])
@pytest.mark.parametrize(
    ("gpu", "gpu_count"),
    [("a100-sxm4-80gb", 8), ("h100-sxm5-80gb", 8), ("h200-sxm-141gb", 4), ("a100-pcie-40gb", 8), ("l40s", 6)],
)
def test_nothing_tried_by_hand_is_faster(gpu: str, gpu_count: int, shardings: tuple[Sharding, ...]) -> None:
    base, hardware = _case(gpu, gpu_count)
    found = best_training_layout(base, hardware, gpu_count, ROOM_RATIO, shardings=shardings)
    assert isinstance(found, Found)
    assert hardware.capacity_bytes is not None
    every = [got for got in _all(base, hardware, shardings) if got.device_bytes <= hardware.capacity_bytes]
    roomy = [got for got in every if got.device_bytes <= ROOM_RATIO * hardware.capacity_bytes]
    assert found.is_roomy is bool(roomy)
    assert found.is_roomy or gpu in ("a100-pcie-40gb", "l40s")
    assert _rate(found.figures) == pytest.approx(max(map(_rate, roomy or every)))


@pytest.mark.parametrize(
    ("changes", "is_offered"),
    [
        ({}, True),
        ({"framework": "PyTorch", "framework_version": "1.12.1", "libraries": ("accelerate", "flash-attn")}, True),
        ({"framework_version": "1.9"}, False),
        ({"framework": "tensorflow"}, False),
        ({"libraries": ("DeepSpeed==0.8.3",)}, False),
        ({"libraries": ("megatron-core",)}, False),
    ],
)
def test_fsdp_is_tried_where_the_software_offers_it(changes: dict[str, Any], *, is_offered: bool) -> None:
    assert (Sharding.FSDP in shardings_of(replace(SOFTWARE, **changes))) is is_offered


def test_plans_use_fsdp_unless_a_library_shards_its_own_way() -> None:
    free, bound = a_plan(an_intake(software={"libraries": []})), a_plan()
    assert "fsdp" in {candidate.layout.sharding for candidate in free.candidates}
    assert "fsdp" not in {candidate.layout.sharding for candidate in bound.candidates}


def _case(gpu: str, gpu_count: int) -> tuple[Workload, Hardware]:
    workload = training_workload(needs_of(RETAIL), gpu=gpu, gpu_count=gpu_count, sharding=Sharding.NONE)
    return workload, resolve_hardware(workload, load_catalogue())[0]


def _all(base: Workload, hardware: Hardware, shardings: tuple[Sharding, ...]) -> Iterator[Figures]:
    assert base.train is not None
    for sharding in shardings:
        for recomputation in RECOMPUTATIONS:
            for micro_batch in MICRO_BATCHES:
                try:
                    yield figures(sized(base, replace(base.train, sharding=sharding, act_ckpt=recomputation), micro_batch), hardware)
                except DomainError:
                    continue


def _rate(got: Figures) -> float:
    assert got.time is not None
    return got.time.samples_per_s
