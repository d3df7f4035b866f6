"""Which language a request is answered in: the cookie, then Accept-Language, then English."""

from contextvars import ContextVar
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.text.catalogues import DEFAULT_LOCALE, LOCALES, translator

LOCALE_COOKIE = "locale"
LANGUAGE_TAGS = {"en": "en", "zh_CN": "zh-CN"}

_current: ContextVar[str] = ContextVar("locale", default=DEFAULT_LOCALE)


class LocaleMiddleware:
    """Sets the locale for everything that runs inside the request, thread pool included."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        token = _current.set(choose(_cookie(headers.get("cookie", "")), headers.get("accept-language", "")))
        try:
            await self.app(scope, receive, send)
        finally:
            _current.reset(token)


def current_locale() -> str:
    """The locale of the request that is being answered."""
    return _current.get()


def choose(cookie: str | None, accept_language: str) -> str:
    """The first language asked for that we speak. Any Chinese gets ours."""
    if cookie in LOCALES:
        return str(cookie)
    for tag in _by_preference(accept_language):
        language = tag.split("-")[0].lower()
        if language == "zh":
            return "zh_CN"
        if language in ("en", "*"):
            return DEFAULT_LOCALE
    return DEFAULT_LOCALE


def gettext(message: str) -> str:
    """A sentence in the reader's language."""
    return translator(current_locale()).gettext(message)


def ngettext(singular: str, plural: str, count: int) -> str:
    """A sentence that depends on a count."""
    return translator(current_locale()).ngettext(singular, plural, count)


def pgettext(context: str, message: str) -> str:
    """A sentence whose meaning needs a context."""
    return translator(current_locale()).pgettext(context, message)


def npgettext(context: str, singular: str, plural: str, count: int) -> str:
    """A counted sentence whose meaning needs a context."""
    return translator(current_locale()).npgettext(context, singular, plural, count)


def _cookie(header: str) -> str | None:
    try:
        morsel = SimpleCookie(header).get(LOCALE_COOKIE)
    except CookieError:
        return None
    return None if morsel is None else morsel.value


def _by_preference(header: str) -> list[str]:
    weighted = []
    for part in header.split(",")[:20]:
        tag, _, parameter = part.strip().partition(";")
        try:
            weight = float(parameter.strip().removeprefix("q=")) if parameter else 1.0
        except ValueError:
            weight = 0.0
        if tag.strip() and weight > 0:
            weighted.append((weight, tag.strip()))
    return [tag for _, tag in sorted(weighted, key=lambda item: -item[0])]
