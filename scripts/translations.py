"""Brings the message catalogues up to date with the sentences in code and templates; with `--check` it only tells whether they are.

`pybabel update --check` is not used: it calls a catalogue stale when only its line breaks differ."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ("en", "zh_CN")
EXTRACT = (
    "extract",
    "-F",
    "pyproject.toml",
    "-k",
    "_",
    "-k",
    "gettext",
    "-k",
    "ngettext:1,2",
    "-k",
    "_n:1,2",
    "--no-location",
    "--sort-output",
)
UPDATE = ("update", "--no-fuzzy-matching", "--ignore-obsolete", "-D", "messages", "-w", "140")
SHOWN = 20


def main(*arguments: str) -> None:
    """Extracts once, then updates or checks each catalogue."""
    with TemporaryDirectory() as folder:
        template = Path(folder) / "messages.pot"
        _babel(*EXTRACT, "-o", str(template), ".")
        if "--check" in arguments:
            _check(_sentences(template))
        else:
            for locale in LOCALES:
                _babel(*UPDATE, "-l", locale, "-i", str(template), "-d", "app/locales")


def _check(wanted: set[object]) -> None:
    for locale in LOCALES:
        there = _sentences(ROOT / "app" / "locales" / locale / "LC_MESSAGES" / "messages.po")
        for what, sentences in (("lacks", wanted - there), ("keeps", there - wanted)):
            if sentences:
                listed = "\n".join(f"  {sentence}" for sentence in sorted(map(str, sentences))[:SHOWN])
                sys.exit(f"The {locale} catalogue {what} {len(sentences)} sentences; run `make translations`:\n{listed}")


def _sentences(path: Path) -> set[object]:
    with path.open("rb") as file:
        return {(message.id, message.context) for message in read_po(file) if message.id}


def _babel(*arguments: str) -> None:
    babel = Path(sys.executable).with_name("pybabel")
    if subprocess.run((babel, "--quiet", *arguments), cwd=ROOT, check=False).returncode:
        sys.exit(f"pybabel {arguments[0]} failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
