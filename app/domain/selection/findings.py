"""What a buyer must know about a candidate beside its figures: rules of handbook §6 that warn without eliminating."""

from collections.abc import Iterator

from app.domain.capacity import Hardware
from app.domain.errors import message
from app.domain.estimate import Finding
from app.domain.intake import Requirements
from app.domain.selection.need import input_s
from app.domain.selection.options import Option, is_confirmed
from app.domain.selection.policy import Policy
from app.domain.workload import LinkKind


def option_findings(
    option: Option, hardware: Hardware, needs: Requirements, samples_per_s: float | None, policy: Policy
) -> Iterator[Finding]:
    """Warnings and notes about one option."""
    gpu, server = option.gpu, option.server
    if needs.training is not None and option.gpu_count >= policy.nvlink_from_count and hardware.link is LinkKind.PCIE:
        yield Finding(rule="R-S2", severity="warning", text=message("selection.no_nvlink", cards=option.gpu_count))
    if needs.training is not None and server.max_memory_bytes is not None and server.max_memory_bytes < policy.host_memory_floor_bytes:
        yield Finding(rule="R-S1", severity="warning", text=message("selection.host_memory", memory_bytes=server.max_memory_bytes))
    if not is_confirmed(gpu, server):
        yield Finding(rule="R-S4", severity="warning", text=message("selection.unconfirmed", server=server.name))
    if gpu.market_class == "consumer":
        yield Finding(rule="R-S6", severity="note", text=message("selection.consumer_note"))
    if gpu.export_control_note:
        yield Finding(rule="R-S4", severity="note", text=message("selection.export", note=gpu.export_control_note))
    if server.cooling == "liquid":
        yield Finding(rule="R-S4", severity="note", text=message("selection.needs_liquid"))
    if samples_per_s is not None and needs.data.sample_bytes is not None:
        yield _input_finding(samples_per_s * needs.data.sample_bytes, needs)


def _input_finding(required_bytes_per_s: float, needs: Requirements) -> Finding:
    """R-T6: what the pipeline must deliver, against what the storage does."""
    storage = needs.data.storage_bytes_per_s
    if storage is None:
        return Finding(rule="R-T6", severity="note", text=message("selection.input_needed", needed_bytes_per_s=required_bytes_per_s))
    severity = "warning" if required_bytes_per_s > storage else "note"
    code = "selection.input_short" if required_bytes_per_s > storage else "selection.input_enough"
    text = message(code, needed_bytes_per_s=required_bytes_per_s, storage_bytes_per_s=storage)
    return Finding(rule="R-T6", severity=severity, text=text, evidence=message("selection.input_time", took_s=input_s(needs) or 0.0))
