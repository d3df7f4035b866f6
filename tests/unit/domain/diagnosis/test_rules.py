"""Each rule on a log made for it: the verdict, on which GPUs, how sure, and why not the neighbour's verdict."""

from collections.abc import Mapping, Sequence

import pytest

from app.domain.catalogue.hardware import Gpu
from app.domain.diagnosis import Diagnosis, diagnose
from app.domain.diagnosis.registry import NOT_YET, RULES
from app.domain.telemetry import read
from app.text.render import render
from tests.factories.dmon import a_log
from tests.factories.gpus import a_board

COLUMNS = ("pwr", "gtemp", "sm", "mem", "enc", "pclk", "pviol", "tviol", "fb", "rxpci", "txpci")
Cells = Mapping[str, int | str]
BOARD = a_board()


def _diagnose(*gpus: Cells, cycles: int = 150, board: Gpu | None = BOARD, columns: Sequence[str] = COLUMNS) -> tuple[Diagnosis, ...]:
    usual: Cells = {"fb": 40000, "rxpci": 800, "txpci": 200, "pviol": 0, "tviol": 0}
    return diagnose(read([a_log([[{**usual, **gpu} for gpu in gpus]] * cycles, columns, width=8)], board), board)


def _first(*gpus: Cells, **options: object) -> tuple[str, str, str, tuple[int, ...]]:
    found = _diagnose(*gpus, **options)[0]  # type: ignore[arg-type]
    return found.rule, found.verdict.value, found.confidence.word, found.gpus


def test_busy_sms_at_high_power_are_compute_bound() -> None:
    assert _first({"sm": 98, "mem": 30, "pwr": 380}) == ("R-D1", "compute-bound", "high", (0,))


def test_utilisation_without_a_power_limit_proves_nothing() -> None:
    assert _first({"sm": 98, "mem": 30, "pwr": 380}, board=None) == ("R-D9", "inconclusive", "low", (0,))


def test_utilisation_alone_proves_nothing_even_when_the_board_is_known() -> None:
    found = _diagnose({"sm": 98, "mem": 30}, columns=("sm", "mem"))[0]

    assert (found.rule, found.verdict.value) == ("R-D9", "inconclusive")
    assert found.command == "nvidia-smi dmon -s pucvmet -o DT -d 1 -c 300"


def test_busy_sms_at_little_power_wait() -> None:
    assert _first({"sm": 100, "mem": 2, "pwr": 110}) == ("R-D9", "busy-waiting", "high", (0,))


def test_idle_tensor_pipes_unmask_busy_sms_without_knowing_the_board() -> None:
    columns = ("sm", "mem", "mmaact")
    assert _first({"sm": 99, "mem": 20, "mmaact": 1}, board=None, columns=columns) == ("R-D9", "busy-waiting", "medium", (0,))
    assert _first({"sm": 99, "mem": 20, "mmaact": 55}, board=None, columns=columns) == ("R-D1", "compute-bound", "high", (0,))


def test_a_busy_memory_controller_is_bandwidth_bound() -> None:
    assert _first({"sm": 62, "mem": 91, "pwr": 300}) == ("R-D2", "memory-bandwidth-bound", "high", (0,))
    assert _first({"sm": 97, "mem": 91, "pwr": 300}) == ("R-D2", "memory-bandwidth-bound", "medium", (0,))


def test_full_memory_is_a_hint_not_a_proof() -> None:
    found = {one.rule: one for one in _diagnose({"sm": 98, "mem": 30, "pwr": 380, "fb": 80000})}

    assert (found["R-D3"].verdict.value, found["R-D3"].confidence.word) == ("memory-capacity", "low")
    assert "num_alloc_retries" in (found["R-D3"].command or "")


def test_a_full_link_with_waiting_sms_is_pcie_bound() -> None:
    assert _first({"sm": 35, "mem": 10, "pwr": 120, "rxpci": 26000}) == ("R-D4", "pcie-bound", "high", (0,))
    assert _first({"sm": 35, "mem": 10, "pwr": 120, "rxpci": 26000}, board=None)[:2] == ("R-D4", "inconclusive")


def test_waiting_sms_with_everything_idle_are_starved() -> None:
    assert _first({"sm": 41, "mem": 12, "pwr": 150}) == ("R-D5", "input-starved", "medium", (0,))


