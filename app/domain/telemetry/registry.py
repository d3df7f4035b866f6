"""The formats that can be read. A new one is a folder in `formats` and a line here."""

from app.domain.telemetry.format import Format
from app.domain.telemetry.formats import dmon

FORMATS: tuple[Format, ...] = (dmon.FORMAT,)
