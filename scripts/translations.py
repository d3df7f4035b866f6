"""Brings the message catalogues up to date with the sentences in code and templates; with `--check` it only tells whether they are."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ("en", "zh_CN")
EXTRACT = ("extract", "-F", "pyproject.toml", "-k", "_", "-k", "gettext", "-k", "ngettext:1,2", "--no-location", "--sort-output")
UPDATE = ("update", "--no-fuzzy-matching", "--ignore-obsolete", "-D", "messages")


def main(*arguments: str) -> None:
    """Extracts once, then updates or checks each catalogue."""
    with TemporaryDirectory() as folder:
        template = str(Path(folder) / "messages.pot")
        _babel(*EXTRACT, "-o", template, ".")
        for locale in LOCALES:
            _babel(*UPDATE, *(("--check",) if "--check" in arguments else ()), "-l", locale, "-i", template, "-d", "app/locales")


def _babel(*arguments: str) -> None:
    babel = Path(sys.executable).with_name("pybabel")
    if subprocess.run((babel, "--quiet", *arguments), cwd=ROOT, check=False).returncode:
        sys.exit(f"pybabel {arguments[0]} failed; `make translations` brings the catalogues up to date.")


if __name__ == "__main__":
    main(*sys.argv[1:])
