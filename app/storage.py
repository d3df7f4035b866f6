"""Raw uploads by content hash. PostgreSQL holds them for now; another store needs these two methods and nothing else."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from app.db import files
from app.db.engine import Database, Session

PIECE_BYTES = 1 << 20


class Storage(Protocol):
    """Where files are kept."""

    def put(self, session: Session, pieces: Iterable[bytes]) -> tuple[str, int]:
        """Stores a file with the session's transaction; returns its content hash and size."""
        ...

    def read(self, content_hash: str) -> Iterator[bytes]:
        """The file's bytes, piece by piece. Holds no connection between the pieces."""
        ...


class DatabaseStorage:
    """Files in pieces in the product's own database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, session: Session, pieces: Iterable[bytes]) -> tuple[str, int]:
        """Stores a file."""
        return files.store(session, pieces)

    def read(self, content_hash: str) -> Iterator[bytes]:
        """The file's bytes."""
        number = -1
        while True:
            with self._database.read() as session:
                found = files.next_piece(session, content_hash, number)
            if found is None:
                return
            number, piece = found
            yield piece
