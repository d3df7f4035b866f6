"""A broken invariant."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import Message

TABLES = (
    *("gpus", "servers", "links", "precision_support", "language_models", "other_models"),
    *("purchase_prices", "rental_prices", "cost_factors"),
    *("policy_rows", "policy_values"),
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Row `index` of a table breaks an invariant in a field."""

    table: str
    index: int
    field: str
    reason: Message


def every_row(catalogue: Catalogue) -> Iterator[tuple[str, int, Any]]:
    """All rows of all tables."""
    for table in TABLES:
        for index, row in enumerate(getattr(catalogue, table)):
            yield table, index, row
