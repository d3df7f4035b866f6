"""Speed of serving: prefill bound by computation, decode by bandwidth until the batch is large (handbook §4)."""

from app.domain.capacity import kernels
from app.domain.capacity.collectives import collective_s, group
from app.domain.capacity.engines import Engine
from app.domain.capacity.formats import WeightFormat
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.memory.serving import cache_token_bytes, cached_tokens, prefill_bytes, serving_weights_bytes
from app.domain.capacity.physics import Physics
from app.domain.capacity.results import ServingFigures
from app.domain.catalogue.models import LanguageModel
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import InferSettings


def cache_capacity_tokens(
    model: LanguageModel, infer: InferSettings, weights: WeightFormat, engine: Engine, hardware: Hardware, physics: Physics
) -> float:
    """Tokens that fit beside weights and activations inside the engine's share of the card: (share·capacity − reserve) / bytes per token."""
    capacity = (hardware.capacity_bytes or 0.0) * infer.memory_fraction_ratio
    reserve = physics.context_bytes + (physics.library_bytes if infer.tp > 1 else 0.0)
    activations, logits = prefill_bytes(model, infer, engine, float(min(engine.most_sequences, 256)))
    left = capacity - reserve - activations - logits - serving_weights_bytes(model, weights, infer)
    return max(0.0, left / cache_token_bytes(model, infer))


def serving(
    model: LanguageModel, infer: InferSettings, weights: WeightFormat, engine: Engine, hardware: Hardware, gpu_count: int, physics: Physics
) -> ServingFigures:
    """Steady state of continuous batching: each request costs one prefill and its share of out_len decode steps."""
    replicas = max(1, gpu_count // (infer.tp * infer.pp))
    tokens = float(infer.in_len + infer.out_len)
    cache = cache_capacity_tokens(model, infer, weights, engine, hardware, physics)
    held = cache / max(1.0, cached_tokens(model, tokens)) if tokens else cache
    asked = infer.concurrency / replicas if infer.concurrency else float(engine.most_sequences)
    batch = max(1.0, min(asked, max(1.0, held)))
    compute, memory, waiting, ceiling = _decode(model, infer, weights, engine, hardware, batch, physics)
    step = max(compute, memory) + waiting
    prefill = _prefill_s(model, infer, weights, hardware, float(max(1, infer.in_len)), physics) + engine.step_s
    decode = infer.out_len or 1
    request = (prefill if infer.in_len > 1 else 0.0) + decode * step / batch
    rate = 1 / request * replicas
    return ServingFigures(
        ttft_s=prefill + (step if batch > 1 else 0.0),
        tpot_s=step + (prefill * (batch - 1) / decode if infer.in_len > 1 else 0.0),
        decode_tokens_per_s=decode * rate,
        prefill_tokens_per_s=max(1, infer.in_len) / prefill * replicas,
        requests_per_s=rate,
        kv_cache_tokens=cache,
        max_concurrency=held * replicas,
        batch_per_replica=batch,
        collectives_s=max(0.0, waiting - engine.step_s),
        memory_s=memory,
        compute_s=compute,
        is_above_ceiling=step < ceiling,
    )


def _active_share(model: LanguageModel, batch: float) -> float:
    """Share of the layer weights that a batch touches: experts nobody chose are not read."""
    made = parameters(model)
    if not model.moe_expert_count:
        return 1.0
    untouched = (1 - (model.moe_topk or 1) / model.moe_expert_count) ** batch
    experts = made.layers * made.expert / (1 - (model.moe_topk or 1) / model.moe_expert_count)
    return 1 - untouched * experts / made.total


def _decode(
    model: LanguageModel, infer: InferSettings, weights: WeightFormat, engine: Engine, hardware: Hardware, batch: float, physics: Physics
) -> tuple[float, float, float, float]:
    """One token for every sequence: computing, reading weights and cache, waiting; and the time at full bandwidth, a floor."""
    made = parameters(model)
    read = (serving_weights_bytes(model, weights, infer) - made.embedding * weights.edge_bytes / infer.tp / infer.pp) * infer.pp
    read *= _active_share(model, batch)
    if made.head == 0:
        read += made.embedding * weights.edge_bytes / infer.tp
    length = cached_tokens(model, infer.in_len + infer.out_len / 2)
    cache = batch * length * cache_token_bytes(model, infer) * infer.pp
    memory = kernels.moving_s(read / weights.widen_ratio + cache, hardware, physics)
    active = made.layers * (made.attention + made.active_mlp) + model.vocab * model.hidden
    rate = kernels.sustained_flops(hardware, weights.compute, physics)
    compute = 2 * active * batch * (1 + kernels.EDGE_COUNT / batch) / infer.tp / rate if batch > 1 else 0.0
    waiting = engine.step_s + engine.layer_s * model.layer_count
    if infer.tp > 1:
        ranks = group(hardware, infer.tp, 1, physics)
        waiting += 2 * model.layer_count * collective_s("allreduce", batch * model.hidden * 2.0, ranks, hardware, physics)
    return compute, memory, waiting, (read + cache) / hardware.bandwidth_bytes_per_s


def _prefill_s(
    model: LanguageModel, infer: InferSettings, weights: WeightFormat, hardware: Hardware, tokens: float, physics: Physics
) -> float:
    """Prompt of one request: 2·active parameters·tokens plus attention, at the sustained rate; never faster than reading the weights."""
    made = parameters(model)
    rate = kernels.sustained_flops(hardware, weights.compute, physics)
    active = made.layers * (made.attention + made.active_mlp)
    flop = (
        2 * active * tokens * (1 + kernels.EDGE_COUNT / max(tokens, 1.0))
        + 2 * model.layer_count * model.head_count * model.head_dim * tokens**2
    )
    compute = flop / infer.tp / rate
    read = kernels.moving_s(serving_weights_bytes(model, weights, infer) * infer.pp / weights.widen_ratio, hardware, physics)
    moved = kernels.moving_s(tokens * model.layer_count * (24 * model.hidden + 12 * model.ffn_hidden / infer.tp), hardware, physics)
    spent = max(compute + moved, read)
    if infer.tp > 1:
        ranks = group(hardware, infer.tp, 1, physics)
        spent += 2 * model.layer_count * collective_s("allreduce", tokens * model.hidden * 2.0, ranks, hardware, physics)
    return spent
