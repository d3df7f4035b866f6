"""What the lists of the catalogue find."""

import pytest

from app.domain.catalogue.search import GpuWanted, ServerWanted, Wanted, find_factors, find_gpus, find_links, find_servers, matches
from app.domain.units import gib
from app.seeds import load_catalogue

CATALOGUE = load_catalogue()


@pytest.mark.parametrize(
    ("words", "is_found"), [("", True), ("h100", True), ("NVL h100", True), ("hopper h100", True), ("h100 sxm", False), ("100h", False)]
)
def test_words_match_in_any_order_and_case(words: str, is_found: bool) -> None:
    assert matches(words, ("NVIDIA H100 NVL", None, "Hopper")) is is_found


def test_unknown_memory_meets_no_minimum() -> None:
    slugs = {gpu.slug for gpu in find_gpus(CATALOGUE, GpuWanted(memory_least_bytes=gib(1)))}
    assert "mlu590" not in slugs
    assert len(slugs) == len(CATALOGUE.gpus) - 2


def test_precision_means_matrix_units() -> None:
    slugs = {gpu.slug for gpu in find_gpus(CATALOGUE, GpuWanted(precision="fp8"))}
    assert "l4" in slugs
    assert "a100-sxm4-80gb" not in slugs


def test_confirmed_only_leaves_out_press() -> None:
    slugs = {gpu.slug for gpu in find_gpus(CATALOGUE, GpuWanted(evidence="sure"))}
    assert not slugs & {"h20-96gb", "ascend-910b3"}
    assert "h100-sxm5-80gb" in slugs


def test_servers_by_gpu_and_count() -> None:
    found = find_servers(CATALOGUE, ServerWanted(gpu_slug="v100-sxm2-32gb", gpu_least_count=8))
    assert [server.slug for server in found] == ["supermicro-sys-4029gp-tvrt"]


def test_groups_divide_the_rows() -> None:
    assert {link.category for link in find_links(CATALOGUE, Wanted(group="pcie"))} == {"pcie"}
    assert [factor.key for factor in find_factors(CATALOGUE, Wanted(words="industrial US press"))] == [
        "electricity.us.industrial-average-press-quote"
    ]
