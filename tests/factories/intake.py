"""A small catalogue for tests of the intake: two models, a server that takes anything, one that takes consumer cards only."""

from dataclasses import replace

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Server
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.catalogue.source import Evidence, Source

A_SOURCE = Source(title="made up for tests", url=None, on="2026-01-01", evidence=Evidence.CONFIRMED)


def a_language_model(**fields: object) -> LanguageModel:
    """Llama-2-7B's dimensions."""
    model = LanguageModel(
        name="llama-2-7b",
        aliases=("meta-llama/Llama-2-7b-hf",),
        family="llama-2",
        kind="decoder",
        parameter_count=6.738e9,
        active_parameter_count=6.738e9,
        layer_count=32,
        hidden=4096,
        head_count=32,
        kv_head_count=32,
        head_dim=128,
        ffn_hidden=11008,
        is_gated_mlp=True,
        vocab=32000,
        has_tied_embeddings=False,
        norm="rms",
        max_context=4096,
        sliding_window=None,
        sliding_pattern=None,
        attention="mha",
        mla_kv_lora_rank=None,
        mla_rope_dim=None,
        mla_q_lora_rank=None,
        mla_v_dim=None,
        moe_expert_count=None,
        moe_topk=None,
        moe_shared_expert_count=None,
        moe_expert_ffn=None,
        first_dense_layer_count=None,
        dense_ffn_hidden=None,
        has_linear_bias=False,
        notes="",
        source=A_SOURCE,
    )
    return replace(model, **fields)  # type: ignore[arg-type]


def an_image_model(**fields: object) -> OtherModel:
    """ResNet-50."""
    model = OtherModel(
        name="resnet-50",
        task="image classification",
        parameter_count=25.557e6,
        input="224x224x3",
        forward_mac_count=4.09e9,
        activation_train_fp16_bytes=None,
        embedding_bytes=None,
        embedding_table_count=None,
        embedding_dim=None,
        lookup_count=None,
        basis="computed",
        notes="",
        source=A_SOURCE,
    )
    return replace(model, **fields)  # type: ignore[arg-type]


def a_catalogue_of(*models: LanguageModel | OtherModel, servers: tuple[Server, ...] = ()) -> Catalogue:
    """A catalogue with these models and servers, and nothing else."""
    return Catalogue(
        revision="test",
        gpus=(),
        servers=servers,
        links=(),
        precision_support=(),
        language_models=tuple(model for model in models if isinstance(model, LanguageModel)),
        other_models=tuple(model for model in models if isinstance(model, OtherModel)),
        purchase_prices=(),
        rental_prices=(),
        cost_factors=(),
        policy_rows=(),
        policy_values=(),
    )
