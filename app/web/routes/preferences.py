"""Language and colours, kept in the reader's browser."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.domain.money import Currency
from app.text.catalogues import LOCALES
from app.web import htmx
from app.web.binding import Form
from app.web.locale import LOCALE_COOKIE
from app.web.templating import CURRENCY_COOKIE, THEME_COOKIE, THEMES

router = APIRouter(prefix="/preferences")
A_YEAR_S = 31_536_000


@router.post("", name="preferences.save")
def save(request: Request, form: Form) -> Response:
    """Sets what was chosen and goes back to the page."""
    response = htmx.see_other(request, local_path(str(form.get("next", "/"))))
    for cookie, choices in ((LOCALE_COOKIE, LOCALES), (THEME_COOKIE, THEMES), (CURRENCY_COOKIE, tuple(Currency))):
        if (chosen := form.get(cookie)) in choices:
            response.set_cookie(cookie, str(chosen), max_age=A_YEAR_S, samesite="lax", httponly=True)
    return response


def local_path(wanted: str) -> str:
    """The address when it is one of ours, otherwise the first page: nobody is sent to another site."""
    is_ours = wanted.startswith("/") and not wanted.startswith("//") and "\\" not in wanted and wanted.isprintable()
    return wanted if is_ours else "/"
