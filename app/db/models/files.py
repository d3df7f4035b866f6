"""Uploaded files by content hash, in pieces."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, func
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, BigInt


class StoredFileModel(Base):
    """A file as it was sent; the same content is stored once."""

    __tablename__ = "stored_files"

    content_hash: Mapped[str] = mapped_column(primary_key=True)
    size_bytes: Mapped[BigInt]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class StoredPieceModel(Base):
    """A piece of a file."""

    __tablename__ = "stored_pieces"

    content_hash: Mapped[str] = mapped_column(ForeignKey("stored_files.content_hash", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)
