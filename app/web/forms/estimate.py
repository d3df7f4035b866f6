"""The estimate page's own few fields: which GPU, how many, in which layout."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import InvalidInput, Message
from app.domain.intake import Requirements
from app.domain.intake.numbers import COUNT, read_number
from app.domain.workload.settings import Recomputation, Sharding, Task
from app.services.estimates import Choice, default_gpu, default_task, smallest

MOST_GPUS = 16384
WHOLE = ("n_gpus", "micro_batch", "tp", "pp", "ep")
ChoiceT = TypeVar("ChoiceT", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadChoice:
    """What was chosen, defaults where nothing or nonsense was; `raw` is shown back, `errors` says what was wrong."""

    choice: Choice
    raw: Mapping[str, str]
    errors: Mapping[str, Message]
    is_default: bool


def read_choice(query: Mapping[str, str], needs: Requirements, catalogue: Catalogue) -> ReadChoice:
    """The layout asked for. Without a number of GPUs it is the smallest that meets the need."""
    errors: dict[str, Message] = {}
    task = _one_of(Task, query.get("task", ""), default_task(needs))
    if (task is Task.TRAIN and needs.training is None) or (task is Task.INFER and needs.inference is None) or task is Task.COLLECTIVE:
        task = default_task(needs)
    gpu = query.get("gpu", "")
    if gpu not in {known.slug for known in catalogue.gpus}:
        gpu = default_gpu(needs, catalogue)
    whole = {key: _whole(key, query[key], errors) for key in WHOLE if query.get(key, "").strip()}
    if "n_gpus" not in query or "n_gpus" in errors:
        best = smallest(needs, task, gpu, catalogue)
        choice = best.choice if best else Choice(task=task, gpu=gpu)
        return ReadChoice(choice=choice, raw={**_raw(choice), **{key: query[key] for key in errors}}, errors=errors, is_default=not errors)
    choice = replace(
        Choice(task=task, gpu=gpu),
        gpu_count=whole.get("n_gpus", 1),
        micro_batch=whole.get("micro_batch", 1),
        tp=whole.get("tp", 1),
        pp=whole.get("pp", 1),
        ep=whole.get("ep", 1),
        sharding=_one_of(Sharding, query.get("sharding", ""), Sharding.NONE),
        act_ckpt=_one_of(Recomputation, query.get("act_ckpt", ""), Recomputation.FULL),
    )
    return ReadChoice(choice=choice, raw={**_raw(choice), **{key: query[key] for key in errors}}, errors=errors, is_default=False)


def _whole(key: str, typed: str, errors: dict[str, Message]) -> int:
    """A count; what cannot be one is noted and 1 stands in."""
    try:
        value = read_number(key, typed, COUNT, "")
        if value != value.to_integral_value():
            raise InvalidInput(key, "intake.not_whole", typed=typed[:40])
        if not 1 <= value <= MOST_GPUS:
            raise InvalidInput(key, "intake.not_positive" if value < 1 else "intake.too_large", limit=f"{MOST_GPUS:,}")
    except InvalidInput as error:
        errors[key] = error.message
        return 1
    return int(value)


def _one_of(choices: type[ChoiceT], typed: str, default: ChoiceT) -> ChoiceT:
    return next((choice for choice in choices if choice.value == typed), default)


def _raw(choice: Choice) -> dict[str, str]:
    return {
        "task": choice.task.value,
        "gpu": choice.gpu,
        "n_gpus": str(choice.gpu_count),
        "micro_batch": str(choice.micro_batch),
        "tp": str(choice.tp),
        "pp": str(choice.pp),
        "ep": str(choice.ep),
        "sharding": choice.sharding.value,
        "act_ckpt": choice.act_ckpt.value,
    }
