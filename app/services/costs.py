"""The cost of a project: its configuration owned or rented, with the inputs that people put in place of the sourced ones."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from uuid import UUID

from app.db import costs
from app.db.engine import Session
from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost import Scenario, TcoResult, evaluate
from app.domain.cost.inputs import (
    EVERYWHERE,
    CostInput,
    Override,
    check,
    inputs,
    is_shared,
    of_configuration,
    with_overrides,
)
from app.domain.cost.offers import OWN, RACKS, colocated_option
from app.domain.cost.ways import LEASED, MIXED, way_inputs, with_ways
from app.domain.errors import Conflict, NotFound
from app.domain.money import Currency
from app.domain.selection import Candidate
from app.services import catalogue as catalogues
from app.services import cost_summary, plans
from app.services.plans import ProjectPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRow:
    """One input as it stands, and the sourced value that it would go back to."""

    entry: CostInput
    sourced: CostInput
    override: Override | None

    @property
    def is_overridden(self) -> bool:
        """Whether somebody put a value in place of the sourced one."""
        return self.override is not None

    @property
    def seen(self) -> str:
        """What a form made from this row saw: saving it elsewhere meanwhile makes another one."""
        return "" if self.override is None else f"{self.override.value.normalize():f} {self.override.currency or ''}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """An input set for a configuration that the project does not go on with; without `candidate` that is no candidate any more."""

    configuration: str
    key: str
    override: Override
    candidate: Candidate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectCost:
    """What a project's configuration costs. `tco` is missing where the plan has no candidate; `elsewhere` was set for other configurations
    and does not count for this one."""

    found: ProjectPlan
    candidate: Candidate | None
    tco: TcoResult | None
    inputs: tuple[InputRow, ...]
    overrides: Mapping[str, Override]
    elsewhere: tuple[Elsewhere, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetInput:
    """A value to put in an input's place. An amount is in `currency`; `seen` is the row's when the form was made."""

    project_id: UUID
    key: str
    value: Decimal
    currency: Currency
    seen: str
    by: str = ""


def of_project(session: Session, project_id: UUID, today: date, currency: Currency | None = None) -> ProjectCost:
    """The cost as everything stands, in the project's currency or another. NotFound, InvalidInput: as for its plan."""
    return of_plan(plans.of_project(session, project_id, today), catalogues.current(session), currency)


def of_plan(found: ProjectPlan, catalogue: Catalogue, currency: Currency | None = None) -> ProjectCost:
    """The cost of a plan's configuration with the inputs set for it."""
    candidate = found.candidate
    overrides = of_configuration(found.overrides, candidate.configuration if candidate else None)
    elsewhere = _elsewhere(found)
    if candidate is None:
        return ProjectCost(found=found, candidate=None, tco=None, inputs=(), overrides=overrides, elsewhere=elsewhere)
    scenario = scenario_of(candidate, overrides, catalogue, currency)
    before = {entry.key: entry for entry in _own_inputs(scenario_of(candidate, {}, catalogue, currency), candidate, {})}
    entries = _own_inputs(scenario, candidate, overrides)
    rows = tuple(InputRow(entry=entry, sourced=before.get(entry.key, entry), override=overrides.get(entry.key)) for entry in entries)
    return ProjectCost(found=found, candidate=candidate, tco=evaluate(scenario), inputs=rows, overrides=overrides, elsewhere=elsewhere)


def _elsewhere(found: ProjectPlan) -> tuple[Elsewhere, ...]:
    here = found.candidate.configuration if found.candidate else None
    known = {candidate.configuration: candidate for candidate in found.plan.candidates}
    return tuple(
        Elsewhere(configuration=configuration, key=key, override=override, candidate=known.get(configuration))
        for configuration, own in found.overrides.items()
        if configuration not in (EVERYWHERE, here)
        for key, override in own.items()
    )


