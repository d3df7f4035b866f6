"""Prices to buy and to rent: every quotation in its own currency, with its date and confidence; stale ones greyed, odd ones marked."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.domain.errors import NotFound
from app.web.access import SignedIn
from app.web.database import Now, Read
from app.web.filtering import answered
from app.web.listing import list_view
from app.web.nouns import PRICES
from app.web.routes.catalogue import FRAGMENTS
from app.web.templating import page

router = APIRouter()


@router.get("/prices", name="prices.home")
def home(request: Request) -> Response:
    """Buying comes first."""
    return RedirectResponse(request.app.url_path_for("prices.list", kind="purchase"), status_code=303)


@router.get("/prices/{kind}", name="prices.list")
def list_(request: Request, kind: str, session: Read, caller: SignedIn, now: Now) -> Response:
    """All prices of a kind that match the filters, newest first."""
    if kind not in PRICES:
        raise NotFound("request.not_found")
    view = list_view(PRICES[kind], request, session, now.date())
    return page(request, "catalogue/list.html", view, fragments=FRAGMENTS, **answered(view.form))
