"""Third-party files are exactly those that VENDORED.toml names."""

import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

FOLDERS = pytest.mark.parametrize("folder", [ROOT / "static" / "vendor", ROOT / "tests" / "vendor"], ids=["product", "tests"])


@FOLDERS
def test_files_are_the_named_ones(folder: Path) -> None:
    named = {item["file"]: item["sha256"] for item in tomllib.loads((folder / "VENDORED.toml").read_text())["file"]}
    there = {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.name != "VENDORED.toml"}
    assert there == named


@FOLDERS
def test_names_carry_the_version(folder: Path) -> None:
    for item in tomllib.loads((folder / "VENDORED.toml").read_text())["file"]:
        assert item["version"] in item["file"]
        assert item["licence"]
