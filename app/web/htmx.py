"""What htmx asks for and how it is answered."""

import json
from collections.abc import Mapping, Sequence

from fastapi import Request
from starlette.responses import RedirectResponse, Response

WHOLE_MAIN = ("main",)
VARY = "HX-Request, HX-Target, Cookie, Accept-Language"


def wants_fragment(request: Request) -> bool:
    """Whether only a part of the page is wanted. Boosted links and history restores want all of it."""
    headers = request.headers
    return (
        headers.get("hx-request") == "true" and headers.get("hx-boosted") != "true" and headers.get("hx-history-restore-request") != "true"
    )


def blocks(request: Request, fragments: Mapping[str, Sequence[str]] | None) -> tuple[str, ...]:
    """The template blocks that belong to the element htmx wants to replace; the whole main block for an unknown one."""
    target = request.headers.get("hx-target", "")
    return tuple((fragments or {}).get(target, WHOLE_MAIN))


def see_other(request: Request, url: str) -> Response:
    """After a successful POST: go there. htmx is told so in a header, or it would swap the next page into the form."""
    if wants_fragment(request):
        return Response(status_code=204, headers={"HX-Redirect": url})
    return RedirectResponse(url, status_code=303)


def toast(text: str, kind: str = "error") -> dict[str, str]:
    """Headers that make the page announce a sentence. htmx reads them before it decides on swapping; the JSON must be ASCII."""
    return {"HX-Trigger": json.dumps({"toast": {"text": text, "kind": kind}})}
