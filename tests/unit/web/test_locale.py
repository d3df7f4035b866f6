"""Which language a reader gets."""

import pytest

from app.web.locale import choose


@pytest.mark.parametrize(
    ("cookie", "accepted", "chosen"),
    [
        (None, "", "en"),
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "zh_CN"),
        (None, "zh-Hant-TW", "zh_CN"),
        (None, "de-DE, en;q=0.5, zh;q=0.9", "zh_CN"),
        (None, "de, fr", "en"),
        (None, "zh;q=0, en", "en"),
        (None, "*", "en"),
        (None, "zh;q=broken", "en"),
        (None, ";;;,,q=", "en"),
        ("zh_CN", "en", "zh_CN"),
        ("en", "zh", "en"),
        ("xx", "zh", "zh_CN"),
    ],
)
def test_language_is_the_cookie_then_the_browser_then_english(cookie: str | None, accepted: str, chosen: str) -> None:
    assert choose(cookie, accepted) == chosen
