"""Sessions and the time as handler parameters. `Write` commits before the response is sent: a commit that fails is an error page."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Request

from app.db.engine import Database, Session


def database(request: Request) -> Database:
    """The database of this application."""
    found: Database = request.app.state.database
    return found


def _read(request: Request) -> Iterator[Session]:
    with database(request).read() as session:
        yield session


def _write(request: Request) -> Iterator[Session]:
    with database(request).write() as session:
        yield session


def _now() -> datetime:
    return datetime.now(UTC)


Read = Annotated[Session, Depends(_read, scope="function")]
Write = Annotated[Session, Depends(_write, scope="function")]
Now = Annotated[datetime, Depends(_now)]
