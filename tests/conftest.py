"""Wiring that all tests share: one PostgreSQL per run, one migrated database per worker, one rolled-back transaction per test.

`session` is for services and repositories; `client` speaks HTTP to an application over the same transaction; `signed_in` does so as the owner;
`surface` runs a web test twice, as a plain browser and as htmx."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import psycopg
import pytest
import structlog
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Connection, create_engine

from app.db import schema
from app.db.engine import Database, Session, driver_url
from app.embedded import EmbeddedPostgres
from app.main import create_app
from app.services import catalogue
from app.settings import Settings
from tests.factories import accounts

BASE_URL = "http://testserver"


class Server:
    """The PostgreSQL of this run, started when the first test needs it."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.postgres: EmbeddedPostgres | None = None

    def url(self) -> str:
        if self.postgres is None:
            self.folder = Path(mkdtemp(prefix="gpuplan-tests-"))
            self.folder.chmod(0o711)
            self.postgres = EmbeddedPostgres(self.folder / "postgres", is_durable=False)
            self.postgres.start()
        return self.postgres.url

    def stop(self) -> None:
        if self.postgres is not None and self.folder is not None:
            self.postgres.stop()
            rmtree(self.folder, ignore_errors=True)


_server = Server()

structlog.configure(
    processors=[structlog.processors.add_log_level, structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
    wrapper_class=structlog.make_filtering_bound_logger("warning"),
    cache_logger_on_first_use=False,
)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Under xdist the controller starts the server and tells each worker where it is."""
    node.workerinput["postgres_url"] = _server.url()


def pytest_unconfigure() -> None:
    _server.stop()


@pytest.fixture(scope="session")
def server_url(request: pytest.FixtureRequest) -> str:
    """The address of this run's server."""
    given = getattr(request.config, "workerinput", {}).get("postgres_url")
    return given or _server.url()


@pytest.fixture(scope="session")
def database_url(server_url: str, request: pytest.FixtureRequest) -> str:
    """A database of this worker, brought up by the migrations, with nothing in it but the catalogue."""
    name = f"test_{getattr(request.config, 'workerinput', {}).get('workerid', 'alone')}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    url = server_url.replace("/gpuplan?", f"/{name}?")
    engine = create_engine(driver_url(url))
    schema.migrate(Database(engine))
    with Database(engine).write() as session:
        catalogue.seed(session)  # facts are the same for every test, and a second seeding costs nothing
    engine.dispose()
    return url


@pytest.fixture(scope="session")
def _engine(database_url: str) -> Iterator[Any]:
    engine = create_engine(driver_url(database_url))
    yield engine
    engine.dispose()


@pytest.fixture
def connection(_engine: Any) -> Iterator[Connection]:
    """A connection inside a transaction that is rolled back after the test, whatever the test committed."""
    with _engine.connect() as connection:
        transaction = connection.begin()
        yield connection
        transaction.rollback()


@pytest.fixture
def database(connection: Connection) -> Database:
    """The product's database object over that transaction: its commits are savepoints."""
    return Database(connection, join_transaction_mode="create_savepoint")


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    """A session of the test itself."""
    with database.read() as session:
        yield session


@pytest.fixture
def settings() -> Settings:
    """Settings without anything from the environment."""
    return Settings.model_construct(**{name: field.get_default() for name, field in Settings.model_fields.items()})


@pytest.fixture
def application(settings: Settings, database: Database) -> FastAPI:
    """The whole web application over the test's transaction."""
    return create_app(settings, database)


@pytest.fixture
def client(application: FastAPI) -> TestClient:
    """A browser without JavaScript that nobody signed in with; redirects are shown, not followed."""
    return TestClient(application, base_url=BASE_URL, follow_redirects=False)


@pytest.fixture
def signed_in(client: TestClient, database: Database) -> TestClient:
    """The same browser, signed in as the owner."""
    client.cookies.set("gpuplan_session", accounts.a_session(database))
    return client


@dataclass(frozen=True)
class Surface:
    """One of the two ways a page is asked for."""

    name: str
    headers: dict[str, str]

    @property
    def is_htmx(self) -> bool:
        return self.name == "htmx"

    def redirect(self, response: Any) -> str:
        """Where a successful POST sends the reader, checked for the way this surface is told."""
        if self.is_htmx:
            assert response.status_code == 204, response.text
            return str(response.headers["HX-Redirect"])
        assert response.status_code == 303, response.text
        return str(response.headers["location"])


@pytest.fixture(params=["plain", "htmx"])
def surface(request: pytest.FixtureRequest) -> Surface:
    """Runs the test as a plain browser and as htmx."""
    return Surface(request.param, {"HX-Request": "true"} if request.param == "htmx" else {})
