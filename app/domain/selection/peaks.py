"""Peak memory of the layouts of one workload, asked for once."""

from dataclasses import replace

from app.domain.capacity import Hardware, figures
from app.domain.errors import DomainError
from app.domain.intake.workloads import global_batch
from app.domain.workload import TrainSettings, Workload


class Peaks:
    """Peak memory of the layouts of one training workload. Of the hardware only the architecture counts, so a search over machines asks for
    each of them once."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], float | None] = {}

    def of(self, base: Workload, train: TrainSettings, micro_batch: int, hardware: Hardware) -> float | None:
        """Bytes of the device; None: the layout does not divide, or is not modelled."""
        architecture = hardware.gpu.architecture if hardware.gpu else ""
        key = (architecture, base.gpu_count, train.sharding, train.act_ckpt, train.tp, train.pp, train.ep, micro_batch)
        if key not in self._known:
            try:
                self._known[key] = figures(sized(base, train, micro_batch), hardware, has_speed=False).device_bytes
            except DomainError:
                self._known[key] = None
        return self._known[key]


def sized(base: Workload, train: TrainSettings, micro_batch: int) -> Workload:
    """The workload in this layout, with the global batch that comes closest to the usual one."""
    batch = global_batch(micro_batch, base.gpu_count // (train.tp * train.pp))
    return replace(base, train=replace(train, micro_batch=micro_batch, global_batch=batch))
