"""The steps behind every figure, so that a buyer can check them by hand: formulas in symbols, and the value of each symbol.

A formula's right-hand side is plain arithmetic of its inputs (a test evaluates every one of them against its result)."""

from app.domain.capacity.derivation.memory import training_memory_steps
from app.domain.capacity.derivation.run import run_steps
from app.domain.capacity.derivation.samples import sample_steps
from app.domain.capacity.derivation.serving import collective_steps, serving_memory_steps, serving_steps
from app.domain.capacity.derivation.speed import training_steps
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.results import Figures
from app.domain.catalogue.models import OtherModel
from app.domain.estimate import Derivation
from app.domain.workload.settings import Task, Workload


def derive(workload: Workload, hardware: Hardware, figures: Figures) -> Derivation:
    """Steps in reading order: memory, speed, then what the whole run takes."""
    if workload.task is Task.COLLECTIVE:
        return collective_steps(workload, hardware, figures)
    if isinstance(workload.model, OtherModel):
        return (*sample_steps(workload, workload.model, hardware, figures), *run_steps(workload, figures))
    if workload.task is Task.INFER:
        return (*serving_memory_steps(workload, figures), *serving_steps(workload, hardware, figures), *run_steps(workload, figures))
    return (*training_memory_steps(workload), *training_steps(workload, hardware, figures), *run_steps(workload, figures))
