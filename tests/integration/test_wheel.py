"""The wheel, installed where there is no checkout, is the whole product."""

import json
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

import httpx2
import pytest
from bs4 import BeautifulSoup

from tests.architecture.source import ROOT
from tests.integration.serving import Serve, alive, surroundings


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as `make wheel` builds it."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)), cwd=ROOT, check=True, capture_output=True
    )
    return next(folder.glob("gpuplan-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment that holds the wheel, and sees the packages that this one has, without the checkout."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run((sys.executable, "-m", "venv", str(folder)), check=True)
    python = folder / "bin" / "python"
    subprocess.run((str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)), check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "locked.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin"


def run(installed: Path, *arguments: str, folder: Path, given: str = "") -> str:
    """What a command of the installed wheel prints, far from the checkout."""
    kept = surroundings() | {"PYTHONPATH": ""}
    command = (str(installed / arguments[0]), *arguments[1:])
    done = subprocess.run(command, cwd=folder, env=kept, input=given, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def test_nothing_of_the_product_stays_behind(wheel: Path) -> None:
    held = set(ZipFile(wheel).namelist())
    listed = subprocess.run(
        ("git", "ls-files", "templates", "static", "migrations", "seed_data"), cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {f"app/shipped/{path}" for path in listed.stdout.split()} - held == set()
    assert not [path for path in held if path.endswith(".pyc") or path.startswith("tests/")]


def test_commands_answer_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    workload = {"model": {"name": "llama-2-7b"}, "task": "train", "gpu": "a100-sxm4-80gb", "n_gpus": 8}
    answer = json.loads(run(installed, "gpuplan", "estimate", "-", folder=tmp_path, given=json.dumps(workload)))
    assert answer["memory"]["fits"] in ("yes", "tight", "no")
    assert run(installed, "gpuplan", "check-seed", folder=tmp_path)
    assert str(installed.parent) in run(installed, "python", "-c", "import app; print(app.SHIPPED)", folder=tmp_path)


def test_serves_the_whole_product(installed: Path, tmp_path: Path) -> None:
    serve = Serve(tmp_path / "var", (str(installed / "gpuplan"),), tmp_path)
    try:
        link = serve.start()
        children = serve.children()
        with httpx2.Client(base_url=f"http://127.0.0.1:{serve.port}", follow_redirects=True, timeout=60) as browser:
            token = link.partition("token=")[2]
            projects = BeautifulSoup(browser.post("/sign-in", data={"token": token}).text, "html.parser")
            demo = projects.select_one("main table a")["href"]
            for path in (demo, f"{demo}/options", "/catalogue/gpus", "/methodology"):
                assert browser.get(path).status_code == 200, path
            for sheet in projects.select("link[rel=stylesheet], script[src]"):
                assert browser.get(sheet.get("href") or sheet.get("src")).status_code == 200
    finally:
        assert serve.end(signal.SIGTERM) == 0
    assert alive(children) == []
