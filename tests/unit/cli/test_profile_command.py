"""`gpuplan profile`: the contract's JSON out, one line a problem."""

import gzip
import json
from pathlib import Path

from typer.testing import CliRunner

from app.cli.main import cli
from tests.factories.dmon import a_log, steady

LOG = a_log(steady(150, gpu_count=2, sm=99, mem=20, pwr=380))
RUNNER = CliRunner()


def test_a_log_becomes_the_contract_s_profile(tmp_path: Path) -> None:
    path = tmp_path / "run.log.gz"
    path.write_bytes(gzip.compress(b"```\n" + LOG))

    result = RUNNER.invoke(cli, ["profile", str(path), "--gpu", "a100-sxm4-80gb"])

    profile = json.loads(result.stdout)
    assert profile["format"] == "nvidia-smi-dmon"
    assert (profile["samples"], profile["interval_s"], profile["duration_s"]) == (300, 1, 150)
    assert profile["skipped_lines"] == [{"line": 1, "reason": "Not part of the table: a code fence."}]
    assert profile["gpus"][1]["metrics"]["power_w"] == {"p05": 380, "p50": 380, "p95": 380, "mean": 380, "max": 380, "n": 150}
    assert profile["phases"] == [{"name": "steady", "from_s": 0, "to_s": 150}]
    first = profile["diagnosis"][0]
    assert (first["rule"], first["verdict"], first["confidence"], first["gpus"]) == ("R-D1", "compute-bound", "high", [0, 1])
    assert "95 % of the limit of 400 W" in first["evidence"]


def test_standard_input() -> None:
    assert json.loads(RUNNER.invoke(cli, ["profile", "-"], input=LOG).stdout)["samples"] == 300


def test_bad_files_are_reported_one_a_line_and_good_ones_printed(tmp_path: Path) -> None:
    good, bad, missing = tmp_path / "good.log", tmp_path / "bad.log", tmp_path / "missing.log"
    good.write_bytes(LOG)
    bad.write_bytes(b"no log\n")

    result = RUNNER.invoke(cli, ["profile", str(bad), str(missing), str(good)])

    assert result.exit_code == 2
    assert [line.split(": ")[0] for line in result.stderr.splitlines()] == [str(bad), str(missing)]
    assert [profile["samples"] for profile in json.loads(result.stdout)] == [300]


def test_unknown_board_is_named() -> None:
    result = RUNNER.invoke(cli, ["profile", "-", "--gpu", "nothing"], input=LOG)

    assert (result.exit_code, result.stderr) == (2, "gpu: The catalogue has no GPU called “nothing”.\n")
