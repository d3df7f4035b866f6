"""`gpuplan tco`: JSON out, one line and exit status 2 for bad input."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.main import cli

OWNED = "options:\n- kind: buy\n  power: {average_w: 250}\n  electricity_per_kwh: '0.12'\n  pue: 1\n"


def test_a_yaml_scenario_from_standard_input() -> None:
    result = CliRunner().invoke(cli, ["tco", "-"], input=f"discount_rate: 0\nyears: 3\n{OWNED}")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["options"][0]["total"]["amount"] == "788.40"


@pytest.mark.parametrize(
    ("document", "line"),
    [
        ('{"options": [{"kind": "buy", "n_gpus": -1}]}', "options[0].n_gpus: must be between 1 and 1,000,000.\n"),
        ("", "document: must be an object with named fields.\n"),
    ],
)
def test_bad_input_is_one_line_and_status_two(tmp_path: Path, document: str, line: str) -> None:
    path = tmp_path / "scenario.json"
    path.write_text(document)
    result = CliRunner().invoke(cli, ["tco", str(path)])
    assert (result.exit_code, result.stderr) == (2, line)


def test_a_missing_file_is_named() -> None:
    result = CliRunner().invoke(cli, ["tco", "nowhere.json"])
    assert result.exit_code == 2
    assert "nowhere.json" in result.stderr
