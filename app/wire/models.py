"""A model as the contract writes it: a name, a config.json, dimensions, or a bare parameter count."""

from decimal import Decimal
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import InvalidInput, message
from app.domain.estimate import Assumption
from app.domain.units import billions
from app.domain.workload.dimensions import Dimensions, corrected, from_dimensions
from app.domain.workload.hf_config import from_hf_config
from app.domain.workload.names import find_model, is_read_as_another
from app.wire.fields import Bounds, Fields, read_object

KEYS = {
    "n_layers": "layer_count",
    "hidden": "hidden",
    "n_heads": "head_count",
    "n_kv_heads": "kv_head_count",
    "ffn_hidden": "ffn_hidden",
    "vocab": "vocab",
    "head_dim": "head_dim",
    "moe_experts": "moe_expert_count",
    "moe_topk": "moe_topk",
}
FLAGS = {"gated_mlp": "is_gated_mlp", "tied_embeddings": "has_tied_embeddings"}
COUNTS = {"params_b": "parameter_count", "active_params_b": "active_parameter_count"}
BOUNDS = {
    "n_layers": Bounds(Decimal(1), Decimal(10_000)),
    "hidden": Bounds(Decimal(1), Decimal(1_000_000)),
    "n_heads": Bounds(Decimal(1), Decimal(100_000)),
    "n_kv_heads": Bounds(Decimal(1), Decimal(100_000)),
    "ffn_hidden": Bounds(Decimal(1), Decimal(10_000_000)),
    "vocab": Bounds(Decimal(1), Decimal(10_000_000)),
    "head_dim": Bounds(Decimal(1), Decimal(100_000)),
    "moe_experts": Bounds(Decimal(0), Decimal(100_000)),
    "moe_topk": Bounds(Decimal(0), Decimal(100_000)),
}
BILLIONS = Bounds(Decimal(0), Decimal(100_000), above_least=True)


def parse_model(data: Any, catalogue: Catalogue, field: str = "model") -> tuple[LanguageModel | OtherModel, tuple[Assumption, ...]]:
    """The model, and what was assumed about it. A name together with dimensions: the dimensions win. InvalidInput: names the field."""
    document = read_object(data, field)
    document.only("name", "hf_config", *KEYS, *FLAGS, *COUNTS)
    said = _dimensions(document)
    if document.has("hf_config"):
        made = from_hf_config(read_object(document.data["hf_config"], document.at("hf_config")).data)
        return corrected(made, said), ()
    if said.name is None:
        return from_dimensions(said)
    known = find_model(said.name, catalogue)
    if isinstance(known, LanguageModel):
        return corrected(known, said), ()
    if known is not None:
        return known, _stand_in(document, said.name, known)
    if said.hidden is None and said.parameter_count is None:
        raise InvalidInput(document.at("name"), "workload.unknown_model", name=said.name)
    if said.hidden is None:
        raise InvalidInput(document.at("name"), "estimate.not_modelled", knob=said.name)
    model, assumptions = from_dimensions(said)
    note = Assumption(field=document.at("name"), value=said.name, why=message("assume.unknown_model"))
    return model, (note, *assumptions)


def _stand_in(document: Fields, name: str, known: OtherModel) -> tuple[Assumption, ...]:
    if not is_read_as_another(name, known):
        return ()
    return (Assumption(field=document.at("name"), value=known.name, why=message("assume.stand_in", name=name, size=known.input)),)


def _dimensions(document: Fields) -> Dimensions:
    stated: dict[str, Any] = {}
    if document.has("name"):
        stated["name"] = document.text("name")
    for key, attribute in KEYS.items():
        if document.has(key):
            stated[attribute] = document.whole(key, BOUNDS[key], 0)
    for key, attribute in COUNTS.items():
        if document.has(key):
            stated[attribute] = billions(float(document.number(key, BILLIONS)))
    for key, attribute in FLAGS.items():
        if document.has(key):
            stated[attribute] = read_flag(document, key)
    return Dimensions(**stated)


def read_flag(document: Fields, key: str) -> bool:
    """True or false. InvalidInput: anything else."""
    value = document.data[key]
    if not isinstance(value, bool):
        raise InvalidInput(document.at(key), "workload.not_a_flag")
    return value
