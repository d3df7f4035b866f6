"""Bounds on the errors against published measurements. Rows are reported by `make accuracy`; only gross slips fail here."""

from statistics import mean, median

import pytest

from tests.accuracy.left_out import left_out
from tests.accuracy.peers import PEERS, peers
from tests.accuracy.published import Comparison, answer, compared, corrections, excluded, explanations, rows
from tests.accuracy.report import WORST, scaled, worst

COMPARED = compared()


@pytest.mark.parametrize("one", COMPARED, ids=[one.row["id"] for one in COMPARED])
def test_no_estimate_is_off_by_a_factor_of_two(one: Comparison) -> None:
    assert 0.5 < one.said / one.measured < 2


def of(*tasks: str) -> list[Comparison]:
    return [one for one in COMPARED if one.row["task"] in tasks]


def test_median_errors_stay_low() -> None:
    memory = [abs(one.error) for one in of("train") if one.row["metric"].endswith("gib_per_gpu")]
    speed = [abs(one.error) for one in of("train") if not one.row["metric"].endswith("gib_per_gpu")]
    serving = [abs(one.error) for one in of("infer")]
    assert median(memory) < 0.15
    assert median(speed) < 0.20
    assert median(serving) < 0.20


def test_most_measurements_lie_within_the_range() -> None:
    assert mean(one.is_inside for one in COMPARED) > 0.6


@pytest.mark.parametrize("row", [row for row in rows(is_watched=True) if row["metric"] == "fits"], ids=lambda row: row["id"])
def test_never_says_yes_of_a_run_that_ran_out_of_memory(row: dict[str, str]) -> None:
    memory = answer(row).memory
    assert memory is not None
    if float(row["value"]):
        assert memory.fits != "no"
    else:
        assert memory.fits != "yes"


def test_corrections_and_explanations_name_rows_that_exist() -> None:
    """A correction of a row that is gone, or without its evidence, would change nothing or say nothing."""
    known = {row["id"] for row in (*rows(), *excluded())}
    assert {one["id"] for one in corrections()} <= known
    assert all(one["evidence"] for one in corrections())
    assert explanations().keys() <= known


def test_every_worst_row_is_explained() -> None:
    far = worst(compared(is_watched=False))
    assert len(far) == WORST
    assert not {one.row["id"] for one in far} - explanations().keys()


def test_leaving_a_source_out_judges_it_by_constants_settled_without_it() -> None:
    """Two sources of one question, one measuring half of the other: each alone is met by settling on the other only as far as ranges go."""
    row = next(row for row in rows() if row["id"] == "nccl-101")
    twice = row | {"value": str(float(row["value"]) * 1.1)}
    errors = left_out("busbw_gbps", {"one": [row], "other": [twice]})
    assert errors["one"] > 0.05
    assert errors["other"] > 0.05
    assert left_out("busbw_gbps", {"one": [row]}) == {}


def test_peers_are_compared_on_rows_that_they_answered() -> None:
    known = {row["id"] for row in (*rows(), *excluded())}
    said = peers()
    assert {peer for peer, _ in said} == set(PEERS)
    assert {row for _, row in said} <= known
    assert {one.covers for one in said.values()} == {"exact", "approximate", "part"}


def test_scaling_is_read_from_runs_that_differ_in_gpus_only() -> None:
    """More GPUs of the same run: what a GPU keeps of its speed lies between a third and a little above all of it."""
    pairs = [pair for group in scaled(compared(is_watched=False)).values() for pair in group]
    assert len(pairs) > 50
    assert all(0.3 < kept < 1.4 for _, measured, said in pairs for kept in (measured, said))
    assert median(abs(said / measured - 1) for _, measured, said in pairs) < 0.08
