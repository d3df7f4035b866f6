"""Pages: one template each, which is also where its fragments come from.

A page starts with `{% extends layout %}`. `layout` is the whole page, or the fragment layout that prints only the blocks which belong to the
element htmx wants to replace, so page and fragment cannot differ."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import FastAPI, Request
from fastapi.routing import APIRoute, iter_route_contexts
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse
from starlette.routing import replace_params
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.web import htmx, locale
from app.web.filters import FILTERS

THEME_COOKIE = "theme"
CURRENCY_COOKIE = "currency"  # in which costs are read; without it in the plan's own
THEMES = ("auto", "light", "dark")
_numbers = count(1)
_formats: WeakKeyDictionary[FastAPI, dict[tuple[str, frozenset[str]], tuple[str, dict[str, Any]]]] = WeakKeyDictionary()


class Templates:
    """The template environment of one application."""

    def __init__(self, templates: Path, static: Path, *, reload: bool = False) -> None:
        self._static = static
        self._hashes: dict[str, str] = {}
        self.environment = Environment(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=reload,
            extensions=["jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols"],
        )
        install: Any = self.environment
        install.install_gettext_callables(
            locale.gettext, locale.ngettext, newstyle=True, pgettext=locale.pgettext, npgettext=locale.npgettext
        )
        self.environment.policies["ext.i18n.trimmed"] = True
        self.environment.filters.update(FILTERS)
        self.environment.globals.update(
            url_for=_url_for,
            static_url=self.static_url,
            current_locale=locale.current_locale,
            language_tag=lambda: locale.LANGUAGE_TAGS[locale.current_locale()],
            unique_id=lambda: f"n{next(_numbers)}",
            THEMES=THEMES,
        )

    def static_url(self, path: str) -> str:
        """The address of a static file with its content's hash, so that browsers may keep it for ever."""
        if path not in self._hashes:
            self._hashes[path] = sha256((self._static / path).read_bytes()).hexdigest()[:12]
        return f"/static/{path}?v={self._hashes[path]}"

    def render(self, request: Request, name: str, **context: Any) -> str:
        """A template's text."""
        theme = request.cookies.get(THEME_COOKIE, "auto")
        return self.environment.get_template(name).render(
            request=request,
            asker=getattr(request.state, "caller", None),
            rights=getattr(request.state, "rights", frozenset()),
            theme=theme if theme in THEMES else "auto",
            **context,
        )


class KeptStaticFiles(StaticFiles):
    """Static files; those asked for by content hash may be kept for ever."""

    async def get_response(self, path: str, scope: Scope) -> Any:
        response = await super().get_response(path, scope)
        kept = b"v=" in scope["query_string"] and response.status_code == 200
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if kept else "no-cache"
        return response


def page(
    request: Request,
    name: str,
    view: Any,
    *,
    fragments: Mapping[str, Sequence[str]] | None = None,
    status_code: int = 200,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Answers with a page, or with the blocks that htmx wants: `fragments` maps element ids to block names.

    `view` is the one frozen dataclass the template sees. A view with a field `rail` gets the project frame around it."""
    templates: Templates = request.app.state.templates
    partly = htmx.wants_fragment(request)
    text = templates.render(
        request,
        name,
        view=view,
        layout="layouts/fragment.html" if partly else "layouts/page.html",
        fragments=htmx.blocks(request, fragments) if partly else (),
    )
    response = HTMLResponse(text, status_code=status_code, headers=dict(headers or {}))
    vary(response.headers)
    return response


def vary(headers: MutableHeaders) -> None:
    """What the text of a page depends on, and that it is nobody else's."""
    headers["Vary"] = htmx.VARY
    headers["Cache-Control"] = "no-store"


@pass_context
def _url_for(context: Context, name: str, /, **path_params: Any) -> str:
    request: Request = context["request"]
    return str(request.scope.get("root_path", "")) + _path(request.app, name, path_params)


def _path(app: FastAPI, name: str, path_params: dict[str, Any]) -> str:
    """What `app.url_path_for` answers, found by name: it goes through all routes for every link, and a page has hundreds."""
    if (formats := _formats.get(app)) is None:
        formats = _formats[app] = {}
        for route in iter_route_contexts(app.routes):
            if isinstance(route.original_route, APIRoute):
                formats.setdefault((str(route.name), frozenset(route.param_convertors)), (str(route.path_format), route.param_convertors))
    path_format, convertors = formats[name, frozenset(path_params)]
    return replace_params(path_format, convertors, path_params)[0]
