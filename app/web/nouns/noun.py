"""What a noun of the catalogue is to its pages."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic import BaseModel

from app.domain.catalogue.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class FilterField:
    """A control above the list. `field` names the column whose values it offers; none: free text, a number or a tick."""

    name: str
    kind: str  # words | choice | number | tick
    field: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """One list of the catalogue. `table` names its rows in `Catalogue` and in the seed files; `better` says of which figures more or less is better."""

    key: str
    table: str
    find: Callable[[Catalogue, Any, date], Sequence[Any]]
    form: type[BaseModel]
    filters: tuple[FilterField, ...]
    title: Callable[[Any], str]
    identify: Callable[[Any], str]
    columns: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    better: Mapping[str, str] = field(default_factory=dict)  # field → more | less

    def rows(self, catalogue: Catalogue) -> Sequence[Any]:
        """All its rows."""
        found: Sequence[Any] = getattr(catalogue, self.table)
        return found

    @property
    def is_price(self) -> bool:
        """Whether its list stands under the prices."""
        return self.table in ("purchase_prices", "rental_prices")


def undated(find: Callable[[Catalogue, Any], Sequence[Any]]) -> Callable[[Catalogue, Any, date], Sequence[Any]]:
    """A search that does not depend on the day."""
    return lambda catalogue, wanted, _today: find(catalogue, wanted)


def slugged(*parts: str) -> str:
    """Parts as one segment of an address."""
    return re.sub(r"[^a-z0-9.]+", "-", "-".join(parts).lower()).strip("-")


def choices(rows: Iterable[Any], field: str) -> tuple[str, ...]:
    """The values of a column, each once, in order."""
    found: set[str] = set()
    for row in rows:
        value = getattr(row, field)
        found |= set(value) if isinstance(value, tuple) else {value}
    return tuple(sorted(value for value in found if value))


WORDS = FilterField("q", "words")
EVIDENCE = FilterField("evidence", "choice", "evidence")
