"""Prices to buy and to rent: every quotation in its own currency, with its date and confidence; stale ones greyed, odd ones marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.quotes import Judged, judge_purchases, judge_rentals, wanted_purchases, wanted_rentals
from app.domain.errors import NotFound
from app.services import catalogue as catalogues
from app.web.binding import BoundForm, bind
from app.web.database import Now, Read
from app.web.described import word
from app.web.filtering import Options, answered, asked
from app.web.forms.catalogue import PriceFilter
from app.web.nouns import WORDS, FilterField, choices
from app.web.sessions import SignedIn
from app.web.templating import page

router = APIRouter()
FRAGMENTS = {"prices-table": ("table",)}
TEMPLATES = {"purchase": "prices/purchase.html", "rental": "prices/rental.html"}
KIND_FIELDS = {"purchase": "condition", "rental": "commitment"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceListView:
    """Prices of one kind with their filters."""

    kind: str
    filters: tuple[FilterField, ...]
    options: Mapping[str, Options]
    form: BoundForm[PriceFilter]
    rows: tuple[Judged[Any], ...]
    gpu_names: Mapping[str, str]
    total_count: int
    revision: str


@router.get("/prices", name="prices.home")
def home(request: Request) -> Response:
    """Buying comes first."""
    return RedirectResponse(request.app.url_path_for("prices.list", kind="purchase"), status_code=303)


@router.get("/prices/{kind}", name="prices.list")
def list_(request: Request, kind: str, session: Read, user: SignedIn, now: Now) -> Response:
    """All prices of a kind that match the filters, newest first."""
    if kind not in TEMPLATES:
        raise NotFound("request.not_found")
    catalogue = catalogues.current(session)
    form = bind(PriceFilter, asked(request))
    judged = (
        judge_purchases(catalogue.purchase_prices, now.date()) if kind == "purchase" else judge_rentals(catalogue.rental_prices, now.date())
    )
    view = _view(kind, catalogue, form, judged)
    return page(request, TEMPLATES[kind], view, fragments=FRAGMENTS, **answered(form))


def _view(kind: str, catalogue: Catalogue, form: BoundForm[PriceFilter], judged: Sequence[Judged[Any]]) -> PriceListView:
    wanted = (form.value or PriceFilter()).wanted()
    find: Any = wanted_purchases if kind == "purchase" else wanted_rentals
    prices = [item.price for item in judged]
    names = {gpu.slug: gpu.name for gpu in catalogue.gpus}
    return PriceListView(
        kind=kind,
        filters=(
            WORDS,
            FilterField("gpu", "choice", "gpu_slug"),
            FilterField("currency", "choice", "currency"),
            FilterField("region", "choice", "region"),
            FilterField("kind", "choice", KIND_FIELDS[kind]),
            FilterField("fresh", "tick"),
        ),
        options={
            "gpu": tuple((slug, names[slug]) for slug in choices(prices, "gpu_slug")),
            "currency": tuple((value, value) for value in choices(prices, "currency")),
            "region": tuple((value, value) for value in choices(prices, "region")),
            "kind": tuple((value, word(KIND_FIELDS[kind], value)) for value in choices(prices, KIND_FIELDS[kind])),
        },
        form=form,
        rows=find(judged, wanted),
        gpu_names=names,
        total_count=len(judged),
        revision=catalogue.revision,
    )
