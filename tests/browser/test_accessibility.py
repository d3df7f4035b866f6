"""Every page in both languages and colour schemes, wide and narrow: WCAG 2.1 A and AA by axe-core, nothing scrolls sideways, nothing is too heavy."""

import gzip
import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Response

from tests.architecture.source import ROOT
from tests.browser.conftest import Site
from tests.browser.pages import addresses, page_routes

AXE = (ROOT / "tests" / "vendor" / "axe-core-4.14.1.min.js").read_text(encoding="utf-8")
RUN = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"]}).then(found => JSON.stringify(
    found.violations.map(one => [one.id, one.nodes[0].target.join(" "), one.nodes[0].failureSummary])))"""
NARROW, WIDE = 360, 1440
ROWS = 40  # of a table that axe looks at: the hundreds below are made of the same markup
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


def faults(page: Page, theme: str, width: int) -> list[tuple[Any, ...]]:
    """What axe says of the page in this colour scheme at this width, and whether it scrolls sideways."""
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    shown = page.evaluate("document.documentElement.scrollWidth")
    found: list[tuple[Any, ...]] = [("scrolls sideways", shown)] if shown > width else []
    return [(theme, width, *fault) for fault in (*found, *violations(page))]


def look_at_every_page(site: Site, visit: Callable[..., Page], locale: str, looks: tuple[tuple[str, int], ...]) -> None:
    """Of the eight looks the four in which every language meets both schemes and both widths, and every scheme both widths."""
    page = visit(locale=locale, width=WIDE)
    known = addresses(site, page)
    assert known.keys() == page_routes(), "a page without an address to look at, or an address without a page"
    found: list[tuple[Any, ...]] = []
    for path in (path for paths in known.values() for path in paths):
        status, size_bytes = weight(page, path)
        if status not in (200, 422):
            found.append((path, "status", status))
        if size_bytes > HEAVIEST_BYTES:
            found.append((path, "too heavy", size_bytes))
        page.evaluate(
            "most => document.querySelectorAll('tbody').forEach(body => [...body.rows].slice(most).forEach(row => row.remove()))", ROWS
        )
        found += [(path, *fault) for theme, width in looks for fault in faults(page, theme, width)]
    assert found == [], "\n".join(map(str, found))


def test_every_page_is_accessible_fits_and_is_light(site: Site, visit: Callable[..., Page]) -> None:
    look_at_every_page(site, visit, "en-US", (("light", WIDE), ("dark", NARROW)))
