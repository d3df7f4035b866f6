"""Serving engines: what they cost per step beside the kernels, and how many sequences they take together."""

from dataclasses import dataclass, replace
from enum import StrEnum

from app.domain.units import GIB


class Pool(StrEnum):
    """What an engine's memory fraction is a share of: three definitions under one name (the engines' documentation, 2024–2025)."""

    CARD = "card"  # vLLM: of the card, for context, libraries, weights, the peak of a profiled step and the cache
    STATIC = "static"  # SGLang: of what is free before loading, for weights and cache alone; the rest works
    FREE = "free"  # TensorRT-LLM, LMDeploy: of what weights and the profiled step leave, for the cache


OWN_SAMPLER_BYTES = 2 + 4.0  # logits in 16 bit and fp32; kernels of the engine's own pick the best without sorting
SORTED_SAMPLER_BYTES = (
    2 + 4 + 12 + 8 + 12.0
)  # the same, sorted with int64 indices, reversed indices, the sort's second buffers (PyTorch 2.x)


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
    copies_cache: bool = False  # appends to the cache by copying it and repeats the heads that queries share
    widens_weights: bool = False  # packed weights are written out in 16 bit for every prefill step, instead of within the product
    is_first_token_decoded: bool = (
        False  # prompts but for their last token are read first; the decode step after them gives the first tokens
    )
    pool: Pool = Pool.CARD
    sampler_bytes: float = OWN_SAMPLER_BYTES  # of a vocabulary entry and sequence, when a token is chosen


# Defaults of the engines' documentation; host times from their published profiles and release notes, 2023–2025.
ENGINES = {
    "vllm": Engine(
        layer_s=10e-6, step_s=2.5e-3, most_sequences=256, batch_tokens=8192, graph_bytes=0.6 * GIB, sampler_bytes=SORTED_SAMPLER_BYTES
    ),
    "sglang": Engine(layer_s=10e-6, step_s=1.5e-3, most_sequences=512, batch_tokens=8192, graph_bytes=0.8 * GIB, pool=Pool.STATIC),
    "tensorrt-llm": Engine(layer_s=10e-6, step_s=1.0e-3, most_sequences=2048, batch_tokens=8192, graph_bytes=0.3 * GIB, pool=Pool.FREE),
    "lmdeploy": Engine(  # TurboMind's LlamaBatch (2024)
        layer_s=40e-6, step_s=1.0e-3, most_sequences=256, batch_tokens=8192, pool=Pool.FREE, is_first_token_decoded=True
    ),
    "fastertransformer": Engine(layer_s=60e-6, step_s=1.0e-3, most_sequences=128, batch_tokens=8192),
    "llama.cpp": Engine(
        layer_s=60e-6, step_s=1.5e-3, most_sequences=1, batch_tokens=512, prefill_ratio=0.5, accumulates_in_fp16=True, widens_weights=True
    ),
    "torchao": Engine(layer_s=0.0, step_s=0.3e-3, most_sequences=1, batch_tokens=2048, graph_bytes=0.2 * GIB),
    "transformers": Engine(layer_s=700e-6, step_s=2.0e-3, most_sequences=32, batch_tokens=8192, copies_cache=True, widens_weights=True),
}
LARGE_CARD_BYTES = 70 * GIB  # from which vLLM takes more sequences together, Ampere aside (vLLM engine arguments, 2025)
LARGE_CARD_SEQUENCES = 2**10
NAMES = {
    "trt": "tensorrt-llm",
    "triton": "tensorrt-llm",
    "hf": "transformers",
    "hugging": "transformers",
    "litgpt": "transformers",
    "gpt-fast": "torchao",
    "turbomind": "lmdeploy",
}


def engine(name: str, capacity_bytes: float | None = None, architecture: str = "") -> Engine | None:
    """The engine whose name the text contains, with its defaults on such a card, or None."""
    text = name.casefold()
    for key in (*ENGINES, *NAMES):
        if key in text:
            found = ENGINES[NAMES.get(key, key)]
            is_large = key == "vllm" and (capacity_bytes or 0.0) >= LARGE_CARD_BYTES and architecture != "Ampere"
            return replace(found, most_sequences=LARGE_CARD_SEQUENCES) if is_large else found
    return None
