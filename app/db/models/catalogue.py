"""The catalogue's revisions, and what every table of facts shares: columns named as the fields of the domain type, a natural key, a place."""

from datetime import datetime

from sqlalchemy import ARRAY, Identity, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base


class CatalogueRevisionModel(Base):
    """One seeding: from then on the catalogue has this revision."""

    __tablename__ = "catalogue_revisions"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    revision: Mapped[str]
    row_count: Mapped[int]
    seeded_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Fact:
    """A row of the catalogue. `position` keeps the order of the seed file; the four source columns are the domain's `Source`."""

    natural_key: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]
    source_title: Mapped[str]
    source_url: Mapped[str | None]
    source_on: Mapped[str]
    source_evidence: Mapped[str]


def texts() -> Mapped[list[str]]:
    """A column that holds a tuple of texts."""
    return mapped_column(ARRAY(Text))
