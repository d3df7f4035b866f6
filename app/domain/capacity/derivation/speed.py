"""Steps of the speed table."""

from app.domain.capacity import kernels
from app.domain.capacity.collectives import VOLUME, group
from app.domain.capacity.derivation.writing import number, step
from app.domain.capacity.hardware import Hardware, peak_flops
from app.domain.capacity.layout import training_layout
from app.domain.capacity.physics import TYPICAL
from app.domain.capacity.results import Figures
from app.domain.capacity.support import required_model
from app.domain.capacity.time import again_s, model_flop_per_token
from app.domain.estimate import Derivation, Step
from app.domain.units import as_gb_per_s, as_ms, as_tflops
from app.domain.workload.settings import CollectiveSettings, InferSettings, TrainSettings, Workload

PALM = "Chowdhery et al. 2022, arXiv:2204.02311 appendix B"


def training_steps(workload: Workload, hardware: Hardware, figures: Figures) -> Derivation:
    """From the peak to tokens a second."""
    time = figures.time
    if time is None or hardware.gpu is None:
        return ()
    model, train = required_model(workload), workload.train or TrainSettings()
    layout = training_layout(workload, model, train)
    precision = kernels.COMPUTE_FORMAT[train.precision]
    peak, gpu = peak_flops(hardware, precision), hardware.gpu
    source = f"{gpu.source.title}, {gpu.source.on}"
    n, repeated = float(workload.gpu_count), time.hardware_flops_per_gpu / time.model_flops_per_gpu
    tokens = number("D", layout.step_tokens, "tokens of a step", step="time.tokens")
    seconds = number("t", time.step_time_s, unit="s", step="throughput.step_time_s")
    return (
        step(
            "time.peak",
            "R = peak",
            (number("peak", as_tflops(peak), f"dense {precision}: {source}", "TFLOPS"),),
            as_tflops(peak),
            "TFLOPS",
            source,
            "R-T1",
        ),
        step(
            "time.sustained",
            "S = R·e",
            (
                number("R", as_tflops(peak), unit="TFLOPS", step="time.peak"),
                number(
                    "e", kernels.sustained_flops(hardware, precision, TYPICAL) / peak, "share that large products keep up on this board"
                ),
            ),
            as_tflops(kernels.sustained_flops(hardware, precision, TYPICAL)),
            "TFLOPS",
            "matmul benchmarks of the generation",
            "R-T1",
        ),
        step(
            "time.tokens",
            "D = s·b·a·dp",
            (
                number("s", layout.seq_len, "seq_len"),
                number("b", layout.micro_batch, "micro_batch"),
                number("a", layout.accumulation, "micro-batches a step"),
                number("dp", layout.dp, "data-parallel ranks"),
            ),
            layout.step_tokens,
            "1",
            "batch settings",
        ),
        step(
            "throughput.step_time_s",
            "t = compute + memory + collectives + bubble",
            (
                number("compute", time.compute_s, "products and attention of all passes at their sustained rates", "s"),
                number("memory", time.memory_s, "element-wise work, loss, optimizer at the achievable bandwidth; launches", "s"),
                number("collectives", time.collectives_s, "what the passes do not hide", "s"),
                number("bubble", time.bubble_s, "(pp − 1) micro-batches", "s"),
            ),
            time.step_time_s,
            "s",
            "roofline by block",
            "R-T1",
        ),
        step(
            "time.recomputation",
            "added = again/(t - again)",
            (number("again", again_s(model, train, layout, hardware), "forward passes run a second time", "s"), seconds),
            again_s(model, train, layout, hardware) / (time.step_time_s - again_s(model, train, layout, hardware)),
            "1",
            "roofline by block",
            "R-M6",
        ),
        step(
            "throughput.tokens_per_s_per_gpu",
            "r = D/t/n",
            (tokens, seconds, number("n", n, "GPUs")),
            time.tokens_per_s_per_gpu,
            "1/s",
            "definition",
        ),
        step(
            "throughput.samples_per_s",
            "r = D/s/t",
            (tokens, number("s", layout.seq_len, "seq_len"), seconds),
            time.samples_per_s,
            "1/s",
            "definition",
        ),
        step(
            "throughput.model_tflops_per_gpu",
            "U = c·D/t/n",
            (
                number("c", model_flop_per_token(model, layout.seq_len), "FLOP a token: 6·matrix parameters + 12·layers·q·s"),
                tokens,
                seconds,
                number("n", n, "GPUs"),
            ),
            as_tflops(time.model_flops_per_gpu),
            "TFLOPS",
            PALM,
            "R-T1",
        ),
        step(
            "throughput.hw_tflops_per_gpu",
            "H = U·x",
            (
                number("U", as_tflops(time.model_flops_per_gpu), unit="TFLOPS", step="throughput.model_tflops_per_gpu"),
                number("x", repeated, "what recomputation adds"),
            ),
            as_tflops(time.hardware_flops_per_gpu),
            "TFLOPS",
            PALM,
            "R-M6",
        ),
        step(
            "throughput.mfu",
            "mfu = U/R",
            (
                number("U", as_tflops(time.model_flops_per_gpu), unit="TFLOPS", step="throughput.model_tflops_per_gpu"),
                number("R", as_tflops(peak), unit="TFLOPS", step="time.peak"),
            ),
            time.mfu_ratio,
            "1",
            PALM,
            "R-D10",
        ),
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
                    "w", as_ms(speed.ttft_s - speed.prefill_s), "the decode step under way, and the queue where more ask than run", "ms"
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
                    "tokens that fit beside weights and reserve: (share·capacity − weights − activations − context) / bytes a token",
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
