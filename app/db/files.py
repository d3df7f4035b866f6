"""Stored files in the database: written in one transaction, read piece by piece. A log shrinks to a tenth: pieces are packed here, faster than the
database would."""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from uuid import uuid4

from sqlalchemy import delete, exists, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from zstandard import ZstdCompressor, ZstdDecompressor

from app.db.engine import Session
from app.db.models.files import StoredFileModel, StoredPieceModel
from app.db.models.telemetry import TelemetryUploadModel


def store(session: Session, pieces: Iterable[bytes]) -> tuple[str, int]:
    """Stores a file; returns its content hash and size. A content that is there already is not stored twice."""
    digest, size, packer = sha256(), 0, ZstdCompressor(level=1)
    passing = f"incoming-{uuid4()}"  # the hash is known only at the end
    session.execute(insert(StoredFileModel).values(content_hash=passing, size_bytes=0))
    for number, piece in enumerate(pieces):
        digest.update(piece)
        size += len(piece)
        session.execute(insert(StoredPieceModel).values(content_hash=passing, number=number, content=packer.compress(piece)))
    content_hash = digest.hexdigest()
    row = upsert(StoredFileModel).values(content_hash=content_hash, size_bytes=size).on_conflict_do_nothing()
    if session.scalar(row.returning(StoredFileModel.content_hash)) is not None:
        session.execute(update(StoredPieceModel).where(StoredPieceModel.content_hash == passing).values(content_hash=content_hash))
    session.execute(delete(StoredFileModel).where(StoredFileModel.content_hash == passing))
    return content_hash, size


def begin(session: Session, key: str) -> None:
    """A file that grows piece by piece, under a key of its own instead of a content hash."""
    session.execute(upsert(StoredFileModel).values(content_hash=key, size_bytes=0).on_conflict_do_nothing())


def append(session: Session, key: str, number: int, piece: bytes) -> bool:
    """Adds a piece under its number; False: that number is there already, with whatever content."""
    row = upsert(StoredPieceModel).values(content_hash=key, number=number, content=ZstdCompressor(level=1).compress(piece))
    if session.scalar(row.on_conflict_do_nothing().returning(StoredPieceModel.number)) is None:
        return False
    session.execute(
        update(StoredFileModel).where(StoredFileModel.content_hash == key).values(size_bytes=StoredFileModel.size_bytes + len(piece))
    )
    return True


def next_piece(session: Session, content_hash: str, after: int) -> tuple[int, bytes] | None:
    """The piece behind that number, with its own; None behind the last."""
    found = session.execute(
        select(StoredPieceModel.number, StoredPieceModel.content)
        .where(StoredPieceModel.content_hash == content_hash, StoredPieceModel.number > after)
        .order_by(StoredPieceModel.number)
        .limit(1)
    ).one_or_none()
    return None if found is None else (found.number, ZstdDecompressor().decompress(found.content))


def find_piece(session: Session, content_hash: str, number: int) -> bytes | None:
    """One piece of a file; None: there is none of this number."""
    found = next_piece(session, content_hash, number - 1)
    return found[1] if found is not None and found[0] == number else None


def forget_unused(session: Session, before: datetime) -> None:
    """Removes files stored before that moment that no upload names any more, those of deleted projects among them."""
    used = exists().where(TelemetryUploadModel.content_hash == StoredFileModel.content_hash)
    session.execute(delete(StoredFileModel).where(StoredFileModel.created_at < before, ~used))
