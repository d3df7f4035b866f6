"""Model architectures by name: language models with real dimensions, and other models with published compute and activation sizes."""

from dataclasses import dataclass

from app.domain.catalogue.source import Source
from app.domain.units import Bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModel:
    """A transformer's dimensions as its configuration file states them."""

    name: str
    aliases: tuple[str, ...]
    family: str
    kind: str  # decoder | encoder | encoder-decoder
    parameter_count: float
    active_parameter_count: float | None
    layer_count: int
    hidden: int
    head_count: int
    kv_head_count: int
    head_dim: int
    ffn_hidden: int
    is_gated_mlp: bool
    vocab: int
    has_tied_embeddings: bool
    norm: str
    max_context: int | None
    sliding_window: int | None
    sliding_pattern: str | None
    attention: str  # mha | gqa | mqa | mla | hybrid
    mla_kv_lora_rank: int | None
    mla_rope_dim: int | None
    mla_q_lora_rank: int | None
    mla_v_dim: int | None
    moe_expert_count: int | None
    moe_topk: int | None
    moe_shared_expert_count: int | None
    moe_expert_ffn: int | None
    first_dense_layer_count: int | None
    dense_ffn_hidden: int | None
    has_linear_bias: bool
    notes: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherModel:
    """A vision, diffusion, speech, recommender or graph model, known by its size, its forward multiply-accumulates and its activations."""

    name: str
    task: str
    parameter_count: float | None
    input: str
    forward_mac_count: float | None
    activation_train_fp16_bytes: Bytes | None
    embedding_bytes: Bytes | None
    embedding_table_count: int | None
    embedding_dim: int | None  # numbers of one row of a table
    lookup_count: int | None  # rows that one sample looks up, over all tables
    basis: str  # computed | published
    notes: str
    source: Source

    @property
    def is_computable(self) -> bool:
        """Whether enough is published to estimate with: size, work and activations, and for tables how many rows are looked up."""
        has_sizes = bool(self.parameter_count and self.forward_mac_count and self.activation_train_fp16_bytes)
        return has_sizes and not (self.embedding_bytes and not (self.lookup_count and self.embedding_dim))
