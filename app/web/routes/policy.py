"""Policy: the decision tables and the limits and weights by which plans judge, all on one page; each row is edited like any row of the catalogue."""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.domain.catalogue.policy import PolicyRow, PolicyValue
from app.services import catalogue as catalogues
from app.web.access import IsAdmin
from app.web.database import Read
from app.web.templating import page

router = APIRouter(prefix="/admin")


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyView:
    """Rows by decision table, and the values. `revision` is of the policy alone, `catalogue_revision` of everything."""

    tables: Mapping[str, tuple[PolicyRow, ...]]
    values: tuple[PolicyValue, ...]
    revision: str
    catalogue_revision: str


@router.get("/policy", name="admin.policy")
def show(request: Request, session: Read, caller: IsAdmin) -> Response:
    """All of it."""
    catalogue = catalogues.current(session)
    tables: dict[str, tuple[PolicyRow, ...]] = {}
    for row in catalogue.policy_rows:
        tables[row.decision_table] = (*tables.get(row.decision_table, ()), row)
    view = PolicyView(
        tables=tables, values=catalogue.policy_values, revision=catalogue.policy_revision, catalogue_revision=catalogue.revision
    )
    return page(request, "admin/policy.html", view)
