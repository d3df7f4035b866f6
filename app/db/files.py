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


def find_piece(session: Session, content_hash: str, number: int) -> bytes | None:
    """A piece of a file; None behind the last."""
    packed = session.scalar(
        select(StoredPieceModel.content).where(StoredPieceModel.content_hash == content_hash, StoredPieceModel.number == number)
    )
    return None if packed is None else ZstdDecompressor().decompress(packed)


def forget_unused(session: Session, before: datetime) -> None:
    """Removes files stored before that moment that no upload names any more, those of deleted projects among them."""
    used = exists().where(TelemetryUploadModel.content_hash == StoredFileModel.content_hash)
    session.execute(delete(StoredFileModel).where(StoredFileModel.created_at < before, ~used))
