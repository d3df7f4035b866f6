"""What has to be ordered."""

from app.domain.cost import OptionResult
from app.domain.errors import message
from app.domain.money import Money, zero
from app.domain.selection import Candidate
from app.domain.sheet.hosting import rack_line
from app.domain.sheet.order import SheetOrder
from app.domain.sheet.types import BillLine

UNPRICED = ("storage", "software")


def bill_lines(order: SheetOrder) -> tuple[tuple[BillLine, ...], Money | None]:
    """The purchases of the owned option, and what has no price yet; the total is the sum of the rounded lines."""
    owned = next((option for option in order.tco.options if option.option.capex), None)
    if owned is None:
        return (), None
    lines = tuple(_lines(owned, order))
    total = zero(order.tco.scenario.currency)
    for line in lines:
        total = total + line.total if line.total is not None else total
    wanted = tuple(
        BillLine(item=message(f"cost.{key}"), description=message("sheet.quote_wanted"), quantity=1.0, unit_price=None, total=None)
        for key in UNPRICED
        if f"cost.{key}" not in {line.item.code for line in lines}
    )
    rack = rack_line(order) if "cost.rack" not in {line.item.code for line in lines} else None
    return (*lines, *([rack] if rack else []), *wanted), total


def _lines(owned: OptionResult, order: SheetOrder) -> list[BillLine]:
    scenario = order.tco.scenario
    lines = []
    for item in owned.option.capex:
        unit_price = scenario.fx.convert(item.unit_price, scenario.currency)
        total = unit_price.times(item.quantity).rounded()
        known = item.item in ("gpu", "server", "network", "spares", "storage", "rack")
        lines.append(
            BillLine(
                item=message(f"cost.{item.item}") if known else message("sheet.text", text=item.item),
                description=_description(item.item, order.candidate),
                quantity=float(item.quantity),
                unit_price=unit_price.rounded(),
                total=total,
                source=item.source,
            )
        )
    return lines


def _description(item: str, chosen: Candidate) -> str:
    if item == "gpu":
        return chosen.gpu.name
    if item in ("server", "spares"):
        return chosen.server.name
    return chosen.server.nic_default if item == "network" else ""
