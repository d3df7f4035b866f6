"""Prices as JSON."""

from typing import Any, Literal

from fastapi import APIRouter, Query

from app.domain.catalogue.quotes import Judged, PricesWanted, find_purchases, find_rentals
from app.web.access import SignedIn
from app.web.api.catalogue import Revision, asked
from app.web.database import Now, Read
from app.web.filtering import known
from app.wire.catalogue import purchase_json, rental_json

router = APIRouter(tags=["prices"])


@router.get("/prices", name="api.prices")
def prices(
    session: Read,
    caller: SignedIn,
    now: Now,
    kind: Literal["purchase", "rental"] | None = None,
    gpu: str = Query("", max_length=60),
    currency: str = Query("", max_length=3),
    region: str = Query("", max_length=60),
    revision: Revision = "",
) -> dict[str, Any]:
    """Purchase and rental prices, newest first, each in its own currency with date, source and confidence."""
    catalogue, today = asked(session, revision), now.date()
    wanted = PricesWanted(
        gpu_slug=known("gpu", gpu, (board.slug for board in catalogue.gpus)),
        currency=known("currency", currency, {price.currency for price in catalogue.prices}),
        region=known("region", region, {price.region for price in catalogue.prices}),
    )
    answer: dict[str, Any] = {"revision": catalogue.revision}
    if kind != "rental":
        bought = find_purchases(catalogue, wanted, today)
        answer["purchase"] = [purchase_json(item.price) | _judgement(item) for item in bought]
    if kind != "purchase":
        rented = find_rentals(catalogue, wanted, today)
        answer["rental"] = [rental_json(item.price) | _judgement(item) for item in rented]
    return answer


def _judgement(item: Judged[Any]) -> dict[str, Any]:
    return {"age_months": item.age_months, "is_stale": item.is_stale, "outlier_ratio": item.outlier_ratio}