def test_swinging_sms_with_pauses_are_surely_starved_and_the_rhythm_is_named() -> None:
    levels = ([85] * 3 + [5] * 6) * 30
    cells = [[{"sm": level, "mem": level // 4, "pwr": 100 + level, "rxpci": 900, "txpci": 100}] for level in levels]
    found = diagnose(read([a_log(cells, ("pwr", "sm", "mem", "rxpci", "txpci"))]), BOARD)[0]

    assert (found.rule, found.confidence.word) == ("R-D5", "high")
    assert render(found.headline, "en") == "The GPUs wait for data: SM median 5 %, memory controller 1 %, and the work falls off every 9 s."


def test_a_video_job_is_not_called_starved() -> None:
    assert _first({"sm": 10, "mem": 3, "enc": 95, "pwr": 98})[:2] == ("inconclusive", "inconclusive")


@pytest.mark.parametrize(
    ("cells", "confidence"),
    [({"gtemp": 91}, "low"), ({"tviol": 1}, "high")],
)
def test_heat_throttles(cells: Cells, confidence: str) -> None:
    found = {one.rule: one for one in _diagnose({"sm": 98, "mem": 30, "pwr": 380, **cells})}

    assert (found["R-D7"].verdict.value, found["R-D7"].confidence.word) == ("throttled", confidence)


def test_a_power_violation_counts_only_when_the_clock_falls() -> None:
    flat = _diagnose({"sm": 98, "mem": 30, "pwr": 398, "pviol": 60})
    cells = [[{"sm": 98, "mem": 30, "pwr": 398, "pviol": 60, "pclk": 1410 if cycle % 2 else 1100}] for cycle in range(200)]
    falling = diagnose(read([a_log(cells, ("pwr", "sm", "mem", "pviol", "pclk"))]), BOARD)

    assert "R-D7" not in {one.rule for one in flat}
    assert "R-D7" in {one.rule for one in falling}


def test_one_gpu_behind_the_others_is_named() -> None:
    found = {one.rule: one for one in _diagnose(*[{"sm": 95, "mem": 40, "pwr": 350}] * 7, {"sm": 40, "mem": 15, "pwr": 180})}

    assert (found["R-D8"].verdict.value, found["R-D8"].gpus) == ("imbalanced", (7,))
    assert "R-D5" in found
    assert any(fact.code == "evidence.differs" for fact in found["R-D5"].evidence)


def test_unused_gpus_beside_working_ones_are_named_as_such() -> None:
    found = {
        one.rule: one for one in _diagnose(*[{"sm": 95, "mem": 40, "pwr": 350}] * 2, *[{"sm": 0, "mem": 0, "rxpci": 0, "txpci": 0}] * 2)
    }

    assert (found["R-D8"].gpus, found["R-D8"].headline.code) == ((2, 3), "headline.partly_idle")


def test_equally_busy_gpus_are_no_imbalance() -> None:
    assert "R-D8" not in {one.rule for one in _diagnose(*[{"sm": 95, "mem": 40, "pwr": 350}] * 8)}


def test_idle_gpus_give_one_verdict() -> None:
    assert _first({"sm": 0, "mem": 0, "pwr": 55, "rxpci": 0, "txpci": 0}) == ("idle", "idle", "high", (0,))


def test_one_idle_gpu_beside_a_hardly_sampled_one_is_not_called_idle() -> None:
    assert _first({"sm": 0, "mem": 0, "pwr": 43}, {"sm": 97, "mem": 9, "pwr": 42}, cycles=1)[:2] == ("inconclusive", "inconclusive")


def test_well_used_gpus_are_healthy() -> None:
    assert _first({"sm": 88, "mem": 60, "pwr": 340})[:2] == ("healthy", "healthy")


@pytest.mark.parametrize(("cycles", "confidence"), [(10, "low"), (60, "medium"), (150, "high")])
def test_few_samples_lower_the_confidence(cycles: int, confidence: str) -> None:
    assert _first({"sm": 98, "mem": 30, "pwr": 380}, cycles=cycles) == ("R-D1", "compute-bound", confidence, (0,))


def test_too_little_is_inconclusive_with_the_command_that_settles_it() -> None:
    found = _diagnose({"sm": 98, "mem": 30, "pwr": 380}, cycles=3)[0]

    assert (found.verdict.value, found.command) == ("inconclusive", "nvidia-smi dmon -s pucvmet -o DT -d 1 -c 300")


def test_no_utilisation_as_under_mig_is_inconclusive() -> None:
    found = _diagnose({"sm": "-", "mem": "-", "pwr": 380})[0]

    assert found.headline.code == "headline.not_reported"
    assert (found.command or "").startswith("dcgmi dmon")


def test_every_rule_of_the_handbook_is_there_or_named_with_its_reason() -> None:
    assert {rule.id for rule in RULES} | set(NOT_YET) == {f"R-D{number}" for number in range(1, 11)}
