"""Serving engines: what they cost per step beside the kernels, and how many sequences they take together."""

from dataclasses import dataclass

from app.domain.units import GIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """Host-side costs of a decode step, and the sequences run together when nobody says."""

    layer_s: float  # host time per layer and step, hidden behind longer kernels; small under CUDA graphs
    step_s: float  # scheduling, sampling, detokenising per step
    most_sequences: int
    batch_tokens: float  # tokens of one prefill step, whose activations are reserved
    graph_bytes: float = 0.0  # CUDA graphs captured beside the cache
    prefill_ratio: float = 1.0  # its matrix products over those of vendor libraries
    accumulates_in_fp16: bool = False  # products summed in fp16: GeForce boards run them at twice the rate


# Defaults of the engines' documentation; host times from their published profiles and release notes, 2023–2025.
ENGINES = {
    "vllm": Engine(layer_s=10e-6, step_s=2.5e-3, most_sequences=256, batch_tokens=8192, graph_bytes=0.6 * GIB),
    "sglang": Engine(layer_s=10e-6, step_s=1.5e-3, most_sequences=512, batch_tokens=8192, graph_bytes=0.8 * GIB),
    "tensorrt-llm": Engine(layer_s=10e-6, step_s=1.0e-3, most_sequences=2048, batch_tokens=8192, graph_bytes=0.3 * GIB),
    "lmdeploy": Engine(layer_s=40e-6, step_s=1.0e-3, most_sequences=256, batch_tokens=8192),
    "fastertransformer": Engine(layer_s=60e-6, step_s=1.0e-3, most_sequences=128, batch_tokens=8192),
    "llama.cpp": Engine(layer_s=60e-6, step_s=1.5e-3, most_sequences=1, batch_tokens=512, prefill_ratio=0.5, accumulates_in_fp16=True),
    "torchao": Engine(layer_s=0.0, step_s=0.3e-3, most_sequences=1, batch_tokens=2048, graph_bytes=0.2 * GIB),
    "transformers": Engine(layer_s=700e-6, step_s=2.0e-3, most_sequences=32, batch_tokens=8192),
}
NAMES = {
    "trt": "tensorrt-llm",
    "triton": "tensorrt-llm",
    "hf": "transformers",
    "hugging": "transformers",
    "litgpt": "transformers",
    "gpt-fast": "torchao",
    "turbomind": "lmdeploy",
}


def engine(name: str) -> Engine | None:
    """The engine whose name the text contains, or None."""
    text = name.casefold()
    for key in (*ENGINES, *NAMES):
        if key in text:
            return ENGINES[NAMES.get(key, key)]
    return None
