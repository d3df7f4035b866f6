"""What to ask of the room that the machines will stand in, one's own or a host's, each with the paper that proves it (handbook §8, 001)."""

from app.domain.errors import Message, message
from app.domain.sheet.order import SheetOrder
from app.domain.sheet.types import BillLine, HostingRow


def hosting_rows(order: SheetOrder) -> tuple[HostingRow, ...]:
    """Racks, power, cooling, licences, switchover, monitoring; nothing for what stands beside a desk."""
    chosen = order.candidate
    if chosen.server.is_desk_side:
        return ()
    return (
        _row("racks", _racks(order)),
        _row(
            "power", message("sheet.hosting.power_asked", peak_w=chosen.peak_w) if chosen.peak_w else message("sheet.hosting.peak_unknown")
        ),
        _row("cooling", _cooling(order)),
        _row("licences", message("sheet.hosting.licences_asked")),
        _row("switchover", message("sheet.hosting.switchover_asked")),
        _row("monitoring", message("sheet.hosting.monitoring_asked")),
    )


def rack_line(order: SheetOrder) -> BillLine | None:
    """The racks that the machines fill, for the bill: without a price, because a host's fee may hold them already."""
    racks = order.candidate.racks
    if racks is None:
        return None
    said = message("sheet.hosting.rack_line", limit_w=racks.limit_w)
    return BillLine(item=message("cost.rack"), description=said, quantity=float(racks.count), unit_price=None, total=None, source="R-S4")


def _racks(order: SheetOrder) -> Message:
    racks = order.candidate.racks
    if racks is None:
        return message("sheet.hosting.peak_unknown")
    code = "sheet.hosting.racks_assumed" if racks.is_limit_assumed else "sheet.hosting.racks_stated"
    per_rack = min(racks.nodes_per_rack, order.candidate.node_count)
    return message(code, racks=racks.count, servers=per_rack, draw_w=per_rack * racks.node_peak_w, limit_w=racks.limit_w)


def _cooling(order: SheetOrder) -> Message:
    server = order.candidate.server
    how = message(f"sheet.cooling.{server.cooling}") if server.cooling in ("air", "liquid", "either") else server.cooling
    if order.candidate.peak_w is None:
        return message("sheet.hosting.cooling_unknown", how=how)
    return message("sheet.hosting.cooling_asked", heat_w=order.candidate.peak_w, how=how)


def _row(key: str, asked: Message) -> HostingRow:
    return HostingRow(topic=message(f"sheet.hosting.{key}"), asked=asked, evidence=message(f"sheet.hosting.{key}_evidence"))
