"""Whether a text holds a dmon log, judged by its lines."""

import re

from app.domain.telemetry.cleaning import cells, cleaned
from app.domain.telemetry.formats.dmon.collapsed import is_collapsed
from app.domain.telemetry.formats.dmon.layout import read_header

_GPU = re.compile(rb"\bgpu\b", re.IGNORECASE)
ENOUGH = 8


def sniff(head: bytes) -> int:
    """The number of dmon headers in the text, or `ENOUGH`."""
    count = line_end = 0
    for found in _GPU.finditer(head):
        if found.start() < line_end:
            continue  # in the line that was just read
        line_end = head.find(b"\n", found.end()) % (len(head) + 1)
        text = head[head.rfind(b"\n", 0, found.start()) + 1 : line_end].decode("utf-8", "replace")
        line = cleaned(text)
        if is_collapsed(text) or read_header(cells(line)) or read_header(line.replace(",", " ").split()):
            count += 1
        if count == ENOUGH:
            break
    return count
