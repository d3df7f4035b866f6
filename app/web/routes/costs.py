"""The Cost step: buying against renting line by line, and the inputs that people may replace."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.charts.cost import cumulative, distribution, tornado
from app.db.engine import Session
from app.domain.cost import sensitivity
from app.domain.cost.sensitivity import Swing
from app.domain.cost.uncounted import FIELDS as UNCOUNTED
from app.domain.errors import Conflict, DomainError, InvalidInput, Message, NotFound
from app.domain.estimate import Assumption, Step
from app.domain.money import Currency, FxRate
from app.domain.sheet import CostSection
from app.domain.sheet.cost import cost_section
from app.services import audit, costs, intake
from app.services import catalogue as catalogues
from app.services import rail as rails
from app.services.costs import InputRow, ProjectCost
from app.services.rail import ProjectRail
from app.web import htmx
from app.web.access import CanPrice, CanRead
from app.web.binding import Form
from app.web.database import Now, Read, Write
from app.web.forms.costs import ElsewhereField, InputField, command, elsewhere_field, field
from app.web.locale import current_locale
from app.web.templating import CURRENCY_COOKIE, page
from app.wire.tco import tco_json

router = APIRouter()
NOTED_LENGTH = 100
MARKED_MONTHS = 6  # between rows of the cash table


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthRow:
    """Cumulative cash of every option at the end of a month."""

    month: int
    amounts: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The cost as the page shows it."""

    cost: ProjectCost
    section: CostSection
    steps: tuple[Step, ...]
    assumptions: tuple[Assumption, ...]
    fx: FxRate
    break_even_ratio: float | None
    use_ratio: float
    chart: dict[str, Any]
    tornado: dict[str, Any]
    swings: tuple[Swing, ...]
    distribution: dict[str, Any]
    months: tuple[MonthRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostView:
    """`figures` is missing while there is no configuration; `problem` says why there is none."""

    rail: ProjectRail
    figures: Figures | None
    problem: Message | None
    currency: Currency
    currencies: tuple[Currency, ...]
    uncounted: tuple[Assumption, ...]
    fields: tuple[InputField, ...]
    elsewhere: tuple[ElsewhereField, ...]


@router.get("/projects/{project_id}/cost", name="costs.show")
def show(request: Request, project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """Options as columns, lines as rows, in the project's currency or the other one."""
    rail = rails.rail(session, project_id)
    currency = _currency(request, rail)
    cost, problem = None, None
    try:
        if intake.load(session, project_id).answered:
            cost = costs.of_project(session, project_id, now.date(), currency)
    except InvalidInput as error:
        problem = error.message
    return page(request, "costs/show.html", _view(session, rail, currency, cost, problem))


@router.post("/projects/{project_id}/cost", name="costs.set")
def set_(request: Request, project_id: UUID, caller: CanPrice, form: Form, session: Write, now: Now) -> Response:
    """Puts a value in place of a sourced one."""
    rail = rails.rail(session, project_id)
    currency = _currency(request, rail)
    cost = costs.of_project(session, project_id, now.date(), currency)
    key, typed, seen = (str(form.get(name, "")) for name in ("key", "value", "seen"))
    row = _row(cost, key)
    try:
        asked = command(project_id, row, typed, currency, seen, caller.user.name)
        costs.set_input(session, asked, now.date())
        value = f"{asked.value.normalize():f} {asked.currency.value}" if row.entry.unit == "money" else typed[:NOTED_LENGTH]
        audit.note(session, caller.user.name, "cost_set", project_id, key=key, value=value)
    except (InvalidInput, Conflict) as error:
        status = 409 if isinstance(error, Conflict) else 422
        return page(request, "costs/show.html", _view(session, rail, currency, cost, None, key, typed, error), status_code=status)
    return htmx.see_other(request, _address(request, project_id, currency, rail))


@router.post("/projects/{project_id}/cost/reset", name="costs.reset")
def reset(request: Request, project_id: UUID, caller: CanPrice, form: Form, session: Write, now: Now) -> Response:
    """Goes back to the sourced value; with a configuration, of one that the project does not go on with."""
    rail = rails.rail(session, project_id)
    key, seen, configuration = (str(form.get(name, "")) for name in ("key", "seen", "configuration"))
    try:
        is_done = (
            costs.forget(session, project_id, configuration, key, now.date())
            if configuration
            else costs.reset_input(session, project_id, key, seen, now.date())
        )
        if is_done:
            audit.note(session, caller.user.name, "cost_reset", project_id, key=key)
    except Conflict as error:
        currency = _currency(request, rail)
        cost = costs.of_project(session, project_id, now.date(), currency)
        return page(request, "costs/show.html", _view(session, rail, currency, cost, None, key, None, error), status_code=409)
    return htmx.see_other(request, _address(request, project_id, _currency(request, rail), rail))


@router.get("/projects/{project_id}/cost.json", name="costs.json")
def as_json(request: Request, project_id: UUID, session: Read, caller: CanRead, now: Now) -> Response:
    """The cost as the API answers it."""
    cost = costs.of_project(session, project_id, now.date(), _currency(request, rails.rail(session, project_id)))
    if cost.tco is None:
        raise NotFound("sheet.no_candidate")
    return JSONResponse(tco_json(cost.tco, current_locale()))


def _currency(request: Request, rail: ProjectRail) -> Currency:
    asked = request.query_params.get("currency") or request.cookies.get(CURRENCY_COOKIE, "")
    return Currency(asked) if asked in set(Currency) else rail.project.currency


def _address(request: Request, project_id: UUID, currency: Currency, rail: ProjectRail) -> str:
    address = str(request.app.url_path_for("costs.show", project_id=project_id))
    return f"{address}?currency={currency.value}" if "currency" in request.query_params else address


def _row(cost: ProjectCost, key: str) -> InputRow:
    row = next((row for row in cost.inputs if row.entry.key == key), None)
    if row is None:
        raise NotFound("cost.no_input", field="key")
    return row


def _view(
    session: Session,
    rail: ProjectRail,
    currency: Currency,
    cost: ProjectCost | None,
    problem: Message | None,
    bad_key: str | None = None,
    typed: str | None = None,
    error: DomainError | None = None,
) -> CostView:
    fields = tuple(
        field(row, currency, typed, error) if row.entry.key == bad_key else field(row, currency) for row in (cost.inputs if cost else ())
    )
    names = catalogues.names(session) if cost and cost.elsewhere else {}
    return CostView(
        rail=rail,
        figures=_figures(cost) if cost is not None and cost.tco is not None else None,
        problem=problem,
        currency=currency,
        currencies=tuple(Currency),
        uncounted=tuple(entry for entry in cost.tco.assumptions if entry.field in UNCOUNTED) if cost and cost.tco else (),
        fields=fields,
        elsewhere=tuple(elsewhere_field(entry, names) for entry in cost.elsewhere) if cost else (),
    )


def _figures(cost: ProjectCost) -> Figures:
    tco = cost.tco
    assert tco is not None
    section = cost_section(tco, ())
    swings = sensitivity.tornado(tco.scenario)
    months = [*range(0, tco.scenario.month_count, MARKED_MONTHS), tco.scenario.month_count]
    return Figures(
        cost=cost,
        section=section,
        steps=tuple(step for row in section.rows for cell in row.cells if cell for step in cell.derivation),
        assumptions=tuple(entry for entry in tco.assumptions if entry.field not in UNCOUNTED),
        fx=tco.scenario.fx,
        break_even_ratio=tco.comparisons[0].break_even_utilisation if tco.comparisons else None,
        use_ratio=float(tco.options[0].option.utilisation_ratio),
        chart=cumulative(tco, current_locale()),
        tornado=tornado(swings, tco.scenario.currency, current_locale()),
        swings=swings,
        distribution=distribution(sensitivity.histogram(tco.scenario), tco.scenario.currency, current_locale()),
        months=tuple(MonthRow(month=month, amounts=tuple(option.cumulative[month] for option in tco.options)) for month in months),
    )
