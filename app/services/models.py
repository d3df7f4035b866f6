"""The model as people name it on the second question: a catalogue name, a parameter count, or a pasted config.json."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import InvalidInput, Message
from app.domain.estimate import Assumption
from app.domain.intake.draft import MODEL_CONFIG, MODEL_NAME, MODEL_PARAMETERS, Typed
from app.domain.intake.numbers import COUNT, read_number
from app.domain.units import as_billions, billions
from app.domain.workload.names import find_model, is_read_as_another
from app.wire.workload import parse_model

LARGEST_PARAMETER_COUNT = billions(100_000)
CONFIG_LENGTH = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedModel:
    """The model, what had to be assumed about it, or what is wrong with what was typed."""

    document: Mapping[str, Any] | None = None  # the contract's `model`
    model: LanguageModel | OtherModel | None = None
    assumptions: tuple[Assumption, ...] = ()
    errors: Mapping[str, Message] = field(default_factory=dict)


def read_model(typed: Typed, catalogue: Catalogue) -> TypedModel:
    """A pasted config.json says most, then a name the catalogue knows, then the parameter count; a name that reads as a number is a count."""
    name, count, config = (typed.text(path) for path in (MODEL_NAME, MODEL_PARAMETERS, MODEL_CONFIG))
    try:
        document: dict[str, Any] = {}
        if config:
            document = {"hf_config": _config(config)}
        elif name and (known := find_model(name, catalogue)):
            document = {"name": name if is_read_as_another(name, known) else known.name}
        elif count:
            document = {"params_b": _billions(MODEL_PARAMETERS, count)}
        elif name:
            document = {"params_b": _billions_in_name(name, catalogue)}
        if not document:
            return TypedModel()
        model, assumptions = parse_model(document, catalogue)
    except InvalidInput as error:
        return TypedModel(errors={_page_field(error.field): error.message})
    return TypedModel(document=document, model=model, assumptions=assumptions)


def _billions(path: str, typed: str) -> float:
    """A parameter count; a bare number is billions."""
    count = float(read_number(path, typed, COUNT, "b"))
    if not 0 < count <= LARGEST_PARAMETER_COUNT:
        raise InvalidInput(
            path, "intake.not_positive" if count <= 0 else "intake.too_large", limit=f"{as_billions(LARGEST_PARAMETER_COUNT):,.0f}B"
        )
    return as_billions(count)


def _billions_in_name(name: str, catalogue: Catalogue) -> float:
    """`13B` in the name field. InvalidInput: neither a count nor a model of the catalogue, with the nearest name when there is one."""
    if name[:1].isdecimal() and name[-1:].casefold() in "bmt亿万":
        return _billions(MODEL_NAME, name)
    names = {alias.casefold(): model.name for model in catalogue.language_models for alias in (model.name, *model.aliases)}
    names |= {model.name.casefold(): model.name for model in catalogue.other_models}
    near = get_close_matches(name.casefold(), names, n=1, cutoff=0.6)
    if near:
        raise InvalidInput(MODEL_NAME, "intake.unknown_model_near", typed=name[:80], near=names[near[0]])
    raise InvalidInput(MODEL_NAME, "intake.unknown_model", typed=name[:80])


def _config(typed: str) -> Mapping[str, Any]:
    if len(typed) > CONFIG_LENGTH:
        raise InvalidInput(MODEL_CONFIG, "intake.too_long", limit_count=CONFIG_LENGTH)
    try:
        config = json.loads(typed)
    except (ValueError, RecursionError):
        raise InvalidInput(MODEL_CONFIG, "intake.not_json") from None
    if not isinstance(config, dict):
        raise InvalidInput(MODEL_CONFIG, "intake.not_json")
    return config


def _page_field(path: str) -> str:
    """The field of the page that an error about the model belongs to."""
    if path in (MODEL_NAME, MODEL_PARAMETERS, MODEL_CONFIG):
        return path
    return MODEL_CONFIG if path.startswith(MODEL_CONFIG) or "hf_config" in path else MODEL_PARAMETERS if "params" in path else MODEL_CONFIG
