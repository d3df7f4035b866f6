"""`gpuplan check-seed`."""

from pathlib import Path

from typer.testing import CliRunner

from app.cli.main import cli
from tests.factories.seeds import spoil


def test_good_data_exits_with_its_revision() -> None:
    result = CliRunner().invoke(cli, ["check-seed"])
    assert result.exit_code == 0
    assert "rows are in order, revision" in result.stdout


def test_spoilt_copy_exits_with_one_line_a_problem(tmp_path: Path) -> None:
    folder = spoil(tmp_path, "prices_rental.csv", _cheap)
    result = CliRunner().invoke(cli, ["check-seed", "--dir", str(folder)])
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "prices_rental.csv:2: hourly_price_per_gpu: 0.01 lies outside what is plausible: 0.03 to 60.",
    ]


def _cheap(rows: list[dict[str, str]]) -> None:
    rows[0]["hourly_price"] = rows[0]["hourly_price_per_gpu"] = "0.01"
