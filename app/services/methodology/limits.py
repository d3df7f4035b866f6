"""What the method refuses, found by asking it: every value of every setting is tried alone on a plain workload."""

from dataclasses import dataclass
from typing import Any

from app.domain.capacity import figures, resolve_hardware
from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import DomainError
from app.domain.intake.fields import TRAINING_PRECISIONS, WEIGHT_PRECISIONS
from app.domain.workload.settings import Knob, Method, Offload, Optimizer, Recomputation, Sharding
from app.wire.workload import parse_workload

REFUSED = "estimate.not_modelled"
TRAIN: dict[str, list[Any]] = {
    "method": [each.value for each in Method],
    "precision": list(TRAINING_PRECISIONS),
    "optimizer": [each.value for each in Optimizer],
    "sharding": [each.value for each in Sharding],
    "offload": [each.value for each in Offload],
    "act_ckpt": [each.value for each in Recomputation],
    "tp": [2],
    "pp": [2],
    "cp": [2],
    "ep": [2],
    "knobs": [[each.value] for each in Knob],
}
INFER: dict[str, list[Any]] = {
    "weight_precision": list(WEIGHT_PRECISIONS),
    "kv_precision": ["fp16", "bf16", "fp8", "int8"],
    "tp": [2],
    "pp": [2],
}
PLAIN = {"train": ("llama-2-7b", "resnet-50"), "infer": ("llama-2-7b", "vit-l-16")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A setting that is refused by name for a kind of model; `field` is the contract's."""

    model: str
    field: str
    value: str


def refusals(catalogue: Catalogue) -> tuple[Refusal, ...]:
    """Settings first, then models of the catalogue."""
    found = []
    for task, settings in (("train", TRAIN), ("infer", INFER)):
        for model in PLAIN[task]:
            for setting, values in settings.items():
                for value in values:
                    if _is_refused({"model": {"name": model}, "task": task, task: {setting: value}}, catalogue):
                        text = value[0] if isinstance(value, list) else str(value)
                        found.append(Refusal(model=model, field=f"{task}.{setting}", value=text))
    for name in (*(each.name for each in catalogue.language_models), *(each.name for each in catalogue.other_models)):
        tasks = [task for task in PLAIN if _is_refused({"model": {"name": name}, "task": task, task: {}}, catalogue)]
        found.extend(Refusal(model=name, field=task, value="") for task in tasks)
    return tuple(found)


def _is_refused(document: dict[str, Any], catalogue: Catalogue) -> bool:
    try:
        workload, _ = parse_workload({"gpu": "h100-sxm5-80gb", "n_gpus": 8, **document}, catalogue)
        hardware, _ = resolve_hardware(workload, catalogue)
        figures(workload, hardware)
    except DomainError as error:
        return error.message.code == REFUSED
    return False
