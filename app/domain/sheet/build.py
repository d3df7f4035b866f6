"""Puts the sheet together."""

from app.domain.errors import Message, message
from app.domain.intake.summary import summary
from app.domain.sheet.acceptance import criteria
from app.domain.sheet.bill import bill_lines
from app.domain.sheet.closing import assumption_rows, eliminated_rows, risk_rows, signers, source_rows
from app.domain.sheet.configuration import configuration_rows
from app.domain.sheet.cost import cost_section
from app.domain.sheet.expected import estimate_rows
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
    )


def decision(order: SheetOrder) -> Message:
    """The decision in one sentence: what to get, for what, how long it takes, what it costs."""
    chosen, total = order.candidate, order.tco.options[0].total
    what = message("sheet.gpus_in_servers", count=chosen.gpu_count, gpu=chosen.gpu.name, nodes=chosen.node_count, server=chosen.server.name)
    need = summary(order.plan.requirements)
    years = order.tco.scenario.years
    if chosen.duration_s is not None:
        return message("sheet.decision_run", what=what, need=need, duration_s=chosen.duration_s.typical, total=said(total), years=years)
    return message("sheet.decision", what=what, need=need, total=said(total), years=years)
