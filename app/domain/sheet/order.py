"""What a sheet is made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.capacity import CollectiveEstimate
from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost import TcoResult
from app.domain.selection import Candidate, Plan
from app.domain.sheet.types import Revisions


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetOrder:
    """The plan and the candidate chosen from it, its cost with what people changed in it, and the particulars of this issue."""

    project: str
    number: int
    issued_at: str
    issued_by: str
    revisions: Revisions
    catalogue: Catalogue
    plan: Plan
    candidate: Candidate
    tco: TcoResult
    collective: CollectiveEstimate | None
    inputs: Mapping[str, Any]
    overrides: tuple[str, ...] = ()
