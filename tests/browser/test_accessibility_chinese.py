"""The other half of the looks, in a file of its own: a file runs on one processor, and there are two."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.conftest import Site
from tests.browser.test_accessibility import NARROW, WIDE, look_at_every_page


def test_every_page_is_accessible_fits_and_is_light_in_chinese(site: Site, visit: Callable[..., Page]) -> None:
    look_at_every_page(site, visit, "zh-CN", (("dark", WIDE), ("light", NARROW)))
