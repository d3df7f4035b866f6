"""Every page, found by its links from the project list, in both colour schemes: WCAG 2.1 A and AA by axe-core, no sideways scrolling at 360 px."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.architecture.source import ROOT

AXE = (ROOT / "tests" / "vendor" / "axe-core-4.14.1.min.js").read_text(encoding="utf-8")
RUN = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}).then(found => JSON.stringify(
    found.violations.map(one => [one.id, one.nodes[0].target.join(" "), one.nodes[0].failureSummary])))"""
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
DOWNLOADS = re.compile(r"\.(pdf|xlsx|json|csv|md)$|/raw$|^/api/")
NARROW = 360


def shape(path: str) -> str:
    """Pages of one shape differ in ids and keys only; one of each is looked at."""
    path = re.sub(r"/\d+", "/{number}", ID.sub("{id}", path))
    return re.sub(r"^(/(?:catalogue|prices)/[^/]+/).+", r"\1{key}", path)


def crawl(page: Page) -> list[str]:
    """The addresses of one page of each shape that links lead to."""
    found: dict[str, str] = {"/projects": "/projects"}
    waiting = ["/projects"]
    while waiting:
        page.goto(waiting.pop())
        for link in page.eval_on_selector_all("a[href^='/']", "links => links.map(link => link.getAttribute('href'))"):
            path = link.split("#")[0].split("?")[0]
            if shape(path) not in found and not DOWNLOADS.search(path):
                found[shape(path)] = path
                waiting.append(path)
    return sorted(found.values())


def violations(page: Page) -> Any:
    session = page.context.new_cdp_session(page)  # the page's content policy forbids eval; the debugger may
    session.send("Runtime.evaluate", {"expression": AXE})
    answer = session.send("Runtime.evaluate", {"expression": RUN, "awaitPromise": True, "returnByValue": True})
    session.detach()
    return json.loads(answer["result"]["value"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_is_accessible_and_fits(visit: Callable[..., Page], theme: str) -> None:
    page = visit()
    page.context.add_cookies([{"name": "theme", "value": theme, "url": page.context.request.get("/healthz").url}])
    paths = crawl(page)
    assert len(paths) > 15
    found = []
    for path in paths:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(path)
        found += [(path, *violation) for violation in violations(page)]
        page.set_viewport_size({"width": NARROW, "height": 800})
        if (width := page.evaluate("document.documentElement.scrollWidth")) > NARROW:
            found.append((path, "scrolls sideways", str(width), ""))
    assert found == [], "\n".join(map(str, found))
