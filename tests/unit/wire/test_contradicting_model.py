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


@pytest.mark.parametrize(
    "model", [{"name": "llama-2-7b", "params_b": 6.7}, {"params_b": 7, "n_layers": 32, "hidden": 4096}, {"name": "nemotron-3-nano-30b-a3b"}]
)
def test_total_that_the_dimensions_explain_stands(model: dict[str, Any]) -> None:
    made, _ = parse_model(model, load_catalogue())
    assert made.parameter_count
