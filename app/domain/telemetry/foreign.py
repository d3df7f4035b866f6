"""What a file that cannot be read looks like, so that the refusal helps."""

import re

SUPPORTED = "nvidia-smi dmon"

_MAGIC = (
    (b"PK\x03\x04", "a ZIP archive or an Office file"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3", "a SQLite database (an Nsight Systems export, perhaps)"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"PAR1", "a Parquet file"),
)
_TEXT = (
    (rb"#\s*gpu\s+pid\s+type", "nvidia-smi pmon"),
    (rb"#\s*Entity\s+\w", "dcgmi dmon"),
    (rb"#\s*(?:ppu|npu|ID)\s.*(?:pwr|mclk|gtemp)", "the monitor of another vendor's accelerator"),
    (rb"DCGM_FI_|# (?:HELP|TYPE) \w", "a Prometheus exposition, as dcgm-exporter writes it"),
    (rb"utilization\.gpu|memory\.used \[MiB\]|power\.draw|temperature\.gpu", "nvidia-smi --query-gpu in CSV form"),
    (rb"NVIDIA-SMI\s+\d", "the summary page of nvidia-smi"),
    (rb"algbw|nccl-tests|all_reduce_perf", "the results of nccl-tests"),
    (rb"NCCL INFO", "a debug log of NCCL"),
    (rb'"traceEvents"', "a Chrome trace, as the PyTorch profiler writes it"),
    (rb"Self CUDA|Self CPU", "a table of the PyTorch profiler"),
    (rb"PyTorch CUDA memory summary", "torch.cuda.memory_summary"),
    (rb"CUDA out of memory|OutOfMemoryError", "an out-of-memory message"),
    (rb"rocm-smi|amd-smi|GFX Activity|VRAM%", "output of an AMD tool"),
    (rb"npu-smi", "output of npu-smi"),
    (rb"^\s*[\[{]", "JSON"),
    (rb"<\?xml|<html|<!DOCTYPE", "XML or HTML"),
)


def binary_kind(head: bytes) -> str:
    """The kind of a binary file by its first bytes."""
    return next((kind for magic, kind in _MAGIC if head.startswith(magic)), "binary data")


def text_kind(head: bytes) -> str:
    """The kind of a text by what stands in its beginning."""
    return next((kind for pattern, kind in _TEXT if re.search(pattern, head[:200_000], re.MULTILINE)), "other text")
