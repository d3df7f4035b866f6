"""The commit happens before the first byte of the answer; a commit that fails is an error; a refused form stores nothing."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection
from starlette.types import Message, Receive, Scope, Send

from app.db.engine import Database, Session
from app.main import create_app
from app.settings import Settings
from tests.factories.accounts import a_session
from tests.factories.projects import a_project


class WatchedDatabase(Database):
    """Notes when a transaction is committed, and can fail to."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, join_transaction_mode="create_savepoint")
        self.events: list[str] = []
        self.fails = False

    @contextmanager
    def write(self) -> Iterator[Session]:
        with super().write() as session:
            yield session
            if self.fails:
                raise OSError("the disk is full")
        self.events.append("committed")


@pytest.fixture
def watched(connection: Connection) -> WatchedDatabase:
    return WatchedDatabase(connection)


@pytest.fixture
def browser(watched: WatchedDatabase, settings: Settings) -> TestClient:
    application = create_app(settings, watched)

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_noting(message: Message) -> None:
            watched.events.append(message["type"])
            await send(message)

        await application(scope, receive, send_noting)

    client = TestClient(noting, follow_redirects=False)
    client.cookies.set("gpuplan_session", a_session(watched))
    watched.events.clear()
    return client


def test_commit_comes_before_the_answer(browser: TestClient, watched: WatchedDatabase) -> None:
    assert browser.post("/projects/new", data={"name": "Speech", "currency": "USD"}).status_code == 303
    assert watched.events[:2] == ["committed", "http.response.start"]


def test_failed_commit_is_an_error_and_stores_nothing(browser: TestClient, watched: WatchedDatabase) -> None:
    watched.fails = True
    assert browser.post("/projects/new", data={"name": "Speech", "currency": "USD"}).status_code == 500
    watched.fails = False
    assert "Speech" not in browser.get("/projects").text


def test_refused_form_stores_nothing(browser: TestClient, watched: WatchedDatabase) -> None:
    a_project(watched, "Speech")
    project_id = a_project(watched, "Vision")
    assert browser.post(f"/projects/{project_id}", data={"name": "Speech", "currency": "CNY"}).status_code == 422
    assert browser.get(f"/projects/{project_id}").text.count("CNY") == browser.get(f"/projects/{project_id}").text.count("(CNY)") + 1
