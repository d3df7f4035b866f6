"""`nvidia-smi dmon` in all its layouts, as files or as pasted text.

`layout` reads header lines, `lines` reads one line in any state, `fixed`
reads thousands of aligned lines at once, and `window` and `reader` play them together: what `fixed` cannot verify, `lines` decides."""

from app.domain.telemetry.format import Format
from app.domain.telemetry.formats.dmon.reader import parse
from app.domain.telemetry.formats.dmon.sniffing import sniff

FORMAT = Format(key="nvidia-smi-dmon", sniff=sniff, parse=parse)
