"""Puts the sheet together."""

from app.domain.cost import Kind
from app.domain.errors import Message, message
from app.domain.intake.summary import summary
from app.domain.sheet.acceptance import criteria
from app.domain.sheet.bill import bill_lines
from app.domain.sheet.closing import assumption_rows, eliminated_rows, risk_rows, signers, source_rows
from app.domain.sheet.configuration import configuration_rows
from app.domain.sheet.cost import cost_section
from app.domain.sheet.expected import estimate_rows
from app.domain.sheet.hosting import hosting_rows
from app.domain.sheet.need import need_rows
from app.domain.sheet.order import SheetOrder
from app.domain.sheet.rows import said
from app.domain.sheet.types import ConfigurationSheet


def build_sheet(order: SheetOrder) -> ConfigurationSheet:
    """Every section of handbook §8. The same order makes the same sheet."""
    bill, bill_total = bill_lines(order)
    return ConfigurationSheet(
        project=order.project,
        number=order.number,
        issued_at=order.issued_at,
        issued_by=order.issued_by,
        revisions=order.revisions,
        decision=decision(order),
        need=need_rows(order.plan),
        configuration=configuration_rows(order),
        bill=bill,
        bill_total=bill_total,
        estimate=estimate_rows(order.candidate),
        acceptance=criteria(order),
        cost=cost_section(order.tco, order.overrides),
        searched_count=order.plan.searched,
        eliminated=eliminated_rows(order),
        assumptions=assumption_rows(order),
        risks=risk_rows(order),
        sources=source_rows(order),
        derivation=order.candidate.estimate.derivation,
        sign_off=signers(),
        inputs=dict(order.inputs),
        hosting=hosting_rows(order),
    )


def decision(order: SheetOrder) -> Message:
    """The decision in one sentence: buy, buy for somebody else's racks, or rent what, for what, how long it takes, what it costs, and what the other way would cost."""
    chosen, options = order.candidate, order.tco.options
    cheapest = min(options, key=lambda option: option.npv.amount)
    other = next((option for option in options if option.option.is_owned is not cheapest.option.is_owned), None)
    way = {Kind.RENT: "rent", Kind.COLOCATE: "colocate"}.get(cheapest.option.kind, "buy")
    what = message(
        "sheet.gpus" if way == "rent" else "sheet.gpus_in_servers",
        count=chosen.gpu_count,
        gpu=chosen.gpu.name,
        nodes=chosen.node_count,
        server=chosen.server.name,
    )
    return message(
        f"sheet.decision_{way}",
        what=what,
        need=summary(order.plan.requirements),
        run=message("sheet.decision_run", duration_s=chosen.duration_s.typical) if chosen.duration_s is not None else None,
        total=said(cheapest.total),
        years=order.tco.scenario.years,
        other=message("sheet.decision_other_rent" if way == "rent" else "sheet.decision_other_buy", total=said(other.total))
        if other is not None
        else None,
    )
