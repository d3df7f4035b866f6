"""Steps for models known by their samples."""

from app.domain.capacity import kernels
from app.domain.capacity.derivation.writing import gibibytes, number, size_step, step
from app.domain.capacity.formats import weight_format
from app.domain.capacity.hardware import Hardware, peak_flops
from app.domain.capacity.results import Figures, MemoryFigures
from app.domain.capacity.samples import FORWARD_LIVE_RATIO, sample, sample_run
from app.domain.catalogue.models import OtherModel
from app.domain.estimate import Derivation
from app.domain.units import as_ms, as_tflops
from app.domain.workload.settings import InferSettings, Task, TrainSettings, Workload

LINES = ("weights", "gradients", "optimizer", "activations", "buckets", "temporary", "fragmentation", "context")


def sample_steps(workload: Workload, model: OtherModel, hardware: Hardware, figures: Figures) -> Derivation:
    """Memory of the batch, then speed in samples."""
    memory = figures.memory
    if memory is None:
        return ()
    source = f"{model.source.title}, {model.source.on}"
    if workload.task is Task.INFER:
        return (*_memory(memory), *_serving(workload, model, figures, source))
    run = sample_run(model, workload.train or TrainSettings(), workload.gpu_count)
    activations = size_step(
        "memory.activations",
        "A = batch·a·wide",
        (
            number("batch", run.train.micro_batch, "samples of a micro-batch"),
            number("a", run.one.activation_bytes, f"saved activations of a sample in 16 bit: {source}", "B"),
            number("wide", run.wide_ratio, "2 in fp32"),
        ),
        memory.activations_bytes,
        source,
        "R-M6",
    )
    return (
        activations,
        *(entry for entry in _memory(memory) if entry.key != "memory.activations"),
        *_training(workload, hardware, figures, source),
    )


def _memory(memory: MemoryFigures) -> Derivation:
    symbols = dict(zip(LINES, ("W", "G", "O", "A", "B", "T", "F", "C"), strict=True))
    lines = tuple(
        size_step(
            f"memory.{name}",
            f"{symbol} = {name}",
            (gibibytes(name, getattr(memory, f"{name}_bytes"), source="parameters, batch and method constants"),),
            getattr(memory, f"{name}_bytes"),
            "model row of the catalogue and method constants",
            "R-M3" if name in ("weights", "gradients", "optimizer") else "R-M5",
        )
        for name, symbol in symbols.items()
    )
    total = size_step(
        "memory.device",
        "device = " + " + ".join(symbols.values()),
        tuple(gibibytes(symbol, getattr(memory, f"{name}_bytes"), f"memory.{name}") for name, symbol in symbols.items()),
        memory.device_bytes,
        "what nvidia-smi shows",
        "R-M5",
    )
    return (*lines, total)


def _training(workload: Workload, hardware: Hardware, figures: Figures, source: str) -> Derivation:
    time, train = figures.time, workload.train or TrainSettings()
    if time is None:
        return ()
    precision = kernels.COMPUTE_FORMAT[train.precision]
    peak = peak_flops(hardware, precision)
    return (
        step(
            "throughput.step_time_s",
            "t = compute + memory + collectives",
            (
                number("compute", time.compute_s, f"6·MAC a sample at the sustained {precision} rate: {source}", "s"),
                number("memory", time.memory_s, "passes over the activations and the optimizer at the achievable bandwidth", "s"),
                number("collectives", time.collectives_s, "what the backward pass does not hide", "s"),
            ),
            time.step_time_s,
            "s",
            "roofline of one step",
            "R-T1",
        ),
        step(
            "throughput.samples_per_s",
            "r = N/t",
            (
                number("N", time.samples_per_s * time.step_time_s, "samples of a step over all GPUs"),
                number("t", time.step_time_s, unit="s", step="throughput.step_time_s"),
            ),
            time.samples_per_s,
            "1/s",
            "definition",
        ),
        step(
            "throughput.mfu",
            "mfu = U/R",
            (
                number("U", as_tflops(time.model_flops_per_gpu), "6·MAC·samples a second and GPU", "TFLOPS"),
                number("R", as_tflops(peak), f"dense {precision} peak", "TFLOPS"),
            ),
            time.mfu_ratio,
            "1",
            "definition",
            "R-D10",
        ),
    )


def _serving(workload: Workload, model: OtherModel, figures: Figures, source: str) -> Derivation:
    speed, infer = figures.serving, workload.infer or InferSettings()
    if speed is None:
        return ()
    one, weights = sample(model, infer.image_size, "infer"), weight_format(infer.weight_precision, infer.weight_format)
    return (
        step(
            "serving.step",
            "t = compute + memory",
            (
                number(
                    "compute",
                    as_ms(speed.compute_s),
                    f"2·{one.mac:g} multiply-accumulates a sample at the sustained {weights.compute} rate: {source}",
                    "ms",
                ),
                number(
                    "memory", as_ms(speed.memory_s), f"passes over activations ({FORWARD_LIVE_RATIO:g} of them alive) and weights", "ms"
                ),
            ),
            as_ms(speed.step_s),
            "ms",
            "roofline of a batch",
            "R-T2",
        ),
        step(
            "throughput.req_s",
            "r = batch·n/t",
            (
                number("batch", speed.batch_per_replica, "samples together on a GPU"),
                number("n", workload.gpu_count, "GPUs"),
                number("t", as_ms(speed.step_s), unit="ms", step="serving.step"),
            ),
            speed.requests_per_s,
            "1/s",
            "definition",
        ),
    )
