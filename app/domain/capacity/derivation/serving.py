"""Steps of serving: memory of a replica, its speed; and of a collective."""

from app.domain.capacity.collectives import VOLUME, group
from app.domain.capacity.derivation.memory import peak_steps
from app.domain.capacity.derivation.writing import gibibytes, number, size_step, step
from app.domain.capacity.engines import engine
from app.domain.capacity.formats import weight_format
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.memory.serving import cache_token_bytes, cached_tokens
from app.domain.capacity.physics import TYPICAL
from app.domain.capacity.results import Figures
from app.domain.capacity.support import required_model
from app.domain.estimate import Derivation, Step
from app.domain.units import as_gb_per_s, as_ms
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import CollectiveSettings, InferSettings, Workload


def serving_memory_steps(workload: Workload, figures: Figures) -> Derivation:
    """Weights by format, the cache, activations of a prefill step, and the peaks."""
    model, infer, memory = required_model(workload), workload.infer or InferSettings(), figures.memory
    if memory is None:
        return ()
    weights, made = weight_format(infer.weight_precision, infer.weight_format), parameters(model)
    edges, tokens = made.embedding + made.head, cached_tokens(model, float(infer.in_len + infer.out_len))
    per_token = cache_token_bytes(model, infer)
    sequences = memory.kv_cache_bytes / tokens / per_token
    runs = engine(infer.engine)
    return (
        size_step(
            "memory.weights",
            "W = (P_matrix·b_m + P_edge·b_e)/(tp·pp)",
            (
                number("P_matrix", made.total - edges, "parameters of the layers"),
                number("b_m", weights.matrix_bytes, "bytes of one in its format with scales", "B"),
                number("P_edge", edges, "embedding and output head"),
                number("b_e", weights.edge_bytes, "bytes of one of them", "B"),
                number("tp", infer.tp),
                number("pp", infer.pp),
            ),
            memory.weights_bytes,
            "quantisation formats' papers and files",
            "R-M2",
        ),
        size_step(
            "memory.kv_cache",
            "K = sequences·tokens·b_token",
            (
                number("sequences", sequences, "running together in a replica"),
                number("tokens", tokens, "in_len + out_len, as far as sliding windows keep them"),
                number("b_token", per_token, "2·layers·kv_heads·head_dim·element bytes on this rank; MLA keeps its compressed vector", "B"),
            ),
            memory.kv_cache_bytes,
            "attention layout of the model",
            "R-M2",
        ),
        *(
            size_step(
                f"memory.{name}",
                f"{symbol} = {name}",
                (gibibytes(name, getattr(memory, f"{name}_bytes"), source=why),),
                getattr(memory, f"{name}_bytes"),
                "method constants",
                "R-M5",
            )
            for name, symbol, why in (
                ("activations", "A", f"one layer over the {runs.batch_tokens if runs else 0:g} tokens of a prefill step"),
                ("logits", "L", "sampling the next token of each sequence"),
                ("temporary", "T", "cuBLAS workspace and the engine's CUDA graphs"),
            )
        ),
        size_step(
            "memory.fragmentation",
            "F = f·(A + L)",
            (
                number("f", TYPICAL.fragmentation_ratio, "GMLake, arXiv:2401.08156, 2024"),
                gibibytes(
                    "A",
                    memory.activations_bytes,
                    source=f"one layer over the {runs.batch_tokens if runs else 0:g} tokens of a prefill step",
                ),
                gibibytes("L", memory.logits_bytes, source="sampling the next token of each sequence"),
            ),
            memory.fragmentation_bytes,
            "PyTorch caching allocator",
            "R-M5",
        ),
        *peak_steps(memory, None, ("gradients", "optimizer", "buckets")),
    )


