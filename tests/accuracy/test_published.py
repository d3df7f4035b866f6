"""Bounds on the errors against published measurements. Rows are reported by `make accuracy`; only gross slips fail here."""

from statistics import mean, median

import pytest

from tests.accuracy.published import Comparison, answer, compared, rows

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
