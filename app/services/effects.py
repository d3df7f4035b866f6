"""How much an assumption matters: the smallest number of GPUs with the assumed value and with other plausible ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from app.domain.catalogue.catalogue import Catalogue
from app.domain.estimate import Assumption
from app.domain.intake import Requirements
from app.domain.units import ms
from app.domain.workload.settings import Task
from app.services.estimates import Sizing, default_gpu, smallest

Weight = Literal["much", "some", "little"]
Change = Callable[[Requirements], Requirements]
NOTICEABLE_RATIO = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What another plausible value would do. `other` is that value in the contract's unit; counts are of the default GPU."""

    weight: Weight
    other: str | int | float
    gpu_count: int
    other_gpu_count: int
    was_met: bool
    is_met: bool
    device_bytes: float
    other_device_bytes: float
    duration_s: float | None
    other_duration_s: float | None

    @property
    def changes_duration(self) -> bool:
        """Whether a run takes noticeably longer or shorter."""
        if not self.duration_s or not self.other_duration_s:
            return False
        return abs(self.other_duration_s / self.duration_s - 1) > NOTICEABLE_RATIO


def _train(**values: object) -> Change:
    return lambda needs: replace(needs, training=replace(needs.training, **values) if needs.training else None)  # type: ignore[arg-type]


def _serve(**values: object) -> Change:
    return lambda needs: replace(needs, inference=replace(needs.inference, **values) if needs.inference else None)  # type: ignore[arg-type]


def _train_scaled(field: str, factor: float) -> Change:
    return lambda needs: _train(**{field: getattr(needs.training, field) * factor})(needs)


# Other plausible answers, the one that needs more first: what people who do know usually say.
OTHERS: Mapping[str, tuple[tuple[str | int | float, Change], ...]] = MappingProxyType(
    {
        "training.seq_len": ((8192, _train(seq_len=8192)), (512, _train(seq_len=512))),
        "training.method": (("lora", _train(method="lora")),),
        "training.precision": (("fp32", _train(precision="fp32")),),
        "training.samples": (("× 10", _train_scaled("sample_count", 10)), ("÷ 10", _train_scaled("sample_count", 0.1))),
        "training.epochs": (("× 3", _train_scaled("epochs", 3)), ("÷ 3", _train_scaled("epochs", 1 / 3))),
        "training.deadline_days": (("÷ 2", _train_scaled("deadline_s", 0.5)), ("× 2", _train_scaled("deadline_s", 2))),
        "inference.qps": ((50, _serve(qps=50.0)), (1, _serve(qps=1.0))),
        "inference.in_len": ((8192, _serve(in_len=8192)), (256, _serve(in_len=256))),
        "inference.out_len": ((1024, _serve(out_len=1024)), (64, _serve(out_len=64))),
        "inference.ttft_ms": ((450, _serve(ttft_s=ms(450))),),
        "inference.tpot_ms": ((40, _serve(tpot_s=ms(40))),),
        "inference.weight_precision": (("int8", _serve(weight_precision="int8")), ("int4", _serve(weight_precision="int4"))),
        "inference.concurrency": ((256, _serve(concurrency=256.0)), (8, _serve(concurrency=8.0))),
    }
)


def effects(needs: Requirements, catalogue: Catalogue) -> Mapping[str, Effect]:
    """For each assumed field the other value that changes the answer most. Fields that the estimator does not read have none."""
    gpu, bases = default_gpu(needs, catalogue), dict[Task, Sizing | None]()
    found: dict[str, Effect] = {}
    for assumption in needs.assumptions:
        task = Task.INFER if assumption.field.startswith("inference.") else Task.TRAIN
        others = _others(assumption)
        if not others:
            continue
        base = bases.setdefault(task, smallest(needs, task, gpu, catalogue))
        if base is None:
            continue
        tried = [_effect(base, other, smallest(change(needs), task, gpu, catalogue)) for other, change in others]
        known = [effect for effect in tried if effect is not None]
        if known:
            found[assumption.field] = max(known, key=_distance)
    return found


def _others(assumption: Assumption) -> tuple[tuple[str | int | float, Change], ...]:
    return tuple((other, change) for other, change in OTHERS.get(assumption.field, ()) if other != assumption.value)


def _effect(base: Sizing, other: str | int | float, sizing: Sizing | None) -> Effect | None:
    if sizing is None or not (base.meets or sizing.meets):
        return None
    effect = Effect(
        weight="much",
        other=other,
        gpu_count=base.choice.gpu_count,
        other_gpu_count=sizing.choice.gpu_count,
        was_met=base.meets,
        is_met=sizing.meets,
        device_bytes=base.device_bytes,
        other_device_bytes=sizing.device_bytes,
        duration_s=base.duration_s,
        other_duration_s=sizing.duration_s,
    )
    if effect.gpu_count != effect.other_gpu_count or effect.was_met != effect.is_met:
        return effect
    moved = abs(effect.other_device_bytes / effect.device_bytes - 1) > NOTICEABLE_RATIO
    return replace(effect, weight="some" if moved or effect.changes_duration else "little")


def _distance(effect: Effect) -> tuple[float, ...]:
    if effect.was_met != effect.is_met:
        return (float("inf"),)
    counts = max(effect.gpu_count, effect.other_gpu_count) / min(effect.gpu_count, effect.other_gpu_count)
    sizes = max(effect.device_bytes, effect.other_device_bytes) / max(min(effect.device_bytes, effect.other_device_bytes), 1.0)
    times = [effect.duration_s or 1.0, effect.other_duration_s or 1.0]
    return counts, sizes * max(times) / min(times)
