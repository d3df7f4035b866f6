"""Two to five rows side by side. The rows stand in the address, so that a comparison can be passed on."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.domain.catalogue.compare import LEAST_COUNT, MOST_COUNT, Compared, compare
from app.domain.catalogue.source import Source
from app.domain.errors import Message, NotFound, message
from app.services.catalogue import StoredRevision
from app.web.access import SignedIn
from app.web.database import Read
from app.web.described import Described, describe
from app.web.listing import COMPARED, asked_catalogue
from app.web.nouns import Noun
from app.web.routes.catalogue import noun_of
from app.web.templating import page

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRow:
    """A column of the comparison."""

    key: str
    title: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A line of the comparison: one figure of every row."""

    cells: tuple[Described, ...]
    compared: Compared


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareView:
    """`problem`: fewer or more rows than can be compared, or one that is not there; what is there is shown."""

    noun: Noun
    rows: tuple[ComparedRow, ...]
    groups: tuple[tuple[str, tuple[Figure, ...]], ...]
    is_differences_only: bool
    problem: Message | None
    revision: str
    as_of: StoredRevision | None


@router.get("/catalogue/{noun}/-/compare", name="catalogue.compare")
def show(request: Request, noun: str, session: Read, caller: SignedIn) -> Response:
    """The figures of the chosen rows, one line a figure."""
    found, (catalogue, as_of) = noun_of(noun), asked_catalogue(request, session)
    if found.key not in COMPARED:
        raise NotFound("request.not_found")
    by_key = {found.identify(row): row for row in found.rows(catalogue)}
    asked = list(dict.fromkeys(request.query_params.getlist("row")))
    rows = [by_key[key] for key in asked if key in by_key][:MOST_COUNT]
    is_short = request.query_params.get("differences") == "true"
    problem = _problem(asked, set(by_key))
    view = CompareView(
        noun=found,
        rows=tuple(ComparedRow(key=found.identify(row), title=found.title(row), source=row.source) for row in rows),
        groups=tuple((key, _figures(found, names, rows, catalogue, is_short)) for key, names in found.groups.items()),
        is_differences_only=is_short,
        problem=problem,
        revision=catalogue.revision,
        as_of=as_of,
    )
    return page(request, "catalogue/compare.html", view, status_code=422 if problem else 200)


def _problem(asked: list[str], known: set[str]) -> Message | None:
    unknown = [key for key in asked if key not in known]
    if unknown:
        return message("compare.unknown", key=unknown[0][:60])
    if not LEAST_COUNT <= len(asked) <= MOST_COUNT:
        return message("compare.count", low=LEAST_COUNT, high=MOST_COUNT, chosen=len(asked))
    return None


def _figures(noun: Noun, names: tuple[str, ...], rows: list[Any], catalogue: Any, is_short: bool) -> tuple[Figure, ...]:
    figures = (
        Figure(cells=tuple(describe(row, name, catalogue) for row in rows), compared=compare(rows, name, noun.better.get(name)))
        for name in names
    )
    known = (figure for figure in figures if any(cell.value is not None for cell in figure.cells))
    return tuple(figure for figure in known if figure.compared.differs or not is_short)
