"""`key_averages().table()` of the PyTorch profiler: what the GPU's time went to, by the names of its kernels.

Rows of operators repeat the time of the kernels they start: only rows without time on the CPU are kernels, and only those are added up."""

import re

from app.domain.telemetry.profile import Result
from app.domain.units import ms, percent, us

ROW_LIMIT = 5000
_GAP = re.compile(r"\s{2,}")
_RULE = re.compile(r"^[-\s|]{20,}$")
_TIME = re.compile(r"(\d+(?:\.\d+)?)(us|ms|s)")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)%")
DEVICES = ("Self CUDA", "Self XPU", "Self PrivateUse1", "Self HIP")
LISTED = "listed"
_SECONDS = {"us": us(1), "ms": ms(1), "s": 1.0}
_SPANS = re.compile(
    r"ProfilerStep|nn\.|FullyShardedDataParallel|DistributedDataParallel|Optimizer\.|enumerate\(|##|nccl:|FSDP|autograd::|aten::"
)
_KINDS = (
    ("collectives", re.compile(r"nccl|rccl", re.IGNORECASE)),
    ("copies", re.compile(r"memcpy|memset", re.IGNORECASE)),
    ("products", re.compile(r"gemm|cutlass|cublas|nvjet|xmma|Cijk_", re.IGNORECASE)),
    ("attention", re.compile(r"flash|fmha|attention", re.IGNORECASE)),
)


def read(text: str) -> tuple[Result, ...]:
    """A result for each table that has GPU time."""
    found: list[Result] = []
    columns: list[str] = []
    times: dict[str, float] = {}
    for line in text.split("\n", ROW_LIMIT)[:ROW_LIMIT]:
        cells = _cells(line)
        if "Name" in cells and any(cell.startswith("Self C") for cell in cells):
            _close(times, found)
            columns, times = cells, {}
        elif columns and len(cells) == len(columns) and not _RULE.match(line):
            _add(dict(zip(columns, cells, strict=True)), times)
    _close(times, found)
    return tuple(found)


def _cells(line: str) -> list[str]:
    text = line.strip()
    if text.startswith("|"):
        return [cell.strip() for cell in text.strip("|").split("|")]
    return [cell for cell in _GAP.split(text) if cell]


def _add(row: dict[str, str], times: dict[str, float]) -> None:
    """Adds a kernel: its seconds to the sum, its share of the printed total to its kind, for a table may show only its first rows."""
    device = next((name for name in DEVICES if name in row), None)
    if device is None or _SPANS.match(row["Name"]) or _seconds(row.get("Self CPU", "")) or _seconds(row.get("CPU total", "")):
        return  # an operator, or a span of annotated code laid over the kernels
    seconds, share = _seconds(row[device]), _PERCENT.fullmatch(row.get(f"{device} %", ""))
    if not seconds or share is None:
        return
    kind = next((name for name, pattern in _KINDS if pattern.search(row["Name"])), "other")
    times[kind] = times.get(kind, 0.0) + percent(float(share[1]))
    times[LISTED] = times.get(LISTED, 0.0) + seconds


def _seconds(cell: str) -> float:
    found = _TIME.fullmatch(cell)
    return float(found[1]) * _SECONDS[found[2]] if found is not None and len(cell) < 24 else 0.0


def _close(times: dict[str, float], found: list[Result]) -> None:
    known = sum(share for kind, share in times.items() if kind != LISTED)
    if known > 0:
        shares = {f"{kind}_ratio": min(1.0, times.get(kind, 0.0)) for kind, _ in _KINDS}
        rest = times.get("other", 0.0) + max(0.0, 1 - known)
        found.append(Result(kind="profiler", facts={"listed_gpu_time_s": times[LISTED], **shares, "other_ratio": min(1.0, rest)}))
