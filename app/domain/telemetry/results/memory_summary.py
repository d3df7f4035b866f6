"""`torch.cuda.memory_summary()` in both unit styles, and the line that Megatron-LM prints for each rank."""

import re

from app.domain.telemetry.profile import Result
from app.domain.telemetry.results.sizes import in_gib

TABLE_LIMIT = 512
_TITLE = re.compile(r"PyTorch CUDA memory summary, device ID (\d{1,4})")
_TROUBLE = re.compile(r"CUDA OOMs:\s*(\d{1,12}).*?cudaMalloc retries:\s*(\d{1,12})")
_LINE = re.compile(r"\|\s*(Allocated memory|Active memory|Requested memory|GPU reserved memory|Non-releasable memory)\s*\|(.*)")
_SIZE = re.compile(r"(\d{1,20})\s*([KMG]?i?B)\b")
_MEGATRON = re.compile(
    r"\[Rank (\d{1,6})\].{0,60}?memory \(MB\) \| allocated: ([\d.]+) \| max allocated: ([\d.]+) \| reserved: ([\d.]+) \| max reserved: ([\d.]+)"
)
NAMES = {
    "Allocated memory": "allocated",
    "Active memory": "active",
    "Requested memory": "requested",
    "GPU reserved memory": "reserved",
    "Non-releasable memory": "non_releasable",
}


def read(text: str) -> tuple[Result, ...]:
    """A result for each table, and for each rank."""
    found = [_table(part, title) for part, title in _parts(text)]
    for match in list(_MEGATRON.finditer(text))[:TABLE_LIMIT]:
        sizes = [in_gib(number, "MiB") if number.replace(".", "", 1).isdigit() else None for number in match.groups()[1:]]
        names = ("allocated_gib", "allocated_peak_gib", "reserved_gib", "reserved_peak_gib")
        facts = {name: size for name, size in zip(names, sizes, strict=True) if size is not None}
        found.append(Result(kind="memory-summary", facts={"rank": int(match[1]), **facts}))
    return tuple(result for result in found if len(result.facts) > 1)


def _parts(text: str) -> list[tuple[str, "re.Match[str]"]]:
    titles = list(_TITLE.finditer(text))[:TABLE_LIMIT]
    if not titles:
        return []
    ends = [*(title.start() for title in titles[1:]), len(text)]
    return [(text[title.end() : end], title) for title, end in zip(titles, ends, strict=True)]


def _table(text: str, title: "re.Match[str]") -> Result:
    facts: dict[str, float | str | int] = {"device": int(title[1])}
    if (trouble := _TROUBLE.search(text)) is not None:
        facts |= {"ooms": int(trouble[1]), "retries": int(trouble[2])}
    for line in _LINE.finditer(text):
        name, sizes = NAMES[line[1]], [in_gib(*cell) for cell in _SIZE.findall(line[2])[:2]]
        if len(sizes) == 2 and None not in sizes and f"{name}_gib" not in facts:
            facts |= {f"{name}_gib": sizes[0] or 0.0, f"{name}_peak_gib": sizes[1] or 0.0}
    return Result(kind="memory-summary", facts=facts)
