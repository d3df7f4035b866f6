"""The commands that need no database start without the web and the database."""

import subprocess
import sys

import pytest

from app.cli.main import cli
from app.cli.start import OFFLINE
from tests.architecture.source import ROOT

HEAVY = ("fastapi", "sqlalchemy", "uvicorn", "procrastinate", "alembic")


@pytest.mark.parametrize("name", OFFLINE)
def test_offline_command_loads_no_server(name: str) -> None:
    code = f"import sys; from app.cli.start import offline; offline({name!r}); print([module for module in {HEAVY!r} if module in sys.modules])"
    done = subprocess.run((sys.executable, "-c", code), cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_offline_commands_are_commands_of_the_whole() -> None:
    assert set(OFFLINE) <= {command.name for command in cli.registered_commands}


@pytest.mark.parametrize("arguments", [("tco", "nothing-here.json"), ("estimate", "nothing-here.json"), ("nothing",)])
def test_bad_call_is_one_line_and_status_2(arguments: tuple[str, ...]) -> None:
    done = subprocess.run((sys.executable, "-m", "app.cli", *arguments), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr
