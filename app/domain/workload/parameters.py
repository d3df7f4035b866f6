"""Counts parameters from dimensions, part by part."""

from dataclasses import dataclass
from functools import lru_cache

from app.domain.catalogue.models import LanguageModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """How many parameters sit where. `attention`, `mlp` and `norm` are of one mean layer; experts count in full in `mlp`."""

    attention: float
    mlp: float
    active_mlp: float  # of one layer, what one token passes through
    norm: float
    embedding: float
    head: float  # 0 where the input embedding serves as the output projection
    other: float  # what the dimensions do not explain, when the publisher states another total
    total: float
    layers: int

    @property
    def layer(self) -> float:
        """Parameters of one mean layer, with its share of what the dimensions do not explain."""
        return self.attention + self.mlp + self.norm + self.other / self.layers

    @property
    def expert(self) -> float:
        """Parameters of one layer that only some tokens pass through."""
        return self.mlp - self.active_mlp

    @property
    def linear(self) -> float:
        """Parameters of the weight matrices of one layer: what LoRA adapts and QLoRA quantises."""
        return self.attention + self.mlp + self.other / self.layers


def attention_parameters(model: LanguageModel) -> float:
    """Query, key, value and output projections of one layer: 2·h·(q + kv), or the low-rank factors of multi-head latent attention.

    Source: the published configuration files; DeepSeek-V2 (arXiv:2405.04434) §2.1 for MLA."""
    h, heads, head_dim = model.hidden, model.head_count, model.head_dim
    if model.attention == "mla" and model.mla_kv_lora_rank:
        kv_rank, rope = model.mla_kv_lora_rank, model.mla_rope_dim or 0
        value_dim = model.mla_v_dim or head_dim
        q_rank = model.mla_q_lora_rank
        query = h * q_rank + q_rank * heads * (head_dim + rope) if q_rank else h * heads * (head_dim + rope)
        return float(query + h * (kv_rank + rope) + kv_rank * heads * (head_dim + value_dim) + heads * value_dim * h)
    q, kv = heads * head_dim, model.kv_head_count * head_dim
    bias = q + 2 * kv + h if model.has_linear_bias else 0
    return float(2 * h * q + 2 * h * kv + bias)


def _mlp(model: LanguageModel, width: int) -> float:
    """One feed-forward block of this inner width: 3·h·f gated, 2·h·f plain, with biases where the model has them."""
    matrices = 3 if model.is_gated_mlp else 2
    bias = (matrices - 1) * width + model.hidden if model.has_linear_bias else 0
    return float(matrices * model.hidden * width + bias)


def mlp_parameters(model: LanguageModel) -> tuple[float, float]:
    """Feed-forward parameters of one mean layer: all of them, and those that one token passes through (top-k and shared experts)."""
    experts = model.moe_expert_count or 0
    if not experts:
        full = _mlp(model, model.ffn_hidden)
        return full, full
    width = model.moe_expert_ffn or model.ffn_hidden
    dense = model.first_dense_layer_count or 0
    expert, router = _mlp(model, width), float(model.hidden * experts)
    shared = (model.moe_shared_expert_count or 0) * expert
    share = (model.layer_count - dense) / model.layer_count
    first = (1 - share) * _mlp(model, model.dense_ffn_hidden or model.ffn_hidden)
    full = first + share * (experts * expert + router + shared)
    return full, first + share * ((model.moe_topk or 1) * expert + router + shared)


@lru_cache(maxsize=512)
def parameters(model: LanguageModel) -> Parameters:
    """All parameters of a model by place. The stated total stands; what dimensions do not explain is spread over the layers as `other`."""
    attention = attention_parameters(model)
    mlp, active = mlp_parameters(model)
    layers = model.layer_count
    norm = float(2 * model.hidden * (2 if model.norm == "layer" else 1))
    embedding = float(model.vocab * model.hidden)
    head = 0.0 if model.has_tied_embeddings else embedding
    if model.kind == "encoder-decoder":
        attention, mlp, active = 3 * attention, 2 * mlp, 2 * active
    counted = layers * (attention + mlp + norm) + embedding + head + norm / 2
    total = model.parameter_count or counted
    if model.moe_expert_count and model.active_parameter_count:
        stated = (model.active_parameter_count - embedding - head) / layers - attention - norm
        active = min(max(active, stated), mlp)  # shared experts that no dimension tells are in the stated count
    return Parameters(
        attention=attention,
        mlp=mlp,
        active_mlp=active,
        norm=norm,
        embedding=embedding,
        head=head,
        other=total - counted,
        total=total,
        layers=layers,
    )


def counted_parameters(model: LanguageModel) -> float:
    """The total that the dimensions alone give."""
    made = parameters(model)
    return made.total - made.other


def active_parameters(model: LanguageModel) -> float:
    """Parameters that one token passes through."""
    made = parameters(model)
    if model.active_parameter_count:
        return model.active_parameter_count
    return made.total - made.layers * made.expert
