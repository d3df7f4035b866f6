"""What a sheet says, held against the plan and the cost it was made from."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.domain.cost import Kind, evaluate
from app.domain.cost.offers import colocated_option, plan_scenario
from app.domain.errors import Message, message
from app.domain.selection.plan import TableAnswer
from app.domain.sheet import Quantity, Row, build_sheet
from app.domain.sheet.build import decision
from app.text.render import render
from tests.factories.sheets import an_order, the_sheet


def labelled(rows: tuple[Row, ...]) -> dict[str, Row]:
    return {row.label.code.removeprefix("sheet."): row for row in rows}


def test_configuration_names_every_part_of_the_handbook() -> None:
    parts = labelled(the_sheet().configuration)
    assert set(parts) >= {
        "gpu",
        "server",
        "cpu",
        "host_memory",
        "nvme",
        "network",
        "power",
        "rack",
        "driver",
        "cuda",
        "framework",
        "storage_rate",
        "storage_size",
        "acceleration",
    }


def test_one_sentence_decides_for_the_cheaper_way() -> None:
    order = an_order()
    own, rented = order.tco.options
    assert rented.npv < own.npv
    assert the_sheet().decision.code == "sheet.decision_rent"
    scenario = replace(order.tco.scenario, options=(own.option,))
    assert build_sheet(replace(order, tco=evaluate(scenario))).decision.code == "sheet.decision_buy"


def test_bill_adds_up_to_the_purchases() -> None:
    sheet, own = the_sheet(), an_order().tco.options[0]
    priced = [line for line in sheet.bill if line.total is not None]
    assert sheet.bill_total is not None
    assert sum((line.total.amount for line in priced if line.total), Decimal(0)) == sheet.bill_total.amount
    assert sheet.bill_total.amount == sum((line.total.amount for line in own.lines if line.key in ("gpu", "server")), Decimal(0))
    assert {line.item.code for line in sheet.bill if line.total is None} == {"cost.storage", "cost.software", "cost.rack"}


def test_hosting_checklist_asks_for_what_the_machines_need() -> None:
    chosen, sheet = an_order().candidate, the_sheet()
    assert [row.topic.code.rpartition(".")[2] for row in sheet.hosting] == [
        "racks",
        "power",
        "cooling",
        "licences",
        "switchover",
        "monitoring",
    ]
    racks, power, cooling, *_ = sheet.hosting
    assert chosen.racks is not None
    assert racks.asked.params["racks"] == chosen.rack_count
    assert power.asked.params["peak_w"] == cooling.asked.params["heat_w"] == chosen.peak_w
    assert all(row.evidence.code == f"{row.topic.code}_evidence" for row in sheet.hosting)


def test_racks_stand_on_the_bill_as_many_as_the_room_needs() -> None:
    order = an_order()
    racks = order.candidate.racks
    assert racks is not None
    for count in (racks.count, racks.count + 3):
        sheet = build_sheet(replace(order, candidate=replace(order.candidate, racks=replace(racks, count=count))))
        assert [line.quantity for line in sheet.bill if line.item.code == "cost.rack"] == [count]


def test_what_stands_beside_a_desk_needs_no_rack_and_no_host() -> None:
    order = an_order()
    desk = replace(order.candidate, server=replace(order.candidate.server, name="HP Z8 workstation", rack_units=None), racks=None)
    sheet = build_sheet(replace(order, candidate=desk))
    assert sheet.hosting == ()
    assert "cost.rack" not in {line.item.code for line in sheet.bill}


def test_cost_columns_repeat_the_engine() -> None:
    sheet = the_sheet()
    for column, option in zip(sheet.cost.columns, an_order().tco.options, strict=True):
        assert (column.total, column.npv, column.capex, column.opex) == (option.total, option.npv, option.capex, option.opex)
    for index, column in enumerate(sheet.cost.columns):
        cells = [row.cells[index] for row in sheet.cost.rows]
        assert sum((cell.amount.amount for cell in cells if cell), Decimal(0)) == column.total.amount
        assert all(cell.derivation for cell in cells if cell)


def test_acceptance_limits_the_estimate_and_names_a_command() -> None:
    order = an_order()
    criteria = {criterion.name.code.removeprefix("sheet."): criterion for criterion in the_sheet().acceptance}
    assert set(criteria) == {"step_time", "memory_device", "collective_share", "bus_bandwidth", "temperature", "node_power"}
    memory = order.candidate.estimate.memory
    assert memory is not None
    assert memory.capacity_bytes is not None
    assert criteria["memory_device"].limit.estimate.typical == min(memory.device_bytes.high, memory.capacity_bytes)
    assert criteria["collective_share"].limit.estimate.typical == 0.15
    assert criteria["temperature"].limit.estimate.typical == 85
    assert not criteria["bus_bandwidth"].is_upper
    assert all(criterion.command for criterion in criteria.values())


def test_a_single_gpu_has_no_communication_to_accept() -> None:
    order = an_order()
    alone = replace(order.candidate, gpu_count=1)
    codes = {criterion.name.code for criterion in build_sheet(replace(order, candidate=alone)).acceptance}
    assert not codes & {"sheet.bus_bandwidth", "sheet.collective_share"}


def test_every_elimination_keeps_its_count() -> None:
    sheet, plan = the_sheet(), an_order().plan
    assert [(row.reason, row.count) for row in sheet.eliminated] == [(entry.reason, entry.count) for entry in plan.eliminated]
    assert sheet.searched_count == plan.searched


def test_every_assumption_has_one_owner_and_stands_once() -> None:
    rows = the_sheet().assumptions
    assert len({(row.field, row.why.code) for row in rows}) == len(rows)
    owners = {row.field: row.owner.code for row in rows}
    assert owners["discount_rate"] == "sheet.owner.finance"
    assert owners["operations.rack_kw"] == "sheet.owner.operations"
    assert owners["price_per_gpu_hour"] == "sheet.owner.purchasing"


def test_sources_are_cited_once_with_their_dates() -> None:
    sources = the_sheet().sources
    assert len({(source.title, source.on) for source in sources}) == len(sources)
    assert all(source.on for source in sources)


def test_overrides_are_named() -> None:
    assert build_sheet(an_order(overrides=("own.pue",))).cost.overrides == ("own.pue",)


def test_the_same_order_makes_the_same_sheet() -> None:
    assert build_sheet(an_order()) == build_sheet(an_order())


def test_estimates_open_the_step_that_made_them() -> None:
    rows = labelled(the_sheet().estimate)
    for key in ("memory_device", "step_time", "mfu"):
        assert isinstance(rows[key].value, Quantity)
        assert rows[key].step is not None, key


def test_everything_on_the_sheet_can_be_said_in_both_languages() -> None:
    def said(value: object) -> None:
        if isinstance(value, Message):
            assert render(value, "en").strip()
            assert render(value, "zh_CN").strip()
        elif isinstance(value, tuple | list):
            for entry in value:
                said(entry)
        elif hasattr(value, "__dataclass_fields__"):
            for name in value.__dataclass_fields__:
                said(getattr(value, name))

    said(the_sheet())


def test_another_rate_changes_the_present_value_only() -> None:
    order = an_order()
    scenario = order.tco.scenario
    dear = plan_scenario(scenario.options, order.catalogue, scenario.currency, scenario.years, scenario.fx, 0.2)
    column, before = build_sheet(replace(order, tco=evaluate(dear))).cost.columns[0], the_sheet().cost.columns[0]
    assert column.total == before.total
    assert column.npv != before.npv


def test_sums_open_the_steps_that_made_them() -> None:
    for column in the_sheet().cost.columns:
        for key, money in (("total", column.total), ("capex", column.capex), ("opex", column.opex), ("npv", column.npv)):
            step = column.step(key)
            assert step is not None
            assert step.result == float(money.amount)
        present = column.step("npv")
        assert present is not None
        start, monthly, annuity, dated, _ = (float(entry.value) for entry in present.inputs)
        assert start + monthly * annuity + dated == pytest.approx(float(column.npv.amount), abs=0.01)


def test_an_old_price_is_a_risk() -> None:
    codes = [
        {risk.text.code for risk in build_sheet(an_order(issued_at=at)).risks}
        for at in ("2023-12-01T00:00:00+00:00", "2026-11-30T00:00:00+00:00")
    ]
    assert "sheet.old_price" not in codes[0]
    assert "sheet.old_price" in codes[1]


def test_decision_names_the_way_that_costs_least() -> None:
    """Whatever kind comes out cheapest, the sentence is of that kind."""
    order = an_order()
    scenario, chosen = order.tco.scenario, order.candidate
    racks = colocated_option(scenario.options[0], chosen.server, chosen.node_count, order.catalogue, scenario.currency)
    assert racks is not None
    tco = evaluate(replace(scenario, options=(*scenario.options, racks)))
    found = {}
    for cheapest in tco.options:
        nothing = replace(cheapest, npv=cheapest.npv.times(0))
        options = tuple(nothing if option is cheapest else option for option in tco.options)
        found[cheapest.option.kind] = decision(replace(order, tco=replace(tco, options=options))).code
    assert found == {Kind.BUY: "sheet.decision_buy", Kind.RENT: "sheet.decision_rent", Kind.COLOCATE: "sheet.decision_colocate"}


def test_racks_and_disagreeing_tables_stand_on_the_sheet() -> None:
    order = an_order()
    rack = labelled(build_sheet(order).configuration)["rack"]
    assert rack.note is not None
    assert order.candidate.rack_count == 1
    assert (rack.note.code, rack.note.params["racks"]) == ("sheet.rack_count", 1)
    answer = TableAnswer(row=order.plan.tables[0].row, agrees=False, why=message("selection.table_silent", said="x"))
    sheet = build_sheet(replace(order, plan=replace(order.plan, tables=(answer, replace(answer, agrees=True)))))
    assert [risk.text for risk in sheet.risks].count(answer.why) == 1
