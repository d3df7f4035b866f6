"""Templates obey the content policy, compile, and are all used."""

import re

import pytest

from app.web.templating import Templates
from tests.architecture.source import APP, ROOT

FOLDER = ROOT / "templates"
TEMPLATES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.html"))
FORBIDDEN = {
    "inline style": r"\sstyle\s*=|<style",
    "inline script": r"<script(?![^>]*(\ssrc=|type=\"application/json\"))",
    "event attribute": r"\son[a-z]+\s*=|hx-on",
    "address of another site": r"(src|href)\s*=\s*\"(https?:)?//(?!\{)",
    "out-of-band swap by hand": r"hx-swap-oob",
    "boosted link": r"hx-boost",
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_template_obeys_the_content_policy(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    # Sources of facts and other data may carry addresses; a literal one in a template would load from elsewhere.
    found = {
        what
        for what, pattern in FORBIDDEN.items()
        if re.search(pattern, text) and not (what.startswith("out-of") and name == "layouts/fragment.html")
    }
    assert found == set()


@pytest.mark.parametrize("name", TEMPLATES)
def test_template_compiles(name: str) -> None:
    assert Templates(FOLDER, ROOT / "static").environment.get_template(name)


def test_every_template_is_used() -> None:
    texts = [path.read_text(encoding="utf-8") for folder, suffix in ((APP, "*.py"), (FOLDER, "*.html")) for path in folder.rglob(suffix)]
    unused = [name for name in TEMPLATES if not any(f'"{name}"' in text for text in texts)]
    assert unused == []
