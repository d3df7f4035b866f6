"""The catalogue: its revisions, its rows, and every version of each row. The cells of a row are the text that people read, in the vendor's unit."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base


class CatalogueRevisionModel(Base):
    """One change of the catalogue, of one row or of thousands: from then on it has this revision, the hash of all its cells."""

    __tablename__ = "catalogue_revisions"
    __table_args__ = (CheckConstraint("kind IN ('seed', 'edit', 'import')", name="kind"),)

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    revision: Mapped[str]
    row_count: Mapped[int]
    kind: Mapped[str]
    changed_by: Mapped[str]
    note: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())


class CatalogueRowModel(Base):
    """A row's identity. `shipped_key` and `shipped` are its natural key and cells as the seed files last had them; none: somebody added it here.

    `position` is its place in lists; it has no versions."""

    __tablename__ = "catalogue_rows"
    __table_args__ = (UniqueConstraint("table_name", "shipped_key"),)

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    table_name: Mapped[str]
    position: Mapped[int]
    shipped_key: Mapped[str | None]
    shipped: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))


class CatalogueVersionModel(Base):
    """A row from a revision on, until its next version. No cells: it was retired."""

    __tablename__ = "catalogue_versions"
    __table_args__ = (Index(None, "natural_key"), Index(None, "revision_id"))

    row_id: Mapped[int] = mapped_column(ForeignKey("catalogue_rows.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    revision_id: Mapped[int] = mapped_column(ForeignKey("catalogue_revisions.id"))
    natural_key: Mapped[str]
    cells: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