def scenario_of(
    candidate: Candidate, overrides: Mapping[str, Override], catalogue: Catalogue, currency: Currency | None = None
) -> Scenario:
    """What a candidate costs owned, rented, in somebody's racks, and leased or partly rented where that was stated; with a project's own
    inputs, in a currency.

    The machines in racks, leased or partly owned are the owned ones, changes included; only what is stated of those ways is of their own."""
    scenario = with_overrides(_in_currency(candidate.sourced, currency), overrides)
    own = next(option for option in scenario.options if option.name == OWN)
    racks = colocated_option(own, candidate.server, candidate.node_count, catalogue, candidate.sourced.currency)
    if racks is not None:
        mine = {key: override for key, override in overrides.items() if key.startswith(f"{RACKS}.")}
        scenario = with_overrides(replace(scenario, options=(*scenario.options, racks)), mine)
    return with_ways(scenario, candidate.node_count, overrides)


def _own_inputs(scenario: Scenario, candidate: Candidate, overrides: Mapping[str, Override]) -> tuple[CostInput, ...]:
    entries = (entry for entry in inputs(scenario) if _is_own(entry))
    return (*entries, *way_inputs(scenario, candidate.node_count, overrides))


def _is_own(entry: CostInput) -> bool:
    """Not of an option that is made from others, but for what is stated of it alone."""
    option = entry.key.partition(".")[0]
    return entry.label == "colocation" if option == RACKS else option not in (LEASED, MIXED)


def set_input(session: Session, command: SetInput, today: date) -> None:
    """Stores an override. NotFound: no such input; InvalidInput: the value is out of bounds; Conflict: somebody set it after the form was made."""
    cost = of_project(session, command.project_id, today, command.currency)
    row = next((row for row in cost.inputs if row.entry.key == command.key), None)
    if row is None or cost.tco is None or cost.candidate is None:
        raise NotFound("cost.no_input", field="key")
    entry = row.entry
    check(entry, command.value)
    override = Override(value=command.value, currency=command.currency if entry.unit == "money" else None)
    if override == row.override:
        return
    if command.seen != row.seen:
        raise Conflict("cost.stale", field=entry.key)
    if entry.label == "residual":
        scenario = _in_currency(cost.candidate.sourced, command.currency)
        after = with_overrides(scenario, {**cost.overrides, command.key: override})
        for option in after.options:
            option.check_residual(after.currency, after.fx, command.key)
    configuration = EVERYWHERE if is_shared(command.key) else cost.candidate.configuration
    with session.begin_nested():
        costs.store(session, command.project_id, configuration, command.key, replace(override, by=command.by or None))
        if (
            configuration and cost.found.chosen is None
        ):  # whoever prices a configuration goes on with it, whatever its price does to the ranks
            plans.keep(session, command.project_id, cost.candidate, cost.found)
        cost_summary.remember(session, command.project_id, cost.candidate)


def reset_input(session: Session, project_id: UUID, key: str, seen: str, today: date) -> bool:
    """Goes back to the sourced value; False: it was that before. NotFound: no such project; Conflict: somebody set another value after the form was made."""
    cost = of_project(session, project_id, today)
    if key not in cost.overrides:
        return False
    row = next((row for row in cost.inputs if row.entry.key == key), None)
    if row is not None and row.seen != seen:
        raise Conflict("cost.stale", field=key)
    candidate = cost.candidate
    configuration = EVERYWHERE if is_shared(key) or candidate is None else candidate.configuration
    with session.begin_nested():
        is_done = costs.remove(session, project_id, configuration, key)
        if candidate is not None:
            cost_summary.remember(session, project_id, candidate)
    return is_done


def forget(session: Session, project_id: UUID, configuration: str, key: str, today: date) -> bool:
    """Takes back an input of a configuration that the project does not go on with; False: there is none. Conflict: meanwhile it goes on with
    that one."""
    cost = of_project(session, project_id, today)
    if cost.candidate is not None and configuration == cost.candidate.configuration:
        raise Conflict("cost.stale", field=key)
    if key not in cost.found.overrides.get(configuration, {}):
        return False
    return costs.remove(session, project_id, configuration, key)


def _in_currency(scenario: Scenario, currency: Currency | None) -> Scenario:
    return scenario if currency is None else replace(scenario, currency=currency)
