"""Facts that rule a GPU or a server out, each with its reason and shortfall."""

from typing import Any

import pytest

from app.domain.selection.elimination import facts_against, version
from app.domain.selection.racks import rack_limit_w
from app.seeds import load_catalogue
from tests.factories.plans import an_intake, needs_of


def against(gpu: str, server: str, **sections: dict[str, Any]) -> str | None:
    catalogue = load_catalogue()
    ruled = facts_against(catalogue.gpu(gpu), catalogue.server(server), needs_of(an_intake(**sections)), catalogue)
    return ruled and ruled.reason.code


@pytest.mark.parametrize(
    ("gpu", "server", "sections", "reason"),
    [
        ("a100-sxm4-80gb", "nvidia-dgx-a100", {}, None),
        ("a100-sxm4-80gb", "dell-r750", {}, "selection.form_factor"),
        ("h100-pcie-80gb", "dell-r750", {}, "selection.not_qualified"),
        ("rtx-4090", "tinybox-green", {}, "selection.consumer"),
        ("rtx-4090", "tinybox-green", {"operations": {"environment": "development"}}, None),
        ("rtx-4090", "tinybox-green", {"operations": {"allow_desktop": True}}, None),
        ("rtx-6000-ada", "generic-ws-2gpu", {}, "selection.desk_side"),
        ("rtx-6000-ada", "generic-ws-2gpu", {"operations": {"allow_desktop": True}}, None),
        ("rtx-6000-ada", "generic-ws-2gpu", {"operations": {"servers": ["generic-ws-2gpu"]}}, None),
        ("mi300x", "dell-xe9680-mi300x", {}, "selection.needs_cuda"),
        ("b200-sxm-180gb", "nvidia-dgx-b200", {}, "selection.cuda_too_old"),
        ("b200-sxm-180gb", "nvidia-dgx-b200", {"software": {"cuda": "12.8"}}, None),
        ("v100-sxm2-32gb", "inspur-nf5488m5", {"training": {"precision": "bf16-mixed"}}, "selection.precision"),
        ("a100-sxm4-80gb", "nvidia-dgx-a100", {"training": {"precision": "fp8-mixed"}}, "selection.precision"),
        ("h100-sxm5-80gb", "nvidia-dgx-h100", {"training": {"precision": "fp8-mixed"}}, None),
        (
            "h100-sxm5-80gb",
            "nvidia-dgx-h100",
            {"training": {"precision": "fp8-mixed"}, "software": {"framework": "tensorflow", "framework_version": "2.12"}},
            "selection.framework_precision",
        ),
        ("h100-sxm5-80gb", "dell-xe9640", {}, "selection.liquid"),
        ("h100-sxm5-80gb", "dell-xe9640", {"operations": {"cooling": "liquid"}}, None),
        ("h100-sxm5-80gb", "nvidia-dgx-h100", {"operations": {"rack_kw": 8}}, "selection.rack_power"),
        ("h100-sxm5-80gb", "nvidia-dgx-h100", {"operations": {"rack_kw": 12}}, None),
    ],
)
def test_first_fact_against_a_pair(gpu: str, server: str, sections: dict[str, Any], reason: str | None) -> None:
    if server not in {known.slug for known in load_catalogue().servers}:
        server = next(known.slug for known in load_catalogue().servers if gpu in known.gpu_slugs)
    assert against(gpu, server, **sections) == reason


def test_rack_limit_of_a_circuit_is_volts_times_amps_times_power_factor() -> None:
    needs = needs_of(an_intake(operations={"rack_amps": 10, "rack_volts": 220}))
    assert rack_limit_w(needs, load_catalogue()) == pytest.approx(10 * 220 * 0.95)


def test_an_eight_amp_rack_does_not_carry_an_eight_gpu_node() -> None:
    """R-S4: 8 A × 220 V is less than one node, whatever the document said about 2–4 of them."""
    assert against("a100-sxm4-80gb", "nvidia-dgx-a100", operations={"rack_amps": 8, "rack_volts": 220}) == "selection.rack_power"


@pytest.mark.parametrize(("older", "newer"), [("11.8", "12"), ("12.1", "12.8"), ("9.0", "10.0"), ("2.9", "2.10"), ("", "1")])
def test_versions_compare_by_numbers(older: str, newer: str) -> None:
    assert version(older) < version(newer)
    assert not version(newer) < version(older)


def test_missing_parts_of_a_version_are_zero() -> None:
    assert not version("12") < version("12.0")
    assert not version("12") > version("12.0")
