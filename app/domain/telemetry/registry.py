"""The formats that can be read. A new one is a module in `formats` and a line here."""

from app.domain.telemetry.format import Format
from app.domain.telemetry.formats import dcgmi, dmon, exporter, pmon, query, vendors

FORMATS: tuple[Format, ...] = (
    dmon.FORMAT,
    query.FORMAT,
    pmon.FORMAT,
    dcgmi.FORMAT,
    exporter.FORMAT,
    vendors.AMD_SMI,
    vendors.NPU_SMI,
)
