"""Builds the private environment `.venv` from a hashed lock, with nothing but the standard library; does nothing when it is up to date.

usage: python3 scripts/environment.py runtime|dev
"""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = {"runtime": "requirements.lock", "dev": "requirements-dev.lock"}
OLDEST = (3, 11)
KEPT = {"pip", "setuptools", "gpuplan"}


def main(kind: str) -> None:
    """Installs what the lock names, removes what it does not, and makes `gpuplan` a command."""
    if sys.version_info < OLDEST:
        sys.exit(f"GPU Plan needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is {sys.version.split()[0]}. Set PYTHON=/path/to/python3.")
    wanted = {name: _digest(name) for name in LOCKS}
    built = {name: _read(VENV / f".built-{name}") for name in LOCKS}
    # The dev lock holds everything of the runtime lock in the same versions.
    if wanted[kind] == built[kind] or (kind == "runtime" and wanted["dev"] == built["dev"]):
        return
    python = _venv_python()
    kind = "dev" if built["dev"] else kind
    sys.stderr.write(f"Building .venv from {LOCKS[kind]}; this takes a minute the first time.\n")
    pip = (python, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet")
    _run(*pip, "install", "--require-hashes", "--requirement", str(ROOT / LOCKS[kind]))
    if superfluous := _installed(pip) - _named(LOCKS[kind]) - KEPT:
        _run(*pip, "uninstall", "--yes", *sorted(superfluous))
    _run(*pip, "install", "--no-deps", "--no-index", "--no-build-isolation", "--editable", str(ROOT))
    for name in LOCKS:
        (VENV / f".built-{name}").unlink(missing_ok=True)
    (VENV / f".built-{kind}").write_text(wanted[kind])


def _venv_python() -> str:
    python = VENV / "bin" / "python"
    works = python.exists() and subprocess.run((python, "-m", "pip", "--version"), capture_output=True, check=False).returncode == 0
    if not works:
        made = subprocess.run((sys.executable, "-m", "venv", "--clear", VENV), check=False).returncode == 0
        if not made:
            sys.exit("Python cannot make a virtual environment here. On Debian and Ubuntu: apt-get install python3-venv")
    return str(python)


def _digest(kind: str) -> str:
    # The environment is bound to its folder and to the project's own metadata as well as to the lock.
    text = (ROOT / LOCKS[kind]).read_bytes() + (ROOT / "pyproject.toml").read_bytes() + os.fsencode(ROOT)
    return hashlib.sha256(text).hexdigest()


def _named(lock: str) -> set[str]:
    return {_normal(found) for found in re.findall(r"^([A-Za-z0-9._-]+)==", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)}


def _installed(pip: tuple[str, ...]) -> set[str]:
    listed = subprocess.run((*pip, "list", "--format=freeze"), capture_output=True, text=True, check=True).stdout
    return {_normal(line.split("==")[0]) for line in listed.splitlines() if "==" in line}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _run(*command: str) -> None:
    if status := subprocess.run(command, check=False).returncode:
        sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1])
