"""Speed of serving: prefill bound by computation, decode by bandwidth until the batch is large (handbook §4)."""

from dataclasses import dataclass
from math import ceil

from app.domain.capacity import kernels
from app.domain.capacity.collectives import collective_s, group
from app.domain.capacity.engines import Engine
from app.domain.capacity.formats import WeightFormat
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.memory.serving import cache_bytes, cache_token_bytes, cached_tokens, serving_weights_bytes
from app.domain.capacity.physics import CACHE_READ_RATIO, GEMV_RATIO, Physics
from app.domain.capacity.results import ServingFigures
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import InferSettings

WIDE_BYTES = 2.0  # of a parameter in the format of the products


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """One replica of a model in an engine on its GPUs."""

    model: LanguageModel
    infer: InferSettings
    weights: WeightFormat
    engine: Engine
    hardware: Hardware


def cache_capacity_tokens(on: Deployment, physics: Physics) -> float:
    """Tokens that the engine's pool holds: bytes of the pool / bytes per token."""
    capacity = on.hardware.capacity_bytes or 0.0
    return cache_bytes(on.model, on.infer, on.weights, on.engine, capacity, physics) / cache_token_bytes(on.model, on.infer)


def serving(on: Deployment, gpu_count: int, physics: Physics) -> ServingFigures:
    """Steady state of continuous batching: each request costs its share of a prefill and of out_len decode steps.

    More requests than the cache holds wait: Little's law of the closed system, wait = (asked − running) / rate. Where they end at different
    times, each has written half of its answer on average, so more run together than the cache holds at full length."""
    infer, engine = on.infer, on.engine
    replicas = max(1, gpu_count // (infer.tp * infer.pp))
    tokens = float(infer.in_len + infer.out_len)
    cache = cache_capacity_tokens(on, physics)
    held = cache / max(1.0, cached_tokens(on.model, tokens))
    mean = held if infer.is_burst else cache / max(1.0, cached_tokens(on.model, infer.in_len + infer.out_len / 2))
    asked = infer.concurrency / replicas if infer.concurrency else float(engine.most_sequences)
    batch = max(1.0, min(asked, mean, float(engine.most_sequences)))
    compute, memory, talking, floor = _decode(on, batch, physics)
    launch, host = engine.layer_s * on.model.layer_count * physics.host_ratio, engine.step_s * physics.host_ratio
    step = max(compute, memory, launch) + talking + host
    together = max(1.0, min(batch, engine.batch_tokens // max(1, infer.in_len)))
    prompt = max(1, infer.in_len)
    alone = _prefill_s(on, float(prompt), 1.0, physics) + host
    shared = (_prefill_s(on, float(prompt), together, physics) + host) / together if infer.in_len > 1 else 0.0
    decode = infer.out_len or 1
    rate = replicas / (shared + decode * step / batch)
    waits = max(0.0, asked - batch) * replicas / rate if infer.concurrency else 0.0
    between = step + shared * (batch - 1) / decode  # tokens of one sequence: a decode step and its share of the others' prompts
    queue = _queue_s(on, batch, together, shared, alone, between) * physics.queue_ratio
    return ServingFigures(
        ttft_s=alone + queue + waits + (step if engine.is_first_token_decoded and infer.in_len > 1 else 0.0),
        tpot_s=between,
        decode_tokens_per_s=decode * rate,
        prefill_tokens_per_s=prompt / alone * replicas,
        requests_per_s=rate,
        kv_cache_tokens=cache,
        max_concurrency=held * replicas,
        batch_per_replica=batch,
        step_s=step,
        prefill_s=alone,
        prefill_share_s=shared,
        collectives_s=talking,
        memory_s=memory,
        compute_s=compute,
        is_above_ceiling=step < floor,
    )


def _queue_s(on: Deployment, batch: float, together: float, shared: float, alone: float, between: float) -> float:
    """What a prompt waits for beside its own prefill: the step under way, or its turn where all come at once.

    A burst of b prompts, g at a time, has its first tokens after 1 … b/g prefills: the mean is g·shared·(b/g + 1)/2; where the decode step
    gives them, after the last prefill: g·shared·b/g."""
    infer = on.infer
    if batch <= 1:
        return 0.0
    if not infer.is_burst or infer.in_len <= 1:
        return between
    turns = ceil(batch / together)
    return max(0.0, together * shared * (turns if on.engine.is_first_token_decoded else (turns + 1) / 2) - alone)


def _active_share(model: LanguageModel, batch: float) -> float:
    """Share of all weights that a batch reads: experts that nobody chose stay where they are."""
    if not model.moe_expert_count:
        return 1.0
    made, chosen = parameters(model), (model.moe_topk or 1) / model.moe_expert_count
    experts = made.layers * made.expert / (1 - chosen) if chosen < 1 else 0.0
    return float(1 - (1 - chosen) ** batch * experts / made.total)


def _decode(on: Deployment, batch: float, physics: Physics) -> tuple[float, float, float, float]:
    """One token for every sequence: computing, reading weights and cache, talking; and the time at full bandwidth, a floor."""
    model, infer, weights, hardware = on.model, on.infer, on.weights, on.hardware
    made = parameters(model)
    embedding = made.embedding * weights.edge_bytes / infer.tp if made.head else 0.0  # a tied embedding is read as the head
    read = serving_weights_bytes(model, weights, infer) * infer.pp - embedding
    read *= _active_share(model, batch)
    length = cached_tokens(model, infer.in_len + infer.out_len / 2)
    cache = batch * length * cache_token_bytes(model, infer) * infer.pp
    ratio = min(weights.widen_ratio, GEMV_RATIO)
    memory = kernels.moving_s(read / ratio + cache * _cache_passes(on) / CACHE_READ_RATIO, hardware, physics)
    active = made.layers * (made.attention + made.active_mlp) + model.vocab * model.hidden
    rate = kernels.sustained_flops(hardware, weights.compute, physics)
    compute = 2 * active * batch * (1 + kernels.EDGE_COUNT / batch) / infer.tp / rate if batch > 1 else 0.0
    talking = _talking_s(on, batch, physics)
    return compute, memory, talking, (read + cache) / hardware.bandwidth_bytes_per_s


def _cache_passes(on: Deployment) -> float:
    """Passes over the cache for one token: read once; where it grows by copying also read and written, and its heads repeated for all queries.

    Source: transformers DynamicCache.update and repeat_kv (modeling code, 2024)."""
    if not on.engine.copies_cache:
        return 1.0
    repeated = on.model.head_count / on.model.kv_head_count
    return 3.0 + (2 * repeated if repeated > 1 else 0.0)


def _talking_s(on: Deployment, tokens: float, physics: Physics) -> float:
    """Two all-reduces per layer under tensor parallelism."""
    if on.infer.tp == 1:
        return 0.0
    ranks = group(on.hardware, on.infer.tp, 1, physics)
    return 2 * on.model.layer_count * collective_s("allreduce", tokens * on.model.hidden * 2.0, ranks, on.hardware)


def _prefill_s(on: Deployment, tokens: float, prompts: float, physics: Physics) -> float:
    """Prompts together: 2·active parameters·tokens plus causal attention at the sustained rate; never faster than reading the weights.

    Stages of a layer split work on different pieces of a prompt at once: n pieces take n + pp − 1 turns of 1/pp of the work each
    (llama.cpp, pipeline parallelism, 2024)."""
    model, infer, weights, hardware = on.model, on.infer, on.weights, on.hardware
    made = parameters(model)
    rows = tokens * prompts
    rate = kernels.sustained_flops(hardware, weights.compute, physics) * on.engine.prefill_ratio * physics.prefill_ratio
    gpu = hardware.gpu
    if on.engine.accumulates_in_fp16 and weights.compute == "fp16" and gpu is not None and gpu.peak_fp16_fp16acc_dense_flops:
        rate *= gpu.peak_fp16_fp16acc_dense_flops / (gpu.peak_fp16_dense_flops or gpu.peak_fp16_fp16acc_dense_flops)
    active = made.layers * (made.attention + made.active_mlp)
    flop = 2 * active * rows * (1 + kernels.EDGE_COUNT / rows)
    attention = 2 * model.layer_count * model.head_count * model.head_dim * tokens * rows
    compute = (flop + attention / kernels.flash_ratio(hardware)) / infer.tp / rate
    read = kernels.moving_s(serving_weights_bytes(model, weights, infer) * infer.pp / weights.widen_ratio, hardware, physics)
    moved = kernels.moving_s(rows * model.layer_count * (24 * model.hidden + 12 * model.ffn_hidden / infer.tp), hardware, physics)
    pieces = ceil(rows / on.engine.batch_tokens)
    if on.engine.widens_weights and weights.matrix_bytes < WIDE_BYTES:
        widened = pieces * made.layers * (made.attention + made.mlp) / infer.tp * (weights.matrix_bytes + WIDE_BYTES)
        moved += kernels.moving_s(widened, hardware, physics)
    return max((compute + moved) * (pieces + infer.pp - 1) / (pieces * infer.pp), read) + _talking_s(on, rows, physics)
