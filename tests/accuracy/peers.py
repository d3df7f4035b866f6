"""What other calculators say of the published rows."""

import csv
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "peers.csv"
PEERS = {  # name in the file → where it is published
    "llm_analysis": "https://pypi.org/project/llm-analysis/",
    "llm_analysis_git": "https://github.com/cli99/llm-analysis",
    "calculon": "https://github.com/calculon-ai/calculon",
    "megatron": "https://github.com/NVIDIA/Megatron-LM/blob/main/tools/report_theoretical_memory.py",
    "deepspeed": "https://deepspeed.readthedocs.io/en/latest/memory.html",
    "accelerate": "https://huggingface.co/docs/accelerate/usage_guides/model_size_estimator",
    "eleuther_mem": "https://github.com/EleutherAI/cookbook/tree/main/calc",
    "gpu_poor": "https://github.com/RahulSChand/gpu_poor",
    "llamafactory_table": "https://github.com/hiyouga/LLaMA-Factory#hardware-requirement",
}


@dataclass(frozen=True, slots=True)
class Said:
    """One answer: how much of the question it covers (exact, approximate, or a part as a lower bound), and its limits."""

    value: float
    covers: str
    limits: str


def peers() -> dict[tuple[str, str], Said]:
    """(Calculator, row) → what it said."""
    with FILE.open(encoding="utf-8", newline="") as stream:
        return {(row["peer"], row["row"]): Said(float(row["said"]), row["covers"], row["limits"]) for row in csv.DictReader(stream)}
