"""Connections and transactions. The only module that begins or commits one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DataError
from sqlalchemy.orm import Session, sessionmaker

from app.domain.errors import DomainError
from app.logs import logger

__all__ = ["Database", "Session", "connect", "driver_url"]

_log = logger(__name__)


class Database:
    """Hands out sessions. Bound to an engine in the product; to one connection in tests, where savepoints play the transactions."""

    def __init__(self, bind: Engine | Connection, **options: Any) -> None:
        self.bind = bind
        self._sessions = sessionmaker(bind, expire_on_commit=False, **options)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that stores nothing: it ends with a rollback."""
        with _storable(), self._sessions() as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session in one transaction, committed at the end unless an exception passes through."""
        with _storable(), self._sessions.begin() as session:
            yield session

    def close(self) -> None:
        """Closes the pooled connections."""
        if isinstance(self.bind, Engine):
            self.bind.dispose()


@contextmanager
def _storable() -> Iterator[None]:
    """Text and numbers that PostgreSQL cannot hold (NUL, lone surrogates, overflow) are bad input wherever they were not noticed before."""
    try:
        yield
    except (DataError, UnicodeEncodeError):
        _log.warning("database.unstorable", exc_info=True)
        raise DomainError("database.unstorable") from None


def connect(url: str, *, pool_size: int = 5) -> Database:
    """A database by its `postgresql://` address. Nothing is opened before the first session."""
    engine = create_engine(driver_url(url), pool_size=pool_size, max_overflow=0, pool_pre_ping=True, pool_timeout=30)
    return Database(engine)


def driver_url(url: str) -> str:
    """The address with the driver named, as SQLAlchemy wants it: `postgresql+psycopg://`."""
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else url
