"""Links, precision support, models and cost factors: lists with one group."""

from app.domain.catalogue.search import find_factors, find_language_models, find_links, find_other_models, find_precision
from app.web.forms.catalogue import GroupFilter
from app.web.nouns.noun import WORDS, FilterField, Noun, slugged, undated

LINKS = Noun(
    key="links",
    table="links",
    find=undated(find_links),
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "category")),
    title=lambda link: str(link.name),
    identify=lambda link: str(link.slug),
    columns=(
        *(
            "category",
            "scope",
            "one_way_bytes_per_s",
            "bidirectional_bytes_per_s",
            "achievable_bytes_per_s",
            "efficiency_ratio",
            "availability",
        ),
    ),
    groups={
        "general": ("category", "generation", "scope", "lane_or_link_count", "availability"),
        "speed": (
            *("one_way_bytes_per_s", "bidirectional_bytes_per_s", "marketed_bidirectional_bytes_per_s"),
            *("achievable_bytes_per_s", "achievable_what", "efficiency_ratio"),
        ),
    },
)
PRECISION = Noun(
    key="precision",
    table="precision_support",
    find=undated(find_precision),
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "precision")),
    title=lambda row: f"{row.architecture} · {row.precision.upper()}",
    identify=lambda row: slugged(row.architecture, row.precision),
    columns=(
        "vendor",
        "hardware_support",
        "rate_vs_fp16_ratio",
        "weight_only",
        "min_cuda",
        "min_pytorch",
        "min_transformer_engine",
        "min_vllm",
    ),
    groups={
        "general": ("vendor", "architecture", "compute_capability", "precision", "hardware_support", "rate_vs_fp16_ratio", "weight_only"),
        "software": ("min_cuda", "last_cuda", "min_pytorch", "min_transformer_engine", "min_vllm", "min_driver_mig"),
    },
)
MODELS = Noun(
    key="models",
    table="language_models",
    find=undated(find_language_models),
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "attention")),
    title=lambda model: str(model.name),
    identify=lambda model: slugged(model.name),
    columns=(
        *("family", "parameter_count", "active_parameter_count", "layer_count", "hidden", "head_count", "kv_head_count", "ffn_hidden"),
        *("vocab", "max_context", "attention", "moe_expert_count"),
    ),
    groups={
        "general": ("family", "kind", "parameter_count", "active_parameter_count", "max_context", "aliases"),
        "dimensions": ("layer_count", "hidden", "ffn_hidden", "is_gated_mlp", "vocab", "has_tied_embeddings", "norm", "has_linear_bias"),
        "attention": (
            *("attention", "head_count", "kv_head_count", "head_dim", "sliding_window", "sliding_pattern"),
            *("mla_kv_lora_rank", "mla_rope_dim", "mla_q_lora_rank", "mla_v_dim"),
        ),
        "experts": (
            *("moe_expert_count", "moe_topk", "moe_shared_expert_count", "moe_expert_ffn", "first_dense_layer_count", "dense_ffn_hidden"),
        ),
    },
)
OTHER_MODELS = Noun(
    key="other-models",
    table="other_models",
    find=undated(find_other_models),
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "task")),
    title=lambda model: str(model.name),
    identify=lambda model: slugged(model.name),
    columns=("task", "parameter_count", "input", "forward_mac_count", "activation_train_fp16_bytes", "embedding_bytes", "basis"),
    groups={
        "figures": (
            *("task", "input", "parameter_count", "forward_mac_count", "activation_train_fp16_bytes", "embedding_bytes"),
            *("embedding_table_count", "embedding_dim", "lookup_count", "basis"),
        ),
    },
)
FACTORS = Noun(
    key="factors",
    table="cost_factors",
    find=undated(find_factors),
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "group")),
    title=lambda factor: str(factor.factor),
    identify=lambda factor: str(factor.key),
    columns=("group", "low", "typical", "high", "region", "confidence"),
    groups={"figures": ("low", "typical", "high"), "general": ("key", "group", "region", "on", "confidence")},
)
