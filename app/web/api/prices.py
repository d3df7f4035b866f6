"""Prices as JSON."""

from typing import Any, Literal

from fastapi import APIRouter, Query

from app.domain.catalogue.quotes import Judged, PricesWanted, judge_purchases, judge_rentals, wanted_purchases, wanted_rentals
from app.services import catalogue as catalogues
from app.web.database import Now, Read
from app.web.sessions import ApiUser
from app.wire.catalogue import purchase_json, rental_json

router = APIRouter(tags=["prices"])


@router.get("/prices", name="api.prices")
def prices(
    session: Read,
    user: ApiUser,
    now: Now,
    kind: Literal["purchase", "rental"] | None = None,
    gpu: str = Query("", max_length=60),
    currency: str = Query("", max_length=3),
) -> dict[str, Any]:
    """Purchase and rental prices, newest first, each in its own currency with date, source and confidence."""
    catalogue, today = catalogues.current(session), now.date()
    wanted = PricesWanted(gpu_slug=gpu, currency=currency)
    answer: dict[str, Any] = {"revision": catalogue.revision}
    if kind != "rental":
        bought = wanted_purchases(judge_purchases(catalogue.purchase_prices, today), wanted)
        answer["purchase"] = [purchase_json(item.price) | _judgement(item) for item in bought]
    if kind != "purchase":
        rented = wanted_rentals(judge_rentals(catalogue.rental_prices, today), wanted)
        answer["rental"] = [rental_json(item.price) | _judgement(item) for item in rented]
    return answer


def _judgement(item: Judged[Any]) -> dict[str, Any]:
    return {"age_months": item.age_months, "is_stale": item.is_stale, "outlier_ratio": item.outlier_ratio}
