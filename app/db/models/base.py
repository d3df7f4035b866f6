"""What all tables share: constraint names, column types by annotation, no lazy loading."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar
from uuid import UUID, uuid4

from sqlalchemy import BigInteger, Date, DateTime, Double, MetaData, Numeric, Text, Uuid, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# Relationships, where there are any, say `lazy="raise"`: a page that forgot to join fails in its test, not slowly in production.

NAMING = {
    "ix": "%(table_name)s_%(column_0_N_name)s_idx",
    "uq": "%(table_name)s_%(column_0_N_name)s_key",
    "ck": "%(table_name)s_%(constraint_name)s_check",
    "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
    "pk": "%(table_name)s_pkey",
}

Id = Annotated[UUID, mapped_column(primary_key=True, default=uuid4)]
MoneyAmount = Annotated[Decimal, mapped_column(Numeric(18, 6))]
BigInt = Annotated[int, mapped_column(BigInteger)]
Json = Annotated[dict[str, Any], mapped_column(JSONB)]


class Base(DeclarativeBase):
    """Declarative base."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: DateTime(timezone=True),
        date: Date(),
        str: Text(),
        float: Double(),
        UUID: Uuid(),
    }


class Timestamps:
    """When a row was made and last changed, by the database's clock."""

    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now())
