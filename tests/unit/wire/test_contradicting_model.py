"""A stated parameter count that the dimensions contradict is named; one that they nearly explain stands."""

from typing import Any

import pytest

from app.domain.errors import InvalidInput
from app.seeds import load_catalogue
from app.wire.workload import parse_model


@pytest.mark.parametrize(
    "model",
    [
        {"params_b": 7, "vocab": 160255, "n_layers": 1, "hidden": 160561},
        {"name": "llama-2-7b", "params_b": 0.001},
    ],
)
def test_total_far_below_the_dimensions_is_refused(model: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_model(model, load_catalogue())
    assert (refused.value.field, refused.value.message.code) == ("model.params_b", "workload.too_few_parameters")


LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 33, "vocab_size": 32000}


@pytest.mark.parametrize(
    ("model", "field"),
    [
        ({"params_b": 7, "active_params_b": 9}, "model.active_params_b"),
        ({"name": "mixtral-8x7b", "active_params_b": 100}, "model.active_params_b"),
        ({"params_b": 7, "n_layers": 32, "hidden": 4096, "n_heads": 33}, "model.n_heads"),
        ({"hf_config": LLAMA}, "model.hf_config.num_attention_heads"),
    ],
)
def test_dimensions_that_contradict_each_other_are_refused_by_name(model: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_model(model, load_catalogue())
    assert refused.value.field == field


@pytest.mark.parametrize(
    "model", [{"params_b": 7, "n_layers": 32, "hidden": 4096, "n_heads": 33, "head_dim": 128}, {"hf_config": {**LLAMA, "head_dim": 128}}]
)
def test_heads_of_a_size_of_their_own_stand(model: dict[str, Any]) -> None:
    made, _ = parse_model(model, load_catalogue())
    assert (made.head_count, made.head_dim) == (33, 128)


@pytest.mark.parametrize(
    "model", [{"name": "llama-2-7b", "params_b": 6.7}, {"params_b": 7, "n_layers": 32, "hidden": 4096}, {"name": "nemotron-3-nano-30b-a3b"}]
)
def test_total_that_the_dimensions_explain_stands(model: dict[str, Any]) -> None:
    made, _ = parse_model(model, load_catalogue())
    assert made.parameter_count
