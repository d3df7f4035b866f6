"""From layouts that work to candidates: price them, estimate them in full, keep the cheaper ones, weigh them per role."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal

from app.domain.capacity import Fit, Hardware, WorkloadEstimate, estimate
from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost import Option as CostOption
from app.domain.cost import Scenario, TcoResult, evaluate
from app.domain.cost.inputs import Override, with_overrides
from app.domain.cost.offers import own_option, plan_scenario, reference_price, rent_option
from app.domain.errors import DataMissing, Message, message
from app.domain.intake import Requirements
from app.domain.money import FxRate
from app.domain.selection.bottleneck import Effect
from app.domain.selection.elimination import Ruled
from app.domain.selection.findings import option_findings
from app.domain.selection.layouts import Found, layout_of
from app.domain.selection.ledger import Ledger
from app.domain.selection.need import input_s
from app.domain.selection.options import Option, trust
from app.domain.selection.plan import Candidate, Merits, Role
from app.domain.selection.policy import Policy, policy_of, weights_of
from app.domain.selection.racks import racks_of
from app.domain.selection.roles import scores
from app.domain.units import HOURS_PER_YEAR, as_hours

KEPT_COUNT = 16  # candidates that meet the need, on one page; what is left out does the same work for more money
NEAR_COUNT = 8  # candidates that give something up
NO_PRICE = Ruled(rule="price", reason=message("selection.no_price"))
DEARER = Ruled(rule="dearer", reason=message("selection.dearer"))
EQUIVALENT = Ruled(rule="equivalent", reason=message("selection.equivalent_server"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An option with a layout that does the work, before it has a price."""

    option: Option
    hardware: Hardware
    found: Found
    compromises: tuple[Message, ...]
    duration_s: float | None
    is_enough: bool  # does the work in time with room in memory, whatever else it gives up


def cost_and_rank(
    drafts: Sequence[Draft],
    needs: Requirements,
    catalogue: Catalogue,
    effect: Effect,
    fx: FxRate,
    ledger: Ledger,
    overrides: Mapping[str, Override],
) -> tuple[Candidate, ...]:
    """Candidates, those that meet the need first, each group by total cost."""
    policy = policy_of(catalogue)
    priced: list[tuple[Draft, WorkloadEstimate, Scenario, TcoResult]] = []
    for draft in _cheapest(_distinct(drafts, ledger), needs, catalogue, fx, ledger):
        got = estimate(draft.found.workload, draft.hardware)
        sourced = _scenario(draft, got, needs, catalogue, fx)
        tco = evaluate(with_overrides(sourced, overrides))
        if over := over_budget(tco, needs, fx):
            ledger.add(over, draft.option.gpu.slug, draft.option.server.slug)
            continue
        priced.append((draft, got, sourced, tco))
    candidates = [_candidate(draft, got, sourced, tco, needs, catalogue, policy, effect) for draft, got, sourced, tco in priced]
    return ranked(candidates, catalogue, effect)


def ranked(candidates: Sequence[Candidate], catalogue: Catalogue, effect: Effect) -> tuple[Candidate, ...]:
    """Those that meet the need first, each group by total cost, scored by the weights of policy."""
    order = sorted(
        candidates,
        key=lambda candidate: (not candidate.meets_need, candidate.tco.options[0].total.amount, candidate.gpu.slug, candidate.server.slug),
    )
    return scored(order, weights_of(catalogue), effect)


def _distinct(drafts: Sequence[Draft], ledger: Ledger) -> list[Draft]:
    """One draft for each number of the same GPUs in as many machines that take as long; the more trusted server first (see `trust`)."""
    kept: dict[tuple[str, int, int, float | None], Draft] = {}
    for draft in sorted(drafts, key=lambda draft: trust(draft.option.gpu, draft.option.server)):
        option = draft.option
        key = (option.gpu.slug, option.gpu_count, option.node_count, draft.duration_s and round(draft.duration_s))
        if kept.setdefault(key, draft) is not draft:
            ledger.add(EQUIVALENT, option.gpu.slug, option.server.slug)
    return list(kept.values())


def _cheapest(drafts: Sequence[Draft], needs: Requirements, catalogue: Catalogue, fx: FxRate, ledger: Ledger) -> list[Draft]:
    """The drafts of the lowest purchase price, whole costs being too slow to work out for all; those without a price fall out."""
    priced: list[tuple[Decimal, int, Draft]] = []
    for index, draft in enumerate(drafts):
        option = draft.option
        try:
            price = reference_price(option.gpu, catalogue, needs.currency, fx).typical * option.gpu_count
        except DataMissing:
            ledger.add(NO_PRICE, option.gpu.slug, option.server.slug)
            continue
        priced.append((price, index, draft))
    priced.sort(key=lambda entry: entry[:2])
    kept: list[Draft] = []
    for is_near, count in ((False, KEPT_COUNT), (True, NEAR_COUNT)):
        group = [draft for _, _, draft in priced if bool(draft.compromises) is is_near]
        kept += group[:count]
        for draft in group[count:]:
            ledger.add(DEARER, draft.option.gpu.slug, draft.option.server.slug)
    return kept


