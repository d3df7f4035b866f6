"""Steps of the speed table."""

from app.domain.capacity import kernels
from app.domain.capacity.derivation.writing import number, step
from app.domain.capacity.hardware import Hardware, peak_flops
from app.domain.capacity.layout import training_layout
from app.domain.capacity.physics import TYPICAL
from app.domain.capacity.results import Figures
from app.domain.capacity.support import required_model
from app.domain.capacity.time import again_s, step_flop_per_token
from app.domain.estimate import Derivation
from app.domain.units import as_tflops
from app.domain.workload.settings import TrainSettings, Workload

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
                number("s", layout.sample_tokens, "tokens of a sample: seq_len, less padding where it is packed away"),
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
                number("bubble", time.bubble_s, "(pp − 1) micro-batches, divided by the groups of layers that take turns", "s"),
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
            (tokens, number("s", layout.sample_tokens, "tokens of a sample"), seconds),
            time.samples_per_s,
            "1/s",
            "definition",
        ),
        step(
            "throughput.model_tflops_per_gpu",
            "U = c·D/t/n",
            (
                number(
                    "c",
                    step_flop_per_token(model, layout),
                    "FLOP a token: 6·matrix parameters + 12·layers·q·s; a third forward, the rest where a backward pass runs",
                ),
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