def serving_steps(workload: Workload, hardware: Hardware, figures: Figures) -> Derivation:
    """From one decode step to requests a second."""
    speed = figures.serving
    if speed is None:
        return ()
    infer = workload.infer or InferSettings()
    replicas = max(1.0, workload.gpu_count // (infer.tp * infer.pp))
    decode = float(infer.out_len or 1)
    bandwidth = as_gb_per_s(hardware.bandwidth_bytes_per_s)
    host = speed.step_s - max(speed.compute_s, speed.memory_s) - speed.collectives_s
    batch = number("b", speed.batch_per_replica, "sequences running together in a replica")
    one = number("t", as_ms(speed.step_s), unit="ms", step="serving.step")
    share = number("p", as_ms(speed.prefill_share_s), "prefill time of one request, prompts prefilled together", "ms")
    return (
        step(
            "serving.step",
            "t = max(compute, memory) + collectives + host",
            (
                number("compute", as_ms(speed.compute_s), "2·active parameters·batch at the sustained rate", "ms"),
                number("memory", as_ms(speed.memory_s), f"weights and cache over {bandwidth:g} GB/s at the achievable share", "ms"),
                number("collectives", as_ms(speed.collectives_s), "two all-reduces a layer under tensor parallelism", "ms"),
                number("host", as_ms(host), "scheduling and launches that nothing hides", "ms"),
            ),
            as_ms(speed.step_s),
            "ms",
            "roofline of one decode step",
            "R-T2",
        ),
        step(
            "serving.prefill",
            "a = prefill",
            (number("prefill", as_ms(speed.prefill_s), "2·active parameters·tokens and attention at the sustained rate, host time", "ms"),),
            as_ms(speed.prefill_s),
            "ms",
            "roofline of one prompt alone",
            "R-T1",
        ),
        step(
            "throughput.req_s",
            "q = replicas/(p + out·t/b)",
            (number("replicas", replicas, "copies of the model"), share, number("out", decode, "out_len"), one, batch),
            speed.requests_per_s,
            "1/s",
            "steady state of continuous batching",
        ),
        step(
            "throughput.decode_tok_s_total",
            "r = q·out",
            (number("q", speed.requests_per_s, unit="1/s", step="throughput.req_s"), number("out", decode, "out_len")),
            speed.decode_tokens_per_s,
            "1/s",
            "definition",
        ),
        step(
            "throughput.tpot_ms",
            "d = t + p·(b − 1)/out",
            (one, share, batch, number("out", decode, "out_len")),
            as_ms(speed.tpot_s),
            "ms",
            "decode steps and the prefills between them",
        ),
        step(
            "throughput.prefill_tok_s",
            "f = replicas·s/a",
            (
                number("replicas", replicas, "copies of the model"),
                number("s", max(1.0, infer.in_len), "in_len"),
                number("a", as_ms(speed.prefill_s), "prefill of one prompt alone", "ms", "serving.prefill"),
            ),
            speed.prefill_tokens_per_s,
            "1/s",
            "definition",
        ),
        step(
            "throughput.ttft_ms",
            "f = a + w",
            (
                number("a", as_ms(speed.prefill_s), "", "ms", "serving.prefill"),
                number(
                    "w",
                    as_ms(speed.ttft_s - speed.prefill_s),
                    "the decode step under way or, in a burst, the prefills of the others; the queue where more ask than run",
                    "ms",
                ),
            ),
            as_ms(speed.ttft_s),
            "ms",
            "roofline of prefill; Little's law",
            "R-T1",
        ),
        step(
            "throughput.max_concurrency",
            "m = replicas·c/tokens",
            (
                number("replicas", replicas, "copies of the model"),
                number(
                    "c",
                    speed.kv_cache_tokens,
                    "tokens that the pool of the engine holds, by its own definition of the memory fraction",
                ),
                number(
                    "tokens", speed.kv_cache_tokens * replicas / speed.max_concurrency if speed.max_concurrency else 1.0, "of one sequence"
                ),
            ),
            speed.max_concurrency,
            "1",
            "cache over the length of a sequence",
            "R-M2",
        ),
    )


def collective_steps(workload: Workload, hardware: Hardware, figures: Figures) -> Derivation:
    """Time, algorithm bandwidth, bus bandwidth."""
    moved = figures.collective
    if moved is None:
        return ()
    asked, n = workload.collective or CollectiveSettings(), workload.gpu_count
    ranks = group(hardware, n, 1, TYPICAL)
    factor = VOLUME[asked.op](n)
    message = number("S", asked.message_bytes, "message", "B")
    wire = factor * asked.message_bytes / ranks.bytes_per_s
    time: Step = step(
        "collective.time_s",
        "t = wire + latency",
        (
            number("wire", wire, f"{factor:g} of the message over {as_gb_per_s(ranks.bytes_per_s):.3g} GB/s", "s"),
            number("latency", moved.time_s - wire, "start and steps of the protocol; negative where the switch adds up", "s"),
        ),
        moved.time_s,
        "s",
        "NCCL protocols as nccl-tests shows them",
        "R-T3",
    )
    return (
        time,
        step(
            "collective.algbw_gbps",
            "a = S/t",
            (message, number("t", moved.time_s, unit="s", step="collective.time_s")),
            as_gb_per_s(moved.algorithm_bytes_per_s),
            "GB/s",
            "nccl-tests doc/PERFORMANCE.md",
        ),
        step(
            "collective.busbw_gbps",
            "b = a·k",
            (
                number("a", as_gb_per_s(moved.algorithm_bytes_per_s), unit="GB/s", step="collective.algbw_gbps"),
                number("k", factor, f"{asked.op} over {n} ranks"),
            ),
            as_gb_per_s(moved.bus_bytes_per_s),
            "GB/s",
            "nccl-tests doc/PERFORMANCE.md",
            "R-T3",
        ),
    )
