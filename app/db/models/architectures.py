"""Language models and other models."""

from sqlalchemy.orm import Mapped

from app.db.models.base import Base
from app.db.models.catalogue import Fact, texts


class LanguageModelModel(Fact, Base):
    """A transformer by its dimensions."""

    __tablename__ = "language_models"

    name: Mapped[str]
    aliases: Mapped[list[str]] = texts()
    family: Mapped[str]
    kind: Mapped[str]
    parameter_count: Mapped[float]
    active_parameter_count: Mapped[float | None]
    layer_count: Mapped[int]
    hidden: Mapped[int]
    head_count: Mapped[int]
    kv_head_count: Mapped[int]
    head_dim: Mapped[int]
    ffn_hidden: Mapped[int]
    is_gated_mlp: Mapped[bool]
    vocab: Mapped[int]
    has_tied_embeddings: Mapped[bool]
    norm: Mapped[str]
    max_context: Mapped[int | None]
    sliding_window: Mapped[int | None]
    sliding_pattern: Mapped[str | None]
    attention: Mapped[str]
    mla_kv_lora_rank: Mapped[int | None]
    mla_rope_dim: Mapped[int | None]
    mla_q_lora_rank: Mapped[int | None]
    mla_v_dim: Mapped[int | None]
    moe_expert_count: Mapped[int | None]
    moe_topk: Mapped[int | None]
    moe_shared_expert_count: Mapped[int | None]
    moe_expert_ffn: Mapped[int | None]
    first_dense_layer_count: Mapped[int | None]
    dense_ffn_hidden: Mapped[int | None]
    has_linear_bias: Mapped[bool]
    notes: Mapped[str]


class OtherModelModel(Fact, Base):
    """A model by its published compute and activations."""

    __tablename__ = "other_models"

    name: Mapped[str]
    task: Mapped[str]
    parameter_count: Mapped[float | None]
    input: Mapped[str]
    forward_mac_count: Mapped[float | None]
    activation_train_fp16_bytes: Mapped[float | None]
    embedding_bytes: Mapped[float | None]
    basis: Mapped[str]
    notes: Mapped[str]
