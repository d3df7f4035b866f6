"""PyTorch's out-of-memory messages in every wording since 1.0, for CUDA, HIP, XPU and NPU, one or many in a log."""

import re

from app.domain.telemetry.profile import Result
from app.domain.telemetry.results.sizes import in_gib

MESSAGE_LIMIT = 200
REACH = 1500  # characters of a message that are looked at
_SIZE = r"([\d.]+)\s*(bytes|B|KiB|MiB|GiB|KB|MB|GB)"
_START = re.compile(rf"out of memory\.\s+Tried to allocate {_SIZE}", re.IGNORECASE)
_FACTS = {
    "capacity_gib": re.compile(rf"(?:total capac?i?ty of {_SIZE}|{_SIZE} total capac?i?ty)", re.IGNORECASE),
    "free_gib": re.compile(rf"(?:of which {_SIZE} is free|{_SIZE} free)", re.IGNORECASE),
    "allocated_gib": re.compile(rf"(?:allocated memory {_SIZE} is allocated by PyTorch|{_SIZE} already allocated)", re.IGNORECASE),
    "reserved_gib": re.compile(rf"{_SIZE} (?:reserved in total by PyTorch|cached)", re.IGNORECASE),
    "unallocated_gib": re.compile(rf"{_SIZE} is reserved by PyTorch but unallocated", re.IGNORECASE),
    "process_gib": re.compile(rf"this process has {_SIZE} memory in use", re.IGNORECASE),
}
_GPU = re.compile(r"\b(?:GPU|NPU|XPU)\s+(\d{1,3})\b")
_OTHERS = re.compile(rf"Process (\d+) has {_SIZE} memory in use", re.IGNORECASE)


def read(text: str) -> tuple[Result, ...]:
    """A result for each message."""
    starts = [found for found, _ in zip(_START.finditer(text), range(MESSAGE_LIMIT), strict=False)]
    if not starts:
        return ()
    ends = [*(found.start() for found in starts[1:]), len(text)]
    return tuple(
        result
        for found, end in zip(starts, ends, strict=True)
        if (result := _message(found, text[found.start() : min(end, found.start() + REACH)])) is not None
    )


def _message(found: "re.Match[str]", text: str) -> Result | None:
    requested = _size(found.groups())
    if requested is None:
        return None
    facts: dict[str, float | str | int] = {"requested_gib": requested}
    for name, pattern in _FACTS.items():
        if (match := pattern.search(text)) is not None and (size := _size(match.groups())) is not None:
            facts[name] = size
    if "reserved_gib" not in facts and "allocated_gib" in facts and "unallocated_gib" in facts:
        facts["reserved_gib"] = float(facts["allocated_gib"]) + float(facts["unallocated_gib"])
    if "unallocated_gib" not in facts and "reserved_gib" in facts and "allocated_gib" in facts:
        facts["unallocated_gib"] = max(0.0, float(facts["reserved_gib"]) - float(facts["allocated_gib"]))
    if (gpu := _GPU.search(text)) is not None:
        facts["gpu"] = int(gpu[1])
    others = [size for match in _OTHERS.finditer(text) if (size := _size(match.groups()[1:])) is not None]
    if "process_gib" not in facts and "reserved_gib" in facts and others:  # the message then lists its own process among them
        own = min(others, key=lambda size: abs(size - float(facts["reserved_gib"])))
        facts["process_gib"] = own
        others.remove(own)
    if others:
        facts["processes_gib"] = sum(others)
    return Result(kind="out-of-memory", facts=facts)


def _size(groups: "tuple[str | None, ...]") -> float | None:
    number, unit = [group for group in groups if group is not None][:2]
    try:
        return in_gib(number, unit)
    except ValueError:
        return None
