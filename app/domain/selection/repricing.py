"""What a plan concludes from its candidates, and the same with prices that people were quoted for some of them."""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost import evaluate
from app.domain.cost.inputs import Overrides, of_configuration, with_overrides
from app.domain.errors import message
from app.domain.selection.bottleneck import effect_of
from app.domain.selection.candidates import over_budget, ranked
from app.domain.selection.plan import Candidate, Plan
from app.domain.selection.policy import policy_of
from app.domain.selection.recommend import recommend
from app.domain.selection.tables import table_answers


def concluded(plan: Plan, candidates: Sequence[Candidate], catalogue: Catalogue) -> Plan:
    """The plan with these candidates in this order: what is recommended, and where decision tables differ."""
    needs = plan.requirements
    deadline_s = float(needs.training.deadline_s) if needs.training else None
    recommended = recommend(candidates, deadline_s, needs.operations.growth_ratio_6m, policy_of(catalogue))
    tables = table_answers(needs, catalogue, candidates, recommended, plan.fallen)
    return replace(plan, candidates=tuple(candidates), recommended=recommended, tables=tables)


def repriced(plan: Plan, overrides: Overrides, catalogue: Catalogue) -> Plan:
    """The plan ranked and recommended anew with the inputs set for single configurations, each of which counts for its own alone."""
    if not any(candidate.configuration in overrides for candidate in plan.candidates):
        return plan
    candidates = [
        _repriced(candidate, plan, overrides) if candidate.configuration in overrides else candidate for candidate in plan.candidates
    ]
    return concluded(plan, ranked(candidates, catalogue, effect_of(plan.bottleneck)), catalogue)


def _repriced(candidate: Candidate, plan: Plan, overrides: Overrides) -> Candidate:
    """Above the budget it stays, as something to give up: what somebody priced does not vanish from their eyes."""
    tco = evaluate(with_overrides(candidate.sourced, of_configuration(overrides, candidate.configuration)))
    over = over_budget(tco, plan.requirements, tco.scenario.fx)
    compromises = candidate.compromises
    if over is not None and over.short_by is not None:
        compromises = (*compromises, message("selection.priced_over_budget", over=over.short_by))
    merits = replace(candidate.merits, cost=float(tco.options[0].total.amount))
    return replace(candidate, tco=tco, compromises=compromises, merits=merits)
