"""What was not chosen, what was assumed and by whom to be confirmed, what may go wrong, and what everything rests on."""

from collections.abc import Iterator

from app.domain.catalogue.prices import PurchasePrice, RentalPrice
from app.domain.catalogue.source import Source
from app.domain.cost.quotes import months_of, newest_on, reference_price, rent_price
from app.domain.cost.scenario import Commitment
from app.domain.errors import DataMissing, Message, message
from app.domain.sheet.order import SheetOrder
from app.domain.sheet.types import AssumptionRow, EliminatedRow, RiskRow, SourceRow

OWNERS = {  # the first part of a field's path → who knows it
    "operations": "operations",
    "software": "tech_lead",
    "data": "tech_lead",
    "model": "tech_lead",
    "training": "tech_lead",
    "inference": "tech_lead",
    "train": "tech_lead",
    "infer": "tech_lead",
    "discount_rate": "finance",
    "residual": "finance",
    "tax": "finance",
    "fx": "finance",
    "currency": "finance",
    "years": "finance",
    "capex": "purchasing",
    "price_per_gpu_hour": "purchasing",
    "electricity_per_kwh": "operations",
    "pue": "operations",
    "maintenance_ratio_per_year": "purchasing",
}
OLD_MONTHS = 18  # prices of accelerators halve in about two (residual rows of the cost factors)
SIGNERS = ("tech_lead", "operations", "finance", "purchasing")


def eliminated_rows(order: SheetOrder) -> tuple[EliminatedRow, ...]:
    """Every reason with its count, an example and what was missing."""
    return tuple(
        EliminatedRow(
            rule=entry.rule,
            reason=entry.reason,
            count=entry.count,
            example=entry.gpu if entry.server is None else f"{entry.gpu} / {entry.server}",
            short_by=entry.short_by,
        )
        for entry in order.plan.eliminated
    )


def assumption_rows(order: SheetOrder) -> tuple[AssumptionRow, ...]:
    """Assumptions of the intake, the estimate and the cost, each once, with the role that must confirm it."""
    rows: dict[tuple[str, str], AssumptionRow] = {}
    for assumption in (*order.plan.assumptions, *order.candidate.estimate.assumptions, *order.tco.assumptions):
        key = (assumption.field, assumption.why.code)
        rows.setdefault(
            key, AssumptionRow(field=assumption.field, value=assumption.value, why=assumption.why, owner=owner_of(assumption.field))
        )
    return tuple(rows.values())


def owner_of(field: str) -> Message:
    """The role that knows a field."""
    return message(f"sheet.owner.{OWNERS.get(field.split('.')[0].split('[')[0], 'tech_lead')}")


def risk_rows(order: SheetOrder) -> tuple[RiskRow, ...]:
    """What is given up, found and doubted; and what to check again before ordering (002)."""
    chosen = order.candidate
    return (
        *(RiskRow(rule="", severity="warning", text=text) for text in chosen.compromises),
        *(RiskRow(rule=found.rule, severity=found.severity, text=found.text, evidence=found.evidence) for found in chosen.findings),
        *(RiskRow(rule="", severity="warning", text=doubt.text) for doubt in order.plan.requirements.contradictions),
        *(RiskRow(rule="", severity="note", text=text) for text in order.plan.advice),
        *(RiskRow(rule="", severity="note", text=table.why) for table in order.plan.tables if not table.agrees),
        *_old_price(order),
        RiskRow(rule="R-S9", severity="note", text=message("sheet.recheck")),
    )


def _old_price(order: SheetOrder) -> Iterator[RiskRow]:
    """A price that is older than a year and a half is a doubt of its own."""
    rows = [row for row in _price_rows(order) if isinstance(row, PurchasePrice)]
    if not rows:
        return
    on = newest_on(rows)
    months = months_of(order.issued_at) - months_of(on)
    if months > OLD_MONTHS:
        yield RiskRow(rule="", severity="warning", text=message("sheet.old_price", on=on, months=months))


def source_rows(order: SheetOrder) -> tuple[SourceRow, ...]:
    """The facts' citations and the price rows', each once."""
    seen: dict[tuple[str, str], SourceRow] = {}
    for source, on in _sources(order):
        seen.setdefault((source.title, on), SourceRow(title=source.title, url=source.url, on=on))
    return tuple(seen.values())


def _sources(order: SheetOrder) -> Iterator[tuple[Source, str]]:
    chosen = order.candidate
    yield chosen.gpu.source, chosen.gpu.source.on
    yield chosen.server.source, chosen.server.source.on
    model = order.plan.requirements.model
    if model is not None:
        yield model.source, model.source.on
    for row in _price_rows(order):
        yield row.source, row.on


def _price_rows(order: SheetOrder) -> Iterator[PurchasePrice | RentalPrice]:
    scenario, gpu = order.tco.scenario, order.candidate.gpu
    try:
        yield from reference_price(gpu, order.catalogue, scenario.currency, scenario.fx).rows
        yield from rent_price(gpu, order.catalogue, scenario.currency, scenario.fx, Commitment.ON_DEMAND).rows
    except DataMissing:
        return


def signers() -> tuple[Message, ...]:
    """Who signs."""
    return tuple(message(f"sheet.owner.{role}") for role in SIGNERS)
