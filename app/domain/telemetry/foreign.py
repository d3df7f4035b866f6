"""What a file that cannot be read looks like, so that the refusal helps."""

import re

from app.domain.errors import Message, message

SUPPORTED = "nvidia-smi dmon, pmon, --query-gpu (CSV, with its header); dcgmi dmon; dcgm-exporter; amd-smi monitor; npu-smi info watch; nccl-tests; tables of the PyTorch profiler; torch.cuda.memory_summary; out-of-memory messages"

_MAGIC = (
    (b"PK\x03\x04", "zip"),
    (b"%PDF", "pdf"),
    (b"\x89PNG", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF8", "picture"),
    (b"\x7fELF", "program"),
    (b"MZ", "program"),
    (b"SQLite format 3", "sqlite"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"7z\xbc\xaf", "seven_zip"),
    (b"PAR1", "parquet"),
)
_TEXT = (
    (rb"#\s*(?:ppu|npu|ID)\s.*(?:pwr|mclk|gtemp)", "other_vendor"),
    (rb"# (?:HELP|TYPE) \w", "exporter"),
    (rb"^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)?, ", "query_headless"),
    (rb"NVIDIA-SMI\s+\d", "smi_summary"),
    (rb"algbw|nccl-tests|all_reduce_perf", "nccl_tests"),
    (rb"NCCL INFO", "nccl_debug"),
    (rb'"traceEvents"', "chrome_trace"),
    (rb"Self CUDA|Self CPU", "profiler_table"),
    (rb"PyTorch CUDA memory summary", "memory_summary"),
    (rb"CUDA out of memory|OutOfMemoryError", "out_of_memory"),
    (rb"rocm-smi|amd-smi|GFX Activity|VRAM%", "amd"),
    (rb"npu-smi", "npu_smi"),
    (rb"^\s*[\[{]", "json"),
    (rb"<\?xml|<html|<!DOCTYPE", "xml"),
)


def binary_kind(head: bytes) -> Message:
    """The kind of a binary file by its first bytes."""
    return message("looks." + next((kind for magic, kind in _MAGIC if head.startswith(magic)), "binary"))


def text_kind(head: bytes) -> Message:
    """The kind of a text by what stands in its beginning."""
    found = (kind for pattern, kind in _TEXT if re.search(pattern, head[:200_000], re.MULTILINE))
    return message("looks." + next(found, "text"))
