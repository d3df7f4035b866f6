"""Memory of one serving replica's rank: weights by format, cached keys and values by layout, engine reserve."""

import re
from itertools import pairwise

from app.domain.capacity.engines import Engine, Pool
from app.domain.capacity.formats import CACHE_BYTES, WeightFormat
from app.domain.capacity.physics import Physics
from app.domain.capacity.results import MemoryFigures
from app.domain.catalogue.models import LanguageModel
from app.domain.errors import InvalidInput
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import InferSettings

BLOCKS = re.compile(r"(?<![\w-])(\d+) ([^:,]*?)(?=(?: and \d)|[:,]|$)")  # "7 Mamba : 1 attention" → (7, Mamba), (1, attention)
COMPRESSED = re.compile(r"ratios (\d+) and (\d+), alternating")
KEEPING = re.compile(r"attention|softmax|MLA")
LINEAR = re.compile(r"linear|delta", re.IGNORECASE)


def serving_weights_bytes(model: LanguageModel, weights: WeightFormat, infer: InferSettings) -> float:
    """Matrices in their format with scales, embedding and head in theirs, split by tensor and layer parallelism."""
    made = parameters(model)
    edges = made.embedding + made.head
    other = 0.0 if weights.attention_bytes is None else made.layers * made.attention * (weights.attention_bytes - weights.matrix_bytes)
    return ((made.total - edges) * weights.matrix_bytes + edges * weights.edge_bytes + other) / infer.tp / infer.pp


def cache_token_bytes(model: LanguageModel, infer: InferSettings) -> float:
    """Keys and values of one token on one rank: 2·layers·kv_heads·head_dim·element_bytes, heads split by tp as far as they go.

    Multi-head latent attention keeps one compressed vector instead: layers·(kv_rank + rope)·element_bytes (DeepSeek-V2, arXiv:2405.04434)."""
    size = CACHE_BYTES.get(infer.kv_precision)
    if size is None:
        raise InvalidInput("infer.kv_precision", "estimate.not_modelled", knob=infer.kv_precision)
    layers = model.layer_count * attention_share(model) / infer.pp
    if model.attention in ("mla", "hybrid") and model.mla_kv_lora_rank:
        return layers * (model.mla_kv_lora_rank + (model.mla_rope_dim or 0)) * size
    heads = max(1.0, model.kv_head_count / infer.tp)
    return 2 * layers * heads * model.head_dim * size


def attention_share(model: LanguageModel) -> float:
    """Share of the blocks that keep keys and values: hybrids put linear attention or state-space blocks between, whose state does not grow.

    From patterns such as "3 gated-delta-net : 1 full attention" and "23 Mamba-2, 23 MoE and 6 attention blocks"."""
    if model.attention != "hybrid" or model.sliding_window or not model.sliding_pattern:
        return 1.0
    counts = {True: 0, False: 0}
    for number, kind in BLOCKS.findall(model.sliding_pattern):
        counts[bool(KEEPING.search(kind)) and not LINEAR.search(kind)] += int(number)
    return counts[True] / sum(counts.values()) if counts[True] else 1.0


def cached_tokens(model: LanguageModel, tokens: float) -> float:
    """Tokens that the mean layer keeps of a sequence: sliding-window layers forget the rest, or keep it compressed by the ratios named."""
    window = model.sliding_window
    if not window or tokens <= window:
        return tokens
    if ratios := COMPRESSED.search(model.sliding_pattern or ""):
        return window + tokens * (1 / int(ratios[1]) + 1 / int(ratios[2])) / 2
    local = local_share(model.sliding_pattern)
    return local * window + (1 - local) * tokens


def local_share(pattern: str | None) -> float:
    """Share of layers with a window, from patterns such as "5 local : 1 global"; all of them where nothing else is said."""
    counts = {"local": 0, "global": 0}
    words = (pattern or "").replace(":", " ").split()
    for number, kind in pairwise(words):
        if number.isdigit():
            counts["global" if kind.startswith("global") else "local"] += int(number)
    total = counts["local"] + counts["global"]
    return counts["local"] / total if total and counts["global"] else 1.0


def serving_memory(
    model: LanguageModel, infer: InferSettings, weights: WeightFormat, engine: Engine, sequences: float, physics: Physics
) -> MemoryFigures:
    """Weights, the cache of the sequences asked for, activations of one prefill step, graphs and context.

    The file's size is the first line only (R-M8): the cache grows with sequences and length, the rest with the engine."""
    tokens = cached_tokens(model, float(infer.in_len + infer.out_len))
    kv = sequences * tokens * cache_token_bytes(model, infer)
    activations, logits = prefill_bytes(model, infer, engine, sequences)
    held = serving_weights_bytes(model, weights, infer)
    temporary = physics.workspace_bytes + engine.graph_bytes
    return MemoryFigures(
        weights_bytes=held,
        gradients_bytes=0.0,
        optimizer_bytes=0.0,
        activations_bytes=activations * physics.activation_ratio,
        logits_bytes=logits,
        kv_cache_bytes=kv,
        buckets_bytes=0.0,
        temporary_bytes=temporary,
        fragmentation_bytes=physics.fragmentation_ratio * (activations + logits),
        context_bytes=physics.context_bytes + (physics.library_bytes if infer.tp > 1 else 0.0),
    )


def prefill_bytes(model: LanguageModel, infer: InferSettings, engine: Engine, sequences: float) -> tuple[float, float]:
    """Activations of one layer over the tokens of a prefill step, and what choosing the next token of each sequence takes.

    Experts see top-k copies of a token, each with its row of the residual stream; the sampler works on the whole vocabulary on every rank."""
    tokens = min(engine.batch_tokens, max(1.0, infer.in_len) * max(1.0, sequences))
    matrices = 3 if model.is_gated_mlp else 2
    if model.moe_expert_count:
        copies, inner = float(model.moe_topk or 1), float(model.moe_expert_ffn or model.ffn_hidden)
        shared = (model.moe_shared_expert_count or 0) * inner * matrices / infer.tp
        width = copies * (inner * matrices / infer.tp + model.hidden) + shared
    else:
        width = model.ffn_hidden * matrices / infer.tp
    return 2.0 * tokens * (width + 4 * model.hidden), engine.sampler_bytes * model.vocab * max(1.0, sequences)


def cache_bytes(
    model: LanguageModel, infer: InferSettings, weights: WeightFormat, engine: Engine, capacity_bytes: float, physics: Physics
) -> float:
    """What one rank's cache gets, by the engine's own definition of its memory fraction (see `Pool`); all start without any request.

    The profiled step is the largest: all tokens of a prefill step, a token sampled for as many sequences as run together."""
    share = infer.memory_fraction_ratio
    held = serving_weights_bytes(model, weights, infer)
    outside = physics.context_bytes + (physics.library_bytes if infer.tp > 1 else 0.0)
    if engine.pool is Pool.STATIC:
        return max(0.0, share * (capacity_bytes - outside) - held)
    activations, logits = prefill_bytes(model, infer, engine, float(engine.most_sequences))
    working = activations * physics.activation_ratio + logits * physics.logits_ratio
    if engine.pool is Pool.FREE:
        return max(0.0, share * (capacity_bytes - outside - held - working - engine.graph_bytes))
    return max(0.0, share * capacity_bytes - outside - held - working)
