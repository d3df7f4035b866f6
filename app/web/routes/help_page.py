"""Help: where to begin, what the marks mean, the keyboard, and the terms of art."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.text.words.glossary import TERMS
from app.web.access import SignedIn
from app.web.templating import page

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpView:
    """The keys of the terms."""

    terms: tuple[str, ...]


@router.get("/help", name="help.show")
def show(request: Request, caller: SignedIn) -> Response:
    """All of it on one page."""
    return page(request, "help/show.html", HelpView(terms=TERMS))
