"""What may be wrong around a command: closed or odd input, a full disk, a database that is not there."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.main import cli

COMMAND = (sys.executable, "-c", "from app.cli.main import main; main()")


@pytest.mark.parametrize("command", ["estimate", "plan", "tco", "profile"])
def test_closed_standard_input_is_one_line_and_status_two(command: str) -> None:
    answer = subprocess.run(["/bin/sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, command, "-"], capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.rstrip().endswith("is closed.")
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["estimate", "plan", "tco"])
def test_whole_number_of_five_thousand_digits_is_bad_input(tmp_path: Path, command: str) -> None:
    path = tmp_path / "big.json"
    path.write_text('{"years": ' + "9" * 5000 + "}", encoding="utf-8")
    answer = CliRunner().invoke(cli, [command, str(path)])
    assert (answer.exit_code, len(answer.stderr.splitlines())) == (2, 1)
    assert "big.json" in answer.stderr


def test_lone_surrogate_is_answered_in_its_place() -> None:
    answer = CliRunner().invoke(cli, ["estimate", "--jsonl", "-"], input='{"\\ud800": 1}\n[]\n')
    assert answer.exit_code == 0
    assert [json.loads(line)["field"] for line in answer.stdout.splitlines()] == ["\ud800", "document"]


def test_full_disk_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"model": {"name": "llama-2-7b"}}', encoding="utf-8")
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        answer = subprocess.run([*COMMAND, "estimate", str(path)], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (answer.returncode, len(answer.stderr.splitlines())) == (1, 1)


@pytest.mark.parametrize(("url", "status"), [("nonsense", 2), ("postgresql://nobody@127.0.0.1:1/nothing", 1)])
def test_database_that_is_not_there_is_one_line(url: str, status: int) -> None:
    answer = subprocess.run([*COMMAND, "migrate"], env={**os.environ, "DATABASE_URL": url}, capture_output=True, text=True, check=False)
    assert (answer.returncode, len(answer.stderr.splitlines())) == (status, 1)
