"""How every number is reached: the methodology as the code states it."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.services.methodology import Methodology, methodology
from app.web.access import SignedIn
from app.web.templating import page

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodologyView:
    """All of it on one page."""

    method: Methodology


@router.get("/methodology", name="methodology.show")
def show(request: Request, caller: SignedIn) -> Response:
    """Formulas, constants, rules, and what is not modelled."""
    return page(request, "methodology/show.html", MethodologyView(method=methodology()))
