"""Steps of what the whole run takes: duration, GPU-hours, power, energy."""

from app.domain.capacity.derivation.writing import number, step
from app.domain.capacity.results import Figures
from app.domain.estimate import Derivation, Step
from app.domain.units import as_hours
from app.domain.workload.settings import TrainSettings, Workload


def run_steps(workload: Workload, figures: Figures) -> Derivation:
    """Duration and GPU-hours where the amount of data is known; power, and energy where both are."""
    steps: list[Step] = []
    train = workload.train or TrainSettings()
    duration, time = figures.duration_s, figures.time
    if duration is not None and time is not None:
        is_text = train.train_tokens is not None and time.tokens_per_s_per_gpu > 0
        rate = time.samples_per_s / (time.tokens_per_s_per_gpu * workload.gpu_count) if is_text else 1.0
        samples = (train.train_tokens or 0.0) * rate if is_text else train.train_samples
        steps.append(
            step(
                "duration",
                "t = N/r",
                (
                    number("N", samples or 0.0, "samples of the run (tokens over those of a sample)"),
                    number("r", time.samples_per_s, unit="1/s", step="throughput.samples_per_s"),
                ),
                as_hours(duration),
                "h",
                "amount of data over its rate",
                "R-T1",
            )
        )
        steps.append(
            step(
                "gpu_hours",
                "h = t·n",
                (number("t", as_hours(duration), unit="h", step="duration"), number("n", workload.gpu_count, "GPUs")),
                as_hours(duration) * workload.gpu_count,
                "h",
                "all GPUs for the whole run",
            )
        )
    if figures.average_w is not None:
        steps.append(
            step(
                "power",
                "P = p",
                (number("p", figures.average_w, "board limit weighted by what the time goes to (MLPerf power submissions, 2023)", "W"),),
                figures.average_w,
                "W",
                "of one GPU while it works",
            )
        )
    if figures.energy_kwh is not None and figures.average_w is not None and duration is not None:
        steps.append(
            step(
                "energy",
                "E = P·n·t",
                (
                    number("P", figures.average_w, unit="W", step="power"),
                    number("n", workload.gpu_count, "GPUs"),
                    number("t", as_hours(duration), unit="h", step="duration"),
                ),
                figures.energy_kwh,
                "kWh",
                "GPUs only, without host and cooling",
            )
        )
    return tuple(steps)
