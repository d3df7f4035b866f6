"""A real Chromium against a live server on a database of its own, for all browser tests.

`visit(locale=…, javascript=…, width=…)` opens a signed-in page. `site` is the running product: its address and its database, filled as at the first
start, kept for the whole run; tests therefore start their own project under a name of their own. Without Chromium the tests are skipped, loudly,
unless GPUPLAN_REQUIRE_BROWSER=1 is set."""

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Thread
from typing import Any

import psycopg
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from app.db import schema
from app.db.engine import Database, connect
from app.main import create_app
from app.services import accounts as account_service
from app.services import first_start
from app.settings import Settings
from app.web.sessions import SESSION_COOKIE
from tests.factories import accounts

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
IS_REQUIRED = os.environ.get("GPUPLAN_REQUIRE_BROWSER") == "1"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
HEIGHT = 900
PATIENCE_MS = 30_000  # busy build machines are slow; a right page answers in a fraction of it


@dataclass(frozen=True)
class Site:
    """The running product."""

    url: str
    database: Database

    def sign_in_link(self) -> str:
        """A fresh one-time link of the owner, as `make run` prints it."""
        now = datetime.now(UTC)
        with self.database.write() as session:
            token = account_service.new_sign_in_link(session, account_service.ensure_owner(session).id, now=now)
        return f"{self.url}/sign-in?token={token}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks every test of this folder, and skips it where there is no browser and none is demanded."""
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None and not IS_REQUIRED:
                item.add_marker(pytest.mark.skip(reason="no Chromium on this machine"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Nobody should believe that browser tests ran when they did not."""
    if CHROMIUM is None and not IS_REQUIRED:
        terminalreporter.section(
            "BROWSER TESTS SKIPPED: no Chromium found; GPUPLAN_REQUIRE_BROWSER=1 makes that a failure", red=True, bold=True
        )


@pytest.fixture(scope="session")
def site(server_url: str, request: pytest.FixtureRequest) -> Iterator[Site]:
    """The product on a free port, in a thread of this process."""
    name = f"browser_{getattr(request.config, 'workerinput', {}).get('workerid', 'alone')}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    database = connect(server_url.replace("/gpuplan?", f"/{name}?"))
    schema.migrate(database)
    with database.write() as session:
        first_start.fill(session, database, datetime.now(UTC))
    settings = Settings.model_construct(**{field: value.get_default() for field, value in Settings.model_fields.items()})
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        server = uvicorn.Server(uvicorn.Config(create_app(settings, database), log_level="warning", ws="none"))
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Site(url=f"http://127.0.0.1:{listener.getsockname()[1]}", database=database)
        server.should_exit = True
        thread.join(timeout=10)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, started once."""
    assert CHROMIUM is not None, "GPUPLAN_REQUIRE_BROWSER=1 and no Chromium on this machine"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(site: Site, chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page of the owner in a language, with or without JavaScript; what its console complains about fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_page(*, locale: str = "en", javascript: bool = True, width: int = 1440) -> Page:
        context = chromium.new_context(
            base_url=site.url, java_script_enabled=javascript, locale=locale, viewport={"width": width, "height": HEIGHT}
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.add_cookies([{"name": SESSION_COOKIE, "value": accounts.a_session(site.database), "url": site.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" and "status of 4" not in said.text else None)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def visitor(visit: Callable[..., Page]) -> Page:
    """A signed-in page, English, with JavaScript."""
    return visit()


@pytest.fixture
def plain_visitor(visit: Callable[..., Page]) -> Page:
    """The same without JavaScript."""
    return visit(javascript=False)


@pytest.fixture
def browser(chromium: Browser, site: Site) -> Iterator[BrowserContext]:
    """A browser that nobody signed in with."""
    context = chromium.new_context(base_url=site.url)
    yield context
    context.close()
