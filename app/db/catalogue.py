"""The catalogue in the database: every fact a row, every seeding a revision. Columns are named as the fields of the domain types."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, get_origin, get_type_hints

from sqlalchemy import Table, delete, func, select, text
from sqlalchemy.dialects.postgresql import insert

from app.db.engine import Session
from app.db.models.architectures import LanguageModelModel, OtherModelModel
from app.db.models.base import Base
from app.db.models.catalogue import CatalogueRevisionModel
from app.db.models.hardware import GpuModel, LinkModel, PrecisionSupportModel, ServerModel
from app.db.models.prices import CostFactorModel, PurchasePriceModel, RentalPriceModel
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Link, PrecisionSupport, Server
from app.domain.catalogue.invariants import natural_key
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.catalogue.prices import CostFactor, PurchasePrice, RentalPrice
from app.domain.catalogue.source import Evidence, Source

TABLES: Mapping[str, tuple[type, type[Base]]] = {
    "gpus": (Gpu, GpuModel),
    "servers": (Server, ServerModel),
    "links": (Link, LinkModel),
    "precision_support": (PrecisionSupport, PrecisionSupportModel),
    "language_models": (LanguageModel, LanguageModelModel),
    "other_models": (OtherModel, OtherModelModel),
    "purchase_prices": (PurchasePrice, PurchasePriceModel),
    "rental_prices": (RentalPrice, RentalPriceModel),
    "cost_factors": (CostFactor, CostFactorModel),
}
SEEDING_LOCK = 5_071_968_321
SOURCE_FIELDS = ("title", "url", "on", "evidence")


def find_revision(session: Session) -> str | None:
    """The revision of the newest seeding; None: never seeded."""
    return session.scalar(select(CatalogueRevisionModel.revision).order_by(CatalogueRevisionModel.id.desc()).limit(1))


def store(session: Session, catalogue: Catalogue) -> None:
    """Makes the database hold exactly these rows, by natural key, and notes the revision. One seeding at a time."""
    session.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": SEEDING_LOCK})
    for table, (_, model) in TABLES.items():
        _store_rows(session, table, model, getattr(catalogue, table))
    session.add(CatalogueRevisionModel(revision=catalogue.revision, row_count=catalogue.row_count))
    session.flush()


def load(session: Session, revision: str) -> Catalogue:
    """All rows in the order of the seed files."""
    tables: dict[str, Any] = {}
    for table, (kind, model) in TABLES.items():
        columns = _table(model).columns
        rows = session.execute(select(*columns).order_by(columns["position"])).mappings()
        tuples = _tuple_fields(kind)
        tables[table] = tuple(_to_domain(kind, tuples, row) for row in rows)
    return Catalogue(revision=revision, **tables)


def count_rows(session: Session) -> int:
    """How many facts are stored."""
    return sum(session.scalar(select(func.count()).select_from(model)) or 0 for _, model in TABLES.values())


def count_revisions(session: Session) -> int:
    """How many seedings there were."""
    return session.scalar(select(func.count()).select_from(CatalogueRevisionModel)) or 0


def _store_rows(session: Session, table: str, model: type[Base], rows: Sequence[Any]) -> None:
    values = [_to_columns(table, position, row) for position, row in enumerate(rows)]
    if values:
        insertion = insert(_table(model))
        update = {name: insertion.excluded[name] for name in values[0] if name != "natural_key"}
        session.connection().execute(insertion.on_conflict_do_update(index_elements=["natural_key"], set_=update), values)
    columns = _table(model).columns
    session.execute(delete(model).where(columns["natural_key"].not_in([value["natural_key"] for value in values])))


def _to_columns(table: str, position: int, row: Any) -> dict[str, Any]:
    values: dict[str, Any] = {"natural_key": natural_key(table, row), "position": position}
    for item in fields(row):
        value = getattr(row, item.name)
        if isinstance(value, Source):
            values |= {f"source_{name}": getattr(value, name) for name in SOURCE_FIELDS}
        else:
            values[item.name] = list(value) if isinstance(value, tuple) else value
    return {name: value.value if isinstance(value, Evidence) else value for name, value in values.items()}


def _to_domain(kind: type, tuples: frozenset[str], row: Mapping[Any, Any]) -> Any:
    values = {item.name: row[item.name] for item in fields(kind) if item.name != "source"}
    for name in tuples:
        values[name] = tuple(values[name])
    if values.get("power_evidence") is not None:
        values["power_evidence"] = Evidence(values["power_evidence"])
    source = {name: row[f"source_{name}"] for name in SOURCE_FIELDS}
    return kind(**values, source=Source(**{**source, "evidence": Evidence(source["evidence"])}))


def _table(model: type[Base]) -> Table:
    assert isinstance(model.__table__, Table)
    return model.__table__


def _tuple_fields(kind: type) -> frozenset[str]:
    return frozenset(name for name, hint in get_type_hints(kind).items() if get_origin(hint) is tuple)
