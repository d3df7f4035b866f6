"""The candidates of a plan as the Options step shows them: filtered, weighed and ordered by what stands in the address. Nothing is computed anew."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from fastapi import Request
from starlette.datastructures import FormData

from app.charts.options import front, pareto
from app.db.engine import Session
from app.domain.catalogue.policy import MERITS
from app.domain.errors import Message, message
from app.domain.money import Money
from app.domain.selection import Candidate, Eliminated, Plan, Role
from app.domain.selection.relaxing import relaxation
from app.domain.selection.roles import normal
from app.services import catalogue as catalogues
from app.services import plans
from app.services.plans import ProjectPlan
from app.text.render import render
from app.web.binding import BoundForm, bind
from app.web.filtering import Options, filtered
from app.web.forms.options import OptionsFilter, WeightsForm
from app.web.locale import current_locale

CHART_LEAST = 2  # points without another to compare with are no chart


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A candidate with its place in the plan and what it is recommended as ("best", "cheaper", "safer"), if anything."""

    index: int
    candidate: Candidate
    recommended: str | None
    is_chosen: bool

    @property
    def key(self) -> str:
        """How an address names it."""
        return self.candidate.configuration

    @property
    def owning_low(self) -> Money:
        """10th percentile of the cost of owning."""
        return _amount(self.candidate, self.candidate.tco.options[0].range.p10)

    @property
    def owning_high(self) -> Money:
        """90th percentile of the cost of owning."""
        return _amount(self.candidate, self.candidate.tco.options[0].range.p90)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownOptions:
    """`total` is how many candidates the plan has; `weights` what each role weighs, in shares of one, and `weighed` is the form of the asked role's."""

    plan: Plan
    rows: tuple[Row, ...]
    total: int
    filters: BoundForm[OptionsFilter]
    choices: Mapping[str, Options]
    role: Role | None
    weights: Mapping[Role, Mapping[str, float]]
    weighed: BoundForm[WeightsForm]
    is_tried: bool  # the weights stand in the address, not in the project
    chart: dict[str, Any] | None
    front: frozenset[int]
    eliminated: tuple[tuple[Eliminated, Message | None], ...]

    @property
    def has_errors(self) -> bool:
        """Whether the address asks for something that is not there."""
        return bool(self.filters.errors or self.weighed.errors)


def shown_options(request: Request, session: Session, project_id: UUID, found: ProjectPlan) -> ShownOptions:
    """What the address asks of a plan."""
    candidates = found.plan.candidates
    choices = _choices(candidates)
    offered = {name: [value for value, _ in pairs] for name, pairs in choices.items()}
    filters = filtered(OptionsFilter, request, {"role": [role.value for role in Role], **offered})
    wanted = filters.value or OptionsFilter()
    role = Role(wanted.role) if wanted.role else None
    weights = plans.weights(session, project_id)
    weighed, is_tried = _weighed(request, role, weights)
    if role is not None and weighed.value is not None:
        weights[role] = weighed.value.weights()
    plan = plans.rescored(found.plan, weights)
    every = rows_of(plan, found.chosen, role)
    kept = tuple(row for row in every if wanted.shows(row.candidate))
    catalogue = catalogues.current(session)
    return ShownOptions(
        plan=plan,
        rows=kept,
        total=len(candidates),
        filters=filters,
        choices=choices,
        role=role,
        weights={each: normal(parts, {}) for each, parts in weights.items()},
        weighed=weighed,
        is_tried=is_tried,
        chart=pareto([row.candidate for row in kept], current_locale()) if len(kept) >= CHART_LEAST else None,
        front=frozenset(kept[index].index for index in front([row.candidate for row in kept])),
        eliminated=tuple((entry, _change(entry, plan, catalogue)) for entry in plan.eliminated),
    )


def rows_of(plan: Plan, chosen: int | None, role: Role | None) -> tuple[Row, ...]:
    """The candidates in the plan's order, or the best for a role first."""
    recommended = plan.recommended
    names = {recommended.safer: "safer", recommended.cheaper: "cheaper", recommended.best: "best"}
    rows = [
        Row(index=index, candidate=candidate, recommended=names.get(index), is_chosen=index == chosen)
        for index, candidate in enumerate(plan.candidates)
    ]
    if role is not None:
        rows.sort(key=lambda row: -row.candidate.scores[role])
    return tuple(rows)


def weights_form(form: FormData) -> BoundForm[WeightsForm]:
    """Weights as somebody sent them; all of them zero is an error."""
    bound = bind(WeightsForm, FormData([(name, value) for name, value in form.multi_items() if name in MERITS]))
    if bound.value is not None and not any(bound.value.weights().values()):
        return BoundForm(raw=bound.raw, errors={"cost": render(message("options.weights_zero"), current_locale())})
    return bound


def _weighed(request: Request, role: Role | None, weights: Mapping[Role, Mapping[str, float]]) -> tuple[BoundForm[WeightsForm], bool]:
    """The weights of the address, else those that hold, in per cent."""
    query = request.query_params
    if role is not None and any(name in query for name in MERITS):
        return weights_form(FormData(list(query.multi_items()))), True
    shares = normal(weights[role], {}) if role is not None else {}
    return BoundForm(raw={name: f"{100 * shares.get(name, 0):.4g}" for name in MERITS}), False


def _choices(candidates: tuple[Candidate, ...]) -> dict[str, Options]:
    gpus, servers = {one.gpu.slug: one.gpu for one in candidates}, {one.server.slug: one.server for one in candidates}
    return {
        "vendor": tuple((name, name) for name in sorted({gpu.vendor for gpu in gpus.values()})),
        "gpu": tuple(sorted(((slug, gpu.name) for slug, gpu in gpus.items()), key=lambda pair: pair[1])),
        "form": tuple((name, name) for name in sorted({gpu.form_factor for gpu in gpus.values() if gpu.form_factor})),
        "server": tuple(sorted(((slug, server.name) for slug, server in servers.items()), key=lambda pair: pair[1])),
    }


def _change(entry: Eliminated, plan: Plan, catalogue: Any) -> Message | None:
    found = relaxation(entry, plan.requirements, catalogue)
    return None if found is None else found.change


def _amount(candidate: Candidate, amount: float) -> Money:
    return Money(Decimal(repr(amount)), candidate.tco.scenario.currency).rounded()
