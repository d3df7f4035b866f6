"""Models from names, dimensions, a bare count and config.json."""

import re
from typing import Any

import pytest

from app.domain.catalogue.models import LanguageModel
from app.domain.errors import InvalidInput
from app.domain.workload import active_parameters, counted_parameters, parameters
from app.domain.workload.hf_config import from_hf_config
from app.seeds import load_catalogue
from app.wire.workload import parse_model

CATALOGUE = load_catalogue()
LLAMA_3 = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": False,
}
DEEPSEEK_V3 = {
    "model_type": "deepseek_v3",
    "hidden_size": 7168,
    "num_hidden_layers": 61,
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "intermediate_size": 18432,
    "moe_intermediate_size": 2048,
    "n_routed_experts": 256,
    "num_experts_per_tok": 8,
    "n_shared_experts": 1,
    "first_k_dense_replace": 3,
    "q_lora_rank": 1536,
    "kv_lora_rank": 512,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "v_head_dim": 128,
    "vocab_size": 129280,
}


def model_of(data: dict[str, Any]) -> LanguageModel:
    model, _ = parse_model(data, CATALOGUE)
    assert isinstance(model, LanguageModel)
    return model


@pytest.mark.parametrize(("config", "billions"), [(LLAMA_3, 8.030), (DEEPSEEK_V3, 671.0)])
def test_config_gives_the_published_parameters(config: dict[str, Any], billions: float) -> None:
    assert counted_parameters(from_hf_config(config)) / 1e9 == pytest.approx(billions, rel=0.001)


def test_config_with_nested_blocks_and_a_shared_expert_is_read() -> None:
    qwen = {
        "model_type": "qwen2_moe", "hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 16, "num_key_value_heads": 16,
        "intermediate_size": 5632, "moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632, "num_experts": 60,
        "num_experts_per_tok": 4, "vocab_size": 151936,
    }  # fmt: skip
    assert counted_parameters(from_hf_config(qwen)) / 1e9 == pytest.approx(14.3, rel=0.01)
    dbrx = {
        "model_type": "dbrx", "d_model": 6144, "n_layers": 40, "n_heads": 48, "vocab_size": 100352, "attn_config": {"kv_n_heads": 8},
        "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4},
    }  # fmt: skip
    made = from_hf_config(dbrx)
    assert (made.moe_expert_count, made.moe_topk, made.kv_head_count) == (16, 4, 8)
    assert counted_parameters(made) / 1e9 == pytest.approx(131.6, rel=0.01)


def test_config_of_a_multimodal_model_is_read_from_its_text_part() -> None:
    assert from_hf_config({"model_type": "llava", "text_config": LLAMA_3}).hidden == 4096


def test_config_counts_layers_with_a_window() -> None:
    config = LLAMA_3 | {"sliding_window": 1024, "layer_types": ["sliding_attention"] * 5 + ["full_attention"]}
    assert from_hf_config(config).sliding_pattern == "5 local : 27 global"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"hidden_size": None}, "model.hf_config.hidden_size"),
        ({"num_hidden_layers": -1}, "model.hf_config.num_hidden_layers"),
        ({"vocab_size": "many"}, "model.hf_config.vocab_size"),
        ({"num_key_value_heads": 5}, "model.hf_config.num_key_value_heads"),
        ({"num_attention_heads": 8192}, "model.hf_config.num_attention_heads"),
    ],
)
def test_unusable_config_names_its_key(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        from_hf_config(LLAMA_3 | change)
    assert refused.value.field == field


def test_catalogue_models_count_to_their_published_size() -> None:
    """Within 1.5 % for all but a tenth: the rest have parts that no dimension column tells."""
    off = [
        model.name
        for model in CATALOGUE.language_models
        if model.parameter_count and model.attention != "hybrid" and abs(counted_parameters(model) / model.parameter_count - 1) > 0.015
    ]
    assert len(off) < len(CATALOGUE.language_models) / 10


@pytest.mark.parametrize("size_b", [0.05, 0.125, 1, 3, 7, 13, 34, 70, 180, 400])
def test_a_bare_count_becomes_a_plausible_model_of_exactly_that_size(size_b: float) -> None:
    model, assumptions = parse_model({"params_b": size_b}, CATALOGUE)
    assert isinstance(model, LanguageModel)
    assert parameters(model).total == size_b * 1e9
    assert counted_parameters(model) == pytest.approx(size_b * 1e9, rel=0.25)
    assert {"model.n_layers", "model.hidden", "model.vocab"} <= {assumption.field for assumption in assumptions}


def test_dimensions_beat_the_name() -> None:
    model = model_of({"name": "llama-2-7b", "n_layers": 16})
    assert model.layer_count == 16
    assert parameters(model).total == pytest.approx(3.5e9, rel=0.01)


def test_gated_and_tied_follow_from_the_parameter_count() -> None:
    plain = model_of({"name": "x", "params_b": 6.65, "n_layers": 32, "hidden": 4096, "n_heads": 32, "ffn_hidden": 16384, "vocab": 50368})
    gated = model_of({"name": "y", "params_b": 6.738, "n_layers": 32, "hidden": 4096, "n_heads": 32, "ffn_hidden": 11008, "vocab": 32000})
    assert (plain.is_gated_mlp, plain.has_tied_embeddings) == (False, True)
    assert (gated.is_gated_mlp, gated.has_tied_embeddings) == (True, False)


def test_a_token_passes_through_the_chosen_experts_only() -> None:
    mixtral = CATALOGUE.language_model("mixtral-8x7b")
    assert mixtral is not None
    assert active_parameters(mixtral) / 1e9 == pytest.approx(12.9, rel=0.01)
    made = parameters(mixtral)
    assert made.active_mlp / made.mlp == pytest.approx(2 / 8, rel=0.01)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({}, "model"),
        ({"name": "gpt-17"}, "model.name"),
        ({"params_b": -7}, "model.params_b"),
        ({"params_b": True}, "model.params_b"),
        ({"params_b": 7, "colour": 1}, "model.colour"),
        ({"hidden": 4096, "n_heads": 32, "n_kv_heads": 5}, "model.n_kv_heads"),
        ({"params_b": 7, "gated_mlp": "yes"}, "model.gated_mlp"),
        ({"hf_config": []}, "model.hf_config"),
        ([], "model"),
    ],
)
def test_bad_models_name_their_field(data: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_model(data, CATALOGUE)
    assert refused.value.field == field
    assert re.fullmatch(r"[a-z_]+\.[a-z_]+", refused.value.message.code)
