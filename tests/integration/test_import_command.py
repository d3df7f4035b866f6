"""`gpuplan import-catalogue` and `import-prices` over a database of their own."""

from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from app.cli.main import cli
from app.db import schema
from app.db.engine import connect
from app.services import catalogue
from tests.factories.spreadsheets import a_price, csv_of, shipped_csv

GOOD_AND_BAD = csv_of(a_price(), a_price(sku="two", hourly_price="free"))


@pytest.fixture(scope="module")
def site(server_url: str) -> dict[str, str]:
    """The environment of a site that holds the shipped facts."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS import_command")
        connection.execute("CREATE DATABASE import_command")
    url = server_url.replace("/gpuplan?", "/import_command?")
    database = connect(url)
    schema.migrate(database)
    with database.write() as session:
        catalogue.seed(session)
    database.close()
    return {"DATABASE_URL": url}


def run(site: dict[str, str], *arguments: str | Path) -> tuple[int, list[str], list[str]]:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], env=site)
    return result.exit_code, result.stdout.splitlines(), result.stderr.splitlines()


def test_bad_rows_are_reported_and_nothing_is_stored(site: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "prices.csv"
    file.write_bytes(GOOD_AND_BAD)
    status, out, err = run(site, "import-prices", file)
    assert (status, out) == (2, [])
    assert err[0] == f"{file}:3: hourly_price: “free” is not a number."
    assert len(err) == 2


def test_partial_stores_the_good_rows_once(site: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "prices.csv"
    file.write_bytes(GOOD_AND_BAD)
    assert run(site, "import-prices", file, "--partial")[:2] == (0, ["1 added, 0 changed, 0 unchanged"])
    assert run(site, "import-prices", file, "--partial")[:2] == (0, ["0 added, 0 changed, 1 unchanged"])


def test_export_comes_back_unchanged(site: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "gpus.csv"
    file.write_bytes(shipped_csv("gpus"))
    status, out, _ = run(site, "import-catalogue", file)
    assert (status, out) == (0, ["0 added, 0 changed, 85 unchanged"])


def test_prices_are_not_taken_for_gpus(site: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "gpus.csv"
    file.write_bytes(shipped_csv("gpus"))
    status, _, err = run(site, "import-prices", file)
    assert status == 2
    assert "Missing:" in err[0]


def test_missing_file_is_one_line(site: dict[str, str], tmp_path: Path) -> None:
    status, _, err = run(site, "import-catalogue", tmp_path / "none.csv")
    assert (status, len(err)) == (2, 1)
