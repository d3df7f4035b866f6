"""Every page in both languages and colour schemes, wide and narrow: WCAG 2.1 A and AA by axe-core, nothing scrolls sideways, nothing is too heavy."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Response

from tests.architecture.source import ROOT
from tests.browser.conftest import Site
from tests.browser.pages import addresses, page_routes

AXE = (ROOT / "tests" / "vendor" / "axe-core-4.14.1.min.js").read_text(encoding="utf-8")
RUN = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"]}).then(found => JSON.stringify(
    found.violations.map(one => [one.id, one.nodes[0].target.join(" "), one.nodes[0].failureSummary])))"""
NARROW, WIDE = 360, 1440
HEAVIEST_BYTES = 150_000
"""Markup, style sheets and scripts of one page as they are sent, compressed, to an empty cache; chart libraries come only with a chart that is seen."""
CHARTS = "/vega"
COMPRESSION = 5  # the level of app.main
COUNTED = ("document", "stylesheet", "script")


def violations(page: Page) -> Any:
    session = page.context.new_cdp_session(page)  # the page's content policy forbids eval; the debugger may
    session.send("Runtime.evaluate", {"expression": AXE})
    answer = session.send("Runtime.evaluate", {"expression": RUN, "awaitPromise": True, "returnByValue": True})
    session.detach()
    return json.loads(answer["result"]["value"])


def sent_bytes(answer: Response) -> int:
    """What an empty cache makes the server send: the browser tells it reliably of bodies only, and whether they came compressed."""
    body = answer.body()
    return len(gzip.compress(body, COMPRESSION)) if answer.headers.get("content-encoding") == "gzip" else len(body)


def weight(page: Page, path: str) -> tuple[int, int]:
    """Opens the page: its status, and what it weighs in bytes."""
    loaded: list[Response] = []

    def note(answer: Response) -> None:
        loaded.append(answer)

    page.on("response", note)
    opened = page.goto(path)
    page.remove_listener("response", note)
    assert opened
    counted = [answer for answer in loaded if answer.request.resource_type in COUNTED and CHARTS not in answer.url and answer.ok]
    return opened.status, sum(sent_bytes(answer) for answer in counted)


@pytest.mark.parametrize(("theme", "locale", "width"), [("light", "en-US", WIDE), ("dark", "zh-CN", NARROW)])
def test_every_page_is_accessible_fits_and_is_light(site: Site, visit: Callable[..., Page], theme: str, locale: str, width: int) -> None:
    page = visit(locale=locale, width=width)
    page.context.add_cookies([{"name": "theme", "value": theme, "url": site.url}])
    known = addresses(site, page)
    assert known.keys() == page_routes(), "a page without an address to look at, or an address without a page"
    found: list[tuple[Any, ...]] = []
    for path in (path for paths in known.values() for path in paths):
        status, size_bytes = weight(page, path)
        if status not in (200, 422):
            found.append((path, "status", status))
        if size_bytes > HEAVIEST_BYTES:
            found.append((path, "too heavy", size_bytes))
        if (shown := page.evaluate("document.documentElement.scrollWidth")) > width:
            found.append((path, "scrolls sideways", shown))
        found += [(path, *violation) for violation in violations(page)]
    assert found == [], "\n".join(map(str, found))
