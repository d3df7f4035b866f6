"""The cost of a project in one line, stored when it changes so that lists need not plan again."""

from datetime import date
from decimal import Decimal
from uuid import UUID

from app.db import costs
from app.db.costs import CostSummary
from app.db.engine import Session
from app.domain.cost import Kind, TcoResult, evaluate
from app.domain.cost.inputs import of_configuration, with_overrides
from app.domain.cost.rounding import cents
from app.domain.errors import Message, message
from app.domain.money import Currency, Money
from app.domain.selection import Candidate
from app.seeds import default_fx

NEVER = "cost.never_breaks_even"


def remember(session: Session, project_id: UUID, candidate: Candidate) -> None:
    """Stores the line of a configuration with the project's overrides."""
    overrides = of_configuration(costs.of_project(session, project_id), candidate.configuration)
    costs.store_summary(session, project_id, summary_of(evaluate(with_overrides(candidate.sourced, overrides))))


def summary_of(tco: TcoResult) -> CostSummary:
    """Owning over the plan, and how it compares with renting where somebody rents such GPUs out."""
    owned = tco.options[0]
    comparison = tco.comparisons[0] if tco.comparisons else None
    reason = comparison.reasons.get("break_even_utilisation") if comparison else None
    return CostSummary(
        currency=tco.scenario.currency.value,
        total=owned.total.amount,
        low=cents(Decimal(repr(owned.range.p10))),
        high=cents(Decimal(repr(owned.range.p90))),
        month_count=tco.scenario.month_count,
        break_even_ratio=comparison.break_even_utilisation if comparison else None,
        cheaper=str(reason.params["name"]) if reason is not None and reason.code == NEVER else None,
    )


def said(session: Session, project_id: UUID) -> tuple[Message, Message | None] | None:
    """The stored line, in the other currency as well at the latest known rate, and the remark below it, which says so where answers changed
    since; None: nothing was chosen yet."""
    summary = costs.find_summary(session, project_id)
    if summary is None:
        return None
    code, fx = summary.currency.lower(), default_fx(date.max)
    there = fx.elsewhere(Money(summary.total, Currency(summary.currency)))
    amounts = {f"{name}_{code}": float(getattr(summary, name)) for name in ("total", "low", "high")}
    amounts[f"total_{there.currency.value.lower()}"] = float(there.amount)
    line = message(f"cost.rail_{code}", **amounts, years=summary.month_count / 12)
    if costs.is_behind_answers(session, project_id):
        return line, message("cost.rail_behind")
    if summary.break_even_ratio is not None:
        return line, message("cost.rail_break_even", use_ratio=summary.break_even_ratio)
    if summary.cheaper is not None:
        return line, message("cost.rail_buy" if summary.cheaper != Kind.RENT.value else "cost.rail_rent")
    return line, None
