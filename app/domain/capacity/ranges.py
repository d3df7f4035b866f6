"""Ranges of all figures at once: every constant is moved to its low and its high, the differences combine in quadrature."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from app.domain.capacity.figures import computed
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.memory.states import is_model_parallel
from app.domain.capacity.physics import MEMORY_SPREAD, TIME_SPREAD, TYPICAL, Physics, Spread, moved
from app.domain.capacity.results import Figures
from app.domain.catalogue.models import OtherModel
from app.domain.estimate import Basis, Estimate, spread
from app.domain.workload.settings import Knob, Recomputation, Task, Workload


class Ranges:
    """Evaluates the formulas once per moved constant and reads every figure's range from those evaluations."""

    def __init__(self, workload: Workload, hardware: Hardware, assumed: frozenset[str] = frozenset()) -> None:
        self.typical = computed(workload, hardware, TYPICAL)
        is_timed = hardware.gpu is not None
        memory = {} if workload.task is Task.COLLECTIVE else _relevant_to_memory(workload)
        self._memory = _evaluations(workload, hardware, memory, is_memory=True)
        if memory and (listed := _as_lists(workload)) is not None:
            more = computed(listed, hardware, TYPICAL, has_speed=False)
            self._memory["foreach"] = (more, more)  # nobody said how the optimizer steps
        self._time = _evaluations(workload, hardware, _relevant(workload), is_memory=False) if is_timed else {}
        train = workload.train
        if is_timed and train is not None and "train.act_ckpt" in assumed and not isinstance(workload.model, OtherModel):
            other = Recomputation.FULL if train.act_ckpt is Recomputation.NONE else Recomputation.NONE
            without = replace(workload, train=replace(train, act_ckpt=other))
            moved_to = computed(without, hardware, TYPICAL, has_memory=False)
            self._time["act_ckpt"] = (moved_to, moved_to)  # nobody said whether anything is recomputed (R-M6)

    def memory(self, figure: Callable[[Figures], float], basis: Basis = Basis.MODELLED) -> Estimate:
        """The range of a memory figure."""
        return self._range(figure, self._memory, basis)

    def time(self, figure: Callable[[Figures], float], basis: Basis = Basis.MODELLED) -> Estimate:
        """The range of a speed, power or duration figure."""
        return self._range(figure, self._time, basis)

    def _range(self, figure: Callable[[Figures], float], evaluations: Mapping[str, tuple[Figures, Figures]], basis: Basis) -> Estimate:
        centre = figure(self.typical)
        ends = {name: [figure(end) for end in pair] for name, pair in evaluations.items()}
        inputs = {name: Estimate(min(centre, *values) - centre, 0.0, max(centre, *values) - centre, basis) for name, values in ends.items()}
        if not inputs:
            return Estimate(centre, centre, centre, basis)
        moves = spread(lambda **by: centre + sum(by.values()), **inputs)
        return Estimate(max(moves.low, 0.0), centre, moves.high, basis)


def _as_lists(workload: Workload) -> Workload | None:
    """The same with an optimizer that works on lists of tensors, where nothing says it does not."""
    train = workload.train
    if train is None or isinstance(workload.model, OtherModel) or Knob.FOREACH_OPTIMIZER in train.knobs or is_model_parallel(train):
        return None
    return replace(workload, train=replace(train, knobs=(*train.knobs, Knob.FOREACH_OPTIMIZER)))


def _relevant_to_memory(workload: Workload) -> Mapping[str, Spread]:
    """Pipelines have schedules and Megatron or DeepSpeed behind them; other runs have neither question."""
    train = workload.train
    skipped = set() if train is not None and (train.pp > 1 or train.tp > 1) else {"in_flight_ratio", "gradient_ratio"}
    if train is not None and train.interleave > 1:
        skipped |= {"in_flight_ratio"}
    return {name: ends for name, ends in MEMORY_SPREAD.items() if name not in skipped}


def _relevant(workload: Workload) -> Mapping[str, Spread]:
    """The constants that can matter: links only where GPUs talk."""
    if workload.task is Task.COLLECTIVE:
        return {name: TIME_SPREAD[name] for name in ("link_ratio", "network_ratio", "hop_ratio")}
    alone = workload.gpu_count == 1
    is_text = not isinstance(workload.model, OtherModel)
    served = (
        {"elementwise_ratio", "kernel_s", "overlap_ratio"}
        if workload.task is Task.INFER and is_text
        else {"host_ratio", "queue_ratio", "prefill_ratio"}
    )
    skipped = {"hop_ratio"} | ({"network_ratio"} if workload.node_count == 1 else set())  # steps count in small messages only
    skipped |= {"link_ratio", "network_ratio", "overlap_ratio"} if alone else set()
    spreads_experts = workload.train is not None and workload.train.ep > 1
    skipped |= set() if spreads_experts else {"imbalance_ratio"}
    return {name: ends for name, ends in TIME_SPREAD.items() if name not in skipped | served}


def _evaluations(
    workload: Workload, hardware: Hardware, spreads: Mapping[str, Spread], *, is_memory: bool
) -> dict[str, tuple[Figures, Figures]]:
    is_speed = not is_memory or workload.task is Task.INFER  # what the cache holds follows from memory and decides the speed

    def at(physics: Physics) -> Figures:
        return computed(workload, hardware, physics, has_memory=is_memory, has_speed=is_speed)

    return {name: (at(moved(name, ends.low)), at(moved(name, ends.high))) for name, ends in spreads.items()}