def _scenario(draft: Draft, got: WorkloadEstimate, needs: Requirements, catalogue: Catalogue, fx: FxRate) -> Scenario:
    """Owning the option over the horizon and, where somebody rents such GPUs out, renting them for the same work."""
    option, busy_ratio = draft.option, busy_share(draft, needs)
    hours = float(HOURS_PER_YEAR) if needs.operations.always_on else busy_ratio * HOURS_PER_YEAR
    own = own_option(
        option.gpu,
        option.server,
        option.gpu_count,
        option.node_count,
        got.energy.average_w if got.energy else None,
        catalogue,
        needs.currency,
        needs.years,
        hours,
        fx,
        busy_ratio if needs.operations.always_on else 1.0,
    )
    options: tuple[CostOption, ...] = (own,)
    with suppress(DataMissing):  # nobody rents it out: owning stands alone
        options = (own, rent_option(option.gpu, option.gpu_count, catalogue, needs.currency, needs.years, busy_ratio, fx))
    return plan_scenario(options, catalogue, needs.currency, needs.years, fx)


def busy_share(draft: Draft, needs: Requirements) -> float:
    """Share of the year that the work keeps the machines busy: runs · duration for training, all of it for a service."""
    if needs.training is None or draft.duration_s is None or needs.inference is not None:
        return 1.0
    return min(1.0, needs.training.runs_per_year * as_hours(draft.duration_s) / HOURS_PER_YEAR)


def over_budget(tco: TcoResult, needs: Requirements, fx: FxRate) -> Ruled | None:
    """The budget is for buying: it binds capex."""
    budget = needs.operations.budget
    if budget is None:
        return None
    capex = fx.convert(tco.options[0].capex, budget.currency)
    if not budget < capex:
        return None
    over = capex - budget
    short_by = message("selection.short_budget", currency=budget.currency.value, short_amount=round(over.amount))
    return Ruled(rule="budget", reason=message("selection.over_budget"), short_by=short_by, short_ratio=float(over.amount / capex.amount))


def _candidate(
    draft: Draft,
    got: WorkloadEstimate,
    sourced: Scenario,
    tco: TcoResult,
    needs: Requirements,
    catalogue: Catalogue,
    policy: Policy,
    effect: Effect,
) -> Candidate:
    option, floor_s = draft.option, input_s(needs) or 0.0
    run = got.duration.duration_s if got.duration else None
    compromises = draft.compromises
    if got.memory is not None and got.memory.fits is not Fit.YES and not any(text.code == "selection.tight" for text in compromises):
        peak = got.memory.device_bytes
        compromises = (*compromises, message("selection.tight", peak_bytes=peak.high, capacity_bytes=got.memory.capacity_bytes))
    samples = got.throughput.samples_per_s if got.throughput else None
    own = tuple(option_findings(option, draft.hardware, needs, samples.typical if samples and needs.training else None, policy))
    return Candidate(
        gpu=option.gpu,
        server=option.server,
        node_count=option.node_count,
        gpu_count=option.gpu_count,
        layout=layout_of(draft.found.workload),
        workload=draft.found.workload,
        estimate=got,
        duration_s=replace(run, low=max(run.low, floor_s), typical=max(run.typical, floor_s), high=max(run.high, floor_s)) if run else None,
        tco=tco,
        sourced=sourced,
        compromises=compromises,
        findings=(*own, *(finding for finding in got.findings if finding.rule not in {ours.rule for ours in own})),
        merits=_merits(option, got, tco, draft.hardware, effect),
        scores={},
        racks=racks_of(option.server, option.node_count, needs, catalogue),
    )


def scored(candidates: Sequence[Candidate], weights: Mapping[Role, Mapping[str, float]], effect: Effect) -> tuple[Candidate, ...]:
    """The candidates with a score for each role by these weights."""
    merits = [candidate.merits for candidate in candidates]
    by_role = {role: scores(merits, weights[role], effect.weights) for role in Role}
    return tuple(replace(candidate, scores={role: by_role[role][index] for role in Role}) for index, candidate in enumerate(candidates))


def _merits(option: Option, got: WorkloadEstimate, tco: TcoResult, hardware: Hardware, effect: Effect) -> Merits:
    speed = 0.0
    if effect.speed_is_bandwidth:
        speed = (option.gpu.memory_bandwidth_bytes_per_s or 0.0) * option.gpu_count
    elif got.throughput is not None:
        work = got.throughput.samples_per_s or got.throughput.requests_per_s
        speed = work.typical if work else 0.0
    return Merits(
        cost=float(tco.options[0].total.amount),
        speed=speed,
        memory=hardware.capacity_bytes or 0.0,
        link=hardware.link_bytes_per_s if option.node_count == 1 else min(hardware.link_bytes_per_s, hardware.network_bytes_per_s),
        power=(got.energy.average_w.typical if got.energy else option.gpu.tdp_w or 1.0) * option.gpu_count,
    )
