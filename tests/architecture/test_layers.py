"""The import contracts of pyproject.toml hold."""

import subprocess
import sys
from pathlib import Path

from tests.architecture.source import ROOT


def test_import_contracts_hold() -> None:
    done = subprocess.run((Path(sys.executable).with_name("lint-imports"),), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
