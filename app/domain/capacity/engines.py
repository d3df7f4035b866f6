"""Serving engines: what they cost per step beside the kernels, and how many sequences they take together."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """Host-side costs of a decode step, and the sequences run together when nobody says."""

    layer_s: float  # launch overhead per layer that the device waits for; 0 under CUDA graphs
    step_s: float  # scheduling, sampling, detokenising per step
    most_sequences: int
    batch_tokens: float  # tokens of one prefill step, whose activations are reserved
    graph_bytes: float  # CUDA graphs captured beside the cache


GIB = float(2**30)
ENGINES = {  # published profiles of the engines' own documentation and release notes, 2023–2025
    "vllm": Engine(layer_s=0.0, step_s=2.5e-3, most_sequences=256, batch_tokens=8192, graph_bytes=0.6 * GIB),
    "sglang": Engine(layer_s=0.0, step_s=1.5e-3, most_sequences=1024, batch_tokens=8192, graph_bytes=0.8 * GIB),
    "tensorrt-llm": Engine(layer_s=0.0, step_s=1.0e-3, most_sequences=2048, batch_tokens=8192, graph_bytes=0.3 * GIB),
    "lmdeploy": Engine(layer_s=4e-6, step_s=1.0e-3, most_sequences=256, batch_tokens=8192, graph_bytes=0.0),
    "fastertransformer": Engine(layer_s=40e-6, step_s=1.0e-3, most_sequences=128, batch_tokens=8192, graph_bytes=0.0),
    "llama.cpp": Engine(layer_s=5e-6, step_s=0.3e-3, most_sequences=1, batch_tokens=512, graph_bytes=0.0),
    "torchao": Engine(layer_s=0.0, step_s=0.3e-3, most_sequences=1, batch_tokens=2048, graph_bytes=0.2 * GIB),
    "transformers": Engine(layer_s=650e-6, step_s=2.0e-3, most_sequences=32, batch_tokens=8192, graph_bytes=0.0),
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
    """The engine whose name the text begins with or contains, or None."""
    text = name.casefold()
    for key in (*ENGINES, *NAMES):
        if key in text:
            return ENGINES[NAMES.get(key, key)]
    return None
