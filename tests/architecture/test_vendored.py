"""Third-party files are exactly those that VENDORED.toml names."""

import tomllib
from hashlib import sha256

from tests.architecture.source import ROOT

FOLDER = ROOT / "static" / "vendor"


def test_files_are_the_named_ones() -> None:
    named = {item["file"]: item["sha256"] for item in tomllib.loads((FOLDER / "VENDORED.toml").read_text())["file"]}
    there = {path.name: sha256(path.read_bytes()).hexdigest() for path in FOLDER.iterdir() if path.name != "VENDORED.toml"}
    assert there == named


def test_names_carry_the_version() -> None:
    for item in tomllib.loads((FOLDER / "VENDORED.toml").read_text())["file"]:
        assert item["version"] in item["file"]
        assert item["licence"]
