"""Every invariant goes red on a spoilt copy, and only there."""

from datetime import date
from pathlib import Path

import pytest

from app.seeds import SEED_DATA
from app.seeds.checking import check_folder
from app.text.render import render
from tests.factories.seeds import Change, cell, first, spoil, twice

TODAY = date(2026, 11, 30)
H100 = "h100-sxm5-80gb"


def test_seed_data_is_in_order() -> None:
    assert list(check_folder(SEED_DATA, TODAY)) == []


@pytest.mark.parametrize(
    ("file", "change", "column", "code"),
    [
        pytest.param("gpus.csv", twice, "slug", "check.duplicate", id="gpu twice"),
        pytest.param("servers.csv", twice, "slug", "check.duplicate", id="server twice"),
        pytest.param("precision_support.csv", twice, "architecture", "check.duplicate", id="precision twice"),
        pytest.param("prices_purchase.csv", twice, "item", "check.duplicate", id="purchase price twice"),
        pytest.param("prices_rental.csv", twice, "provider", "check.duplicate", id="rental price twice"),
        pytest.param("cost_factors.csv", twice, "key", "check.duplicate", id="cost factor twice"),
        pytest.param("models.csv", cell("llama-2-13b", "aliases", "LLAMA2-7B", "name"), "aliases", "check.alias_taken", id="alias"),
        pytest.param("servers.csv", first("gpu_slugs", "no-such-gpu"), "gpu_slugs", "catalogue.no_gpu", id="server's gpu"),
        pytest.param("links.csv", first("gpu_slugs", "no-such-gpu"), "gpu_slugs", "catalogue.no_gpu", id="link's gpu"),
        pytest.param("precision_support.csv", first("gpu_slugs", "no-such-gpu"), "gpu_slugs", "catalogue.no_gpu", id="precision's gpu"),
        pytest.param("prices_purchase.csv", first("gpu_slug", "no-such-gpu"), "gpu_slug", "catalogue.no_gpu", id="price's gpu"),
        pytest.param("prices_rental.csv", first("gpu_slug", "no-such-gpu"), "gpu_slug", "catalogue.no_gpu", id="rent's gpu"),
        pytest.param("gpus.csv", cell(H100, "idle_w", "50"), "idle_factor", "check.idle_factor", id="idle power"),
        pytest.param("servers.csv", first("gpu_slugs", "l40s"), "gpu_slugs", "check.form_factor", id="card in a module server"),
        pytest.param("gpus.csv", first("unconfirmed_fields", "colour"), "unconfirmed_fields", "check.no_such_field", id="no field"),
        pytest.param(
            "gpus.csv", cell(H100, "memory_bandwidth_gb_s", "-3350"), "memory_bandwidth_gb_s", "check.not_positive", id="negative"
        ),
        pytest.param("gpus.csv", cell(H100, "gpus_per_board_count", "0"), "gpus_per_board_count", "check.not_positive", id="zero"),
        pytest.param("prices_rental.csv", first("hourly_price", "0"), "hourly_price", "check.not_positive", id="free rent"),
        pytest.param("gpus.csv", cell(H100, "peak_fp8_dense_tflops", "900"), "peak_fp8_dense_tflops", "check.slower_than", id="fp8 < fp16"),
        pytest.param(
            "gpus.csv", cell(H100, "peak_fp16_sparse_tflops", "494"), "peak_fp16_sparse_tflops", "check.slower_than", id="sparse < dense"
        ),
        pytest.param(
            "gpus.csv", cell(H100, "peak_fp16_sparse_tflops", "3958"), "peak_fp16_sparse_tflops", "check.sparse_gain", id="sparse × 4"
        ),
        pytest.param("gpus.csv", cell(H100, "peak_fp8_dense_tflops", "3958"), "peak_fp8_dense_tflops", "check.rate", id="sparse as dense"),
        pytest.param(
            "gpus.csv", cell(H100, "memory_capacity_mib", "40960"), "memory_capacity_mib", "check.usable_share", id="half the memory"
        ),
        pytest.param("gpus.csv", cell(H100, "board_tdp_w", "7000"), "board_tdp_w", "check.implausible", id="7 kW card"),
        pytest.param(
            "gpus.csv", cell(H100, "memory_bandwidth_gb_s", "3.35"), "memory_bandwidth_gb_s", "check.implausible", id="TB/s in GB/s"
        ),
        pytest.param("servers.csv", cell("nvidia-dgx-a100", "max_power_kw", "6500"), "max_power_kw", "check.implausible", id="W in kW"),
        pytest.param("links.csv", cell("nvlink-4", "bidirectional_gb_s", "450"), "bidirectional_gb_s", "check.not_twice", id="one way"),
        pytest.param(
            "links.csv", cell("nvlink-4", "marketed_bidirectional_gb_s", "450"), "marketed_bidirectional_gb_s", "check.below", id="marketed"
        ),
        pytest.param("cost_factors.csv", cell("pue.global.hyperscale", "typical", "1.2", "key"), "typical", "check.unordered", id="range"),
        pytest.param(
            "cost_factors.csv",
            cell("hardware-structure.us.interconnect-share-of-cluster-hardware-cost", "typical", "0.3", "key"),
            "typical",
            "check.shares",
            id="shares",
        ),
        pytest.param(
            "cost_factors.csv", cell("power.global.server-fans", "high", "20", "key"), "typical", "check.above_one", id="per cent"
        ),
        pytest.param("prices_purchase.csv", first("price_per_gpu", "14000"), "price_per_gpu", "check.quotient", id="price per gpu"),
        pytest.param(
            "prices_rental.csv", first("hourly_price_per_gpu", "1.2"), "hourly_price_per_gpu", "check.quotient", id="rent per gpu"
        ),
        pytest.param("prices_purchase.csv", first("currency", "EUR"), "currency", "check.currency", id="currency"),
        pytest.param("models.csv", cell("llama-2-70b", "kv_head_count", "7", "name"), "kv_head_count", "check.heads", id="heads"),
        pytest.param(
            "models.csv",
            cell("llama-2-7b", "active_parameters_b", "8", "name"),
            "active_parameters_b",
            "check.active_parameters",
            id="active",
        ),
        pytest.param("models.csv", cell("llama-2-7b", "moe_topk", "2", "name"), "moe_topk", "check.experts", id="experts"),
        pytest.param("gpus.csv", cell(H100, "source_on", "last year"), "source_on", "check.not_a_date", id="no date"),
        pytest.param("gpus.csv", cell(H100, "source_on", "2026-13"), "source_on", "check.not_a_date", id="month 13"),
        pytest.param("prices_rental.csv", first("on", "2027-01"), "on", "check.future", id="future"),
        pytest.param("gpus.csv", cell(H100, "source_title", ""), "source_title", "check.no_source", id="no source"),
        pytest.param("gpus.csv", cell(H100, "source_url", "see above"), "source_url", "check.not_an_address", id="no address"),
        pytest.param("gpus.csv", cell(H100, "market_class", "gaming"), "market_class", "check.unknown_word", id="word"),
        pytest.param("gpus.csv", cell(H100, "name", ""), "name", "check.empty", id="no name"),
        pytest.param("gpus.csv", cell(H100, "board_tdp_w", "about 700"), "board_tdp_w", "seed.not_a_number", id="text for number"),
        pytest.param("gpus.csv", cell(H100, "board_tdp_w", "nan"), "board_tdp_w", "seed.not_a_number", id="nan"),
        pytest.param("gpus.csv", cell(H100, "has_ecc", "yes"), "has_ecc", "seed.not_y_n", id="flag"),
        pytest.param("gpus.csv", cell(H100, "evidence", "rumour"), "evidence", "seed.not_an_evidence", id="evidence"),
        pytest.param("gpus.csv", cell(H100, "mig_max_count", "7.5"), "mig_max_count", "seed.not_whole", id="whole"),
        pytest.param("gpus.csv", cell(H100, "notes", " note"), "notes", "seed.surrounding_space", id="space"),
    ],
)
def test_spoilt_copy_is_reported(tmp_path: Path, file: str, change: Change, column: str, code: str) -> None:
    found = list(check_folder(spoil(tmp_path, file, change), TODAY))
    assert (file, column, code) in {(problem.file, problem.field, problem.reason.code) for problem in found}
    assert all(render(problem.reason, locale) for problem in found for locale in ("en", "zh_CN"))


def test_problem_names_the_line(tmp_path: Path) -> None:
    lines = (SEED_DATA / "gpus.csv").read_text(encoding="utf-8").splitlines()
    expected = next(number for number, line in enumerate(lines, 1) if line.startswith(f"{H100},"))
    (problem,) = check_folder(spoil(tmp_path, "gpus.csv", cell(H100, "mig_max_count", "-1")), TODAY)
    assert (problem.file, problem.line, problem.field) == ("gpus.csv", expected, "mig_max_count")
